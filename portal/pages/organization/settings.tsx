// Account settings: the account's name and email addresses.
import {
  changeIntegration,
  findIntegrationSettings,
  type IntegrationSettings,
} from '#auth/integration-settings.ts'
import { Alert, Field } from '#http/html/fields.tsx'
import type { MemberCall, PortalContext, PortalHandler } from '../../context.ts'
import { emailOf, lineOf } from '#http/html/form-text.ts'
import { Facts, Heading, Id, RowForm, Time } from '#http/html/parts.tsx'
import { refusalText } from '../../refusals.ts'

const isOwner = ({ member }: MemberCall) => member.role === 'owner'

const settingsOf = ({ pool }: PortalContext, { member }: MemberCall) =>
  pool.use(connection => findIntegrationSettings(connection, member.integration))

const settings: PortalHandler = async (portal, call) => {
  const found = await settingsOf(portal, call)
  const none = <span class="quiet">None</span>
  return {
    title: 'Settings',
    content: (
      <>
        <Heading
          title="Settings"
          action={
            isOwner(call) && (
              <a class="button" href={call.pathOf('editSettings')}>
                Edit
              </a>
            )
          }
        />
        <Facts
          of={[
            ['Name', call.member.name],
            ['ID', <Id of={call.member.integration} />],
            ['Developer email', found?.developers_email ?? none],
            ['Billing email', found?.billing_email ?? none],
            ...(found === null ? [] : [['Created', <Time at={found.created_at} />] as const]),
          ]}
        />
        {call.member.role !== 'billing' && call.member.role !== 'viewer' && (
          <section>
            <h2>Configuration</h2>
            <p>Your keys, clients, endpoints, clinics and members as JSON, without secrets.</p>
            <p class="actions">
              <a class="button second small" href={call.pathOf('configuration')}>
                View JSON
              </a>
            </p>
          </section>
        )}
        {isOwner(call) && (
          <section>
            <h2>Close account</h2>
            <p>Revokes all keys and agents and disables all webhooks immediately.</p>
            <p class="actions">
              <a class="button danger small" href={call.pathOf('closing')}>
                Close account
              </a>
            </p>
          </section>
        )}
      </>
    ),
  }
}

type SettingsState = {
  readonly values: IntegrationSettings
  readonly faults?: Partial<Record<'name' | 'developers' | 'billing', string | undefined>>
  readonly alert?: string
  readonly status?: number
}

const settingsForm = (
  call: MemberCall,
  { values, faults, alert, status = 200 }: SettingsState,
) => ({
  title: 'Edit settings',
  status,
  content: (
    <>
      <Heading title="Edit settings" />
      {alert !== undefined && <Alert>{alert}</Alert>}
      <RowForm call={call} path={call.pathOf('changeSettings')} class="stack">
        <Field
          name="name"
          label="Name"
          hint="Visible to members, clinics and people who approve agents."
          value={values.name}
          fault={faults?.name}
          input={{ maxlength: 200 }}
        />
        <Field
          name="developers"
          label="Developer email"
          type="email"
          isOptional
          hint="We email this address when an endpoint fails or is disabled."
          value={values.developers_email ?? ''}
          fault={faults?.developers}
        />
        <Field
          name="billing"
          label="Billing email"
          type="email"
          isOptional
          hint="Receives invoices. If empty, invoices go to all owners."
          value={values.billing_email ?? ''}
          fault={faults?.billing}
        />
        <div class="actions">
          <button class="button">Save</button>
          <a class="button second" href={call.pathOf('settings')}>
            Cancel
          </a>
        </div>
      </RowForm>
    </>
  ),
})

function settingsIn(form: URLSearchParams) {
  const name = lineOf(form, 'name', 'Name')
  const developers = emailOf(form, 'developers', { isOptional: true })
  const billing = emailOf(form, 'billing', { isOptional: true })
  return {
    values: {
      name: name.value,
      developers_email: developers.value,
      billing_email: billing.value,
    },
    faults: { name: name.fault, developers: developers.fault, billing: billing.fault },
  }
}

const edit: PortalHandler = async (portal, call) => {
  if (call.row === 'changeSettings') return settingsForm(call, settingsIn(call.form))
  const found = await settingsOf(portal, call)
  const { name } = call.member
  return settingsForm(call, {
    values: found ?? { name, developers_email: null, billing_email: null },
  })
}

const change: PortalHandler = async ({ pool }, call) => {
  const { form, member, act } = call
  const { values, faults } = settingsIn(form)
  if (Object.values(faults).some(fault => fault !== undefined)) {
    return settingsForm(call, { values, faults, status: 422 })
  }
  const { refusal, before } = await pool.use(async connection => ({
    before: await findIntegrationSettings(connection, member.integration),
    ...(await changeIntegration(connection, { integration: member.integration, ...values }, act)),
  }))
  return refusal === null
    ? { redirect: call.pathOf('settings'), toast: savedToast(call, before) }
    : settingsForm(call, { values, alert: refusalText(refusal), status: 409 })
}

/** Undo restores the previous settings. */
const savedToast = (call: MemberCall, before: IntegrationSettings | null) => ({
  text: 'Settings saved',
  ...(before !== null && {
    undo: {
      path: call.pathOf('changeSettings'),
      fields: {
        name: before.name,
        developers: before.developers_email ?? '',
        billing: before.billing_email ?? '',
      },
    },
  }),
})

export const settingsHandlers = {
  settings,
  editSettings: edit,
  changeSettings: change,
} satisfies Record<string, PortalHandler>
