// The page that closes an account, after listing what ends and what we keep, and asking for the
// account's name as confirmation.
import { limits } from '#contract/limits.ts'
import { closeIntegration } from '#auth/integration-settings.ts'
import { Alert, Field } from '#http/html/fields.tsx'
import type { MemberCall, PortalHandler } from '../../context.ts'
import { Heading, RowForm } from '#http/html/parts.tsx'
import { typedIn } from '#http/pages/typed.tsx'
import { refusalText } from '../../refusals.ts'

type ClosingForm = {
  readonly name?: string
  readonly fault?: string
  readonly alert?: string
  readonly status?: number
}

const closingPage = (call: MemberCall, given: ClosingForm) => ({
  title: 'Close account',
  status: given.status ?? 200,
  content: (
    <>
      <Heading title={`Close ${call.member.name}`} lead="You can’t undo this." />
      {given.alert !== undefined && <Alert>{given.alert}</Alert>}
      <section>
        <h2>Ends immediately</h2>
        <ul class="bullets">
          <li>All keys, clients, tokens, agents and devices, in test and live mode.</li>
          <li>Webhooks. Endpoints are disabled and pending deliveries fail.</li>
          <li>The business associate agreement, clinic grants and open invitations.</li>
          <li>Portal access for all members. We email the owners.</li>
        </ul>
      </section>
      <section>
        <h2>Kept</h2>
        <ul class="bullets">
          <li>Live patients, cases and visits, in the clinic’s records.</li>
          <li>Sandbox data, until it’s {limits.sandboxRowDays} days old.</li>
          <li>The audit log and accepted agreements.</li>
        </ul>
      </section>
      <RowForm call={call} path={call.pathOf('closeIntegration')} class="stack">
        <Field
          name="name"
          label={`Type “${call.member.name}” to confirm`}
          value={given.name ?? ''}
          fault={given.fault}
        />
        <div class="actions">
          <button class="button danger">Close account</button>
          <a class="button second" href={call.pathOf('settings')}>
            Cancel
          </a>
        </div>
      </RowForm>
    </>
  ),
})

const close: PortalHandler = async ({ pool }, call) => {
  const name = (call.form.get('name') ?? '').trim()
  if (name !== call.member.name) {
    return closingPage(call, {
      name,
      fault: `Type “${call.member.name}” exactly as shown.`,
      status: 422,
    })
  }
  const { refusal } = await pool.use(connection =>
    closeIntegration(connection, call.member.integration, call.act),
  )
  return refusal === null
    ? { redirect: '/', toast: { text: `${call.member.name} closed` } }
    : closingPage(call, { name, alert: refusalText(refusal), status: 409 })
}

export const closingHandlers = {
  closing: (_portal, call) =>
    closingPage(call, { name: typedIn(call, 'closeIntegration', 'name') ?? '' }),
  closeIntegration: close,
} satisfies Record<string, PortalHandler>
