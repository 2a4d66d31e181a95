// Closing an integration: what ends, what stays, and the name typed to be sure.
import { limits } from '#contract/limits.ts'
import { closeIntegration } from '#auth/integration-settings.ts'
import { Alert, Field } from '#http/html/fields.tsx'
import type { MemberCall, PortalHandler } from '../../context.ts'
import { Heading, RowForm } from '#http/html/parts.tsx'
import { refusalText } from '../../refusals.ts'

type Given = {
  readonly name?: string
  readonly fault?: string
  readonly alert?: string
  readonly status?: number
}

const closingPage = (call: MemberCall, given: Given) => ({
  title: 'Close the integration',
  status: given.status ?? 200,
  content: (
    <>
      <Heading title={`Close ${call.member.name}`} lead="You cannot undo this here." />
      {given.alert !== undefined && <Alert>{given.alert}</Alert>}
      <section>
        <h2>What ends at once</h2>
        <ul class="bullets">
          <li>Every key, client, token, agent and device, in both modes.</li>
          <li>Webhooks: endpoints are disabled, and what waits to be sent fails.</li>
          <li>The business associate agreement, the grants of clinics, and open invitations.</li>
          <li>These pages, for all members. Owners get an email.</li>
        </ul>
      </section>
      <section>
        <h2>What stays</h2>
        <ul class="bullets">
          <li>Patients, cases and visits of live mode: they are on the record of the clinic.</li>
          <li>What you made in the sandbox, until it is {limits.sandboxRowDays} days old.</li>
          <li>The audit of all calls and changes, and the agreements that were accepted.</li>
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
          <button class="button danger">Close the integration</button>
          <a class="button second" href={call.pathOf('settings')}>
            Keep it
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
      fault: `Name must be “${call.member.name}”, as it is written above.`,
      status: 422,
    })
  }
  const { refusal } = await pool.use(connection =>
    closeIntegration(connection, call.member.integration, call.act),
  )
  return refusal === null
    ? { redirect: '/' }
    : closingPage(call, { name, alert: refusalText(refusal), status: 409 })
}

export const closingHandlers = {
  closing: (_portal, call) => closingPage(call, {}),
  closeIntegration: close,
} satisfies Record<string, PortalHandler>
