// One staff member: the name patients see, roles, licenses, and the end of their access.

import { isId, prefixes } from '#contract/ids.ts'
import { formats } from '#contract/api/text-formats.ts'
import { states } from '#contract/api/address.ts'
import {
  changeStaff,
  type ClinicChange,
  confirmStaff,
  deactivateStaff,
  listStaff,
  removeLicense,
  setLicense,
  type StaffMemberRow,
  stopRecoveryOfStaff,
} from '#auth/clinics/staff.ts'
import { Alert, Field, Hidden, Select } from '#http/html/fields.tsx'
import { lineOf } from '#http/html/form-text.ts'
import { Badge, Confirm, Heading, RowForm, Table, Time } from '#http/html/parts.tsx'
import { dateText } from '../patient-name.ts'
import type { ConsoleContext, ConsoleHandler, ConsoleCall } from '../../context.ts'
import { DoneNote } from '../../done.tsx'
import { missing } from '../../refused.tsx'
import { isOutdated, savedHint, typedIn } from '#http/pages/typed.tsx'
import { refusalText } from './refusals.ts'
import { RoleChoices, rolesFault, rolesOf } from './roles.tsx'
import { revisionOf } from './settings.tsx'

type Faults = Partial<
  Record<'name' | 'role' | 'state' | 'number' | 'expires_on', string | undefined>
>
type StaffState = { readonly alert?: string; readonly faults?: Faults }

const said = {
  changeStaff: 'Name and roles saved.',
  setLicense: 'License recorded.',
  removeLicense: 'License removed.',
  stopRecovery: 'Recovery stopped.',
  confirmStaff: 'Account confirmed. Their roles work again.',
}

const noMember = (call: ConsoleCall) =>
  missing('Staff member not found', call.pathOf('staff'), 'Staff')

async function memberPage({ pool }: ConsoleContext, call: ConsoleCall, shown: StaffState = {}) {
  const all = await pool.use(connection => listStaff(connection, call.staff.organization))
  const member = all.find(one => one.person === call.names['id'] && one.removed_at === null)
  if (member === undefined) return noMember(call)
  const name = typedIn(call, 'changeStaff', 'name') ?? member.name
  const roles = call.row === 'changeStaff' ? rolesOf(call.form) : member.roles
  const isLate = isOutdated(call, 'changeStaff', member.revision)
  return {
    title: member.name,
    status: shown.alert !== undefined ? 409 : shown.faults !== undefined ? 422 : 200,
    content: (
      <>
        <Heading title={member.name} lead={member.email} />
        {shown.alert !== undefined && <Alert>{shown.alert}</Alert>}
        <DoneNote call={call} said={said} />
        <RecoveryOf call={call} member={member} />
        <RowForm call={call} path={call.pathOf('changeStaff', { id: member.person })} class="stack">
          <Version of={member} />
          <Field
            name="name"
            label="Name"
            hint={`Shown to patients, such as “Maria Lopez, MD”.${
              isLate && name.trim() !== member.name ? ` ${savedHint(member.name)}` : ''
            }`}
            value={name}
            fault={shown.faults?.name}
            input={{ maxlength: 200 }}
          />
          <RoleChoices
            chosen={roles}
            fault={shown.faults?.role}
            {...(isLate && { saved: member.roles })}
          />
          <div class="actions">
            <button class="button">Save</button>
            <a class="button second" href={call.pathOf('staff')}>
              Back to staff
            </a>
          </div>
        </RowForm>
        <LicensesOf call={call} member={member} shown={shown} />
        <section>
          <h2>Deactivate</h2>
          <Confirm
            call={call}
            path={call.pathOf('deactivateStaff', { id: member.person })}
            label={`Deactivate ${member.name}`}
            question={`${member.name} loses access to ${call.staff.name} right away. What they wrote and signed stays.`}
            action={`Deactivate ${member.name}`}
          >
            <Version of={member} />
          </Confirm>
        </section>
      </>
    ),
  }
}

const Version = ({ of }: { of: StaffMemberRow }) => <Hidden name="revision" value={of.revision} />

type MemberProps = { readonly call: ConsoleCall; readonly member: StaffMemberRow }

/** A recovery that an administrator can stop or has to confirm. */
const RecoveryOf = ({ call, member }: MemberProps) => (
  <>
    {member.recovery_at !== null && (
      <section>
        <h2>Account recovery</h2>
        <p>
          Someone with access to {member.email} can set a new password without a second factor from{' '}
          <Time at={member.recovery_at} />. Ask {member.name} in person or by phone.
        </p>
        <RowForm call={call} path={call.pathOf('stopRecovery', { id: member.person })}>
          <button class="button danger">Stop recovery</button>
        </RowForm>
      </section>
    )}
    {member.recovered_at !== null && (
      <section>
        <h2>Recovered account</h2>
        <p>
          {member.name} set a new password without a second factor on{' '}
          <Time at={member.recovered_at} />. Their roles are paused until you confirm it was them:
          ask in person or by phone. If it wasn’t, deactivate them.
        </p>
        <RowForm call={call} path={call.pathOf('confirmStaff', { id: member.person })}>
          <button class="button">Confirm {member.name}</button>
        </RowForm>
      </section>
    )}
  </>
)

type LicenseProps = { call: ConsoleCall; member: StaffMemberRow; shown: StaffState }

const LicensesOf = ({ call, member, shown }: LicenseProps) => (
  <section>
    <h2>Licenses</h2>
    {member.licenses.length > 0 && (
      <Table
        caption="Licenses"
        head={['State', 'Number', 'Expires', 'Status', '']}
        rows={member.licenses.map(one => [
          one.state,
          <code>{one.number}</code>,
          dateText(one.expires_on),
          one.is_valid ? <Badge tone="good">Valid</Badge> : <Badge tone="bad">Expired</Badge>,
          <Confirm
            call={call}
            path={call.pathOf('removeLicense', { id: member.person })}
            label="Remove"
            question={`${member.name} can no longer sign plans for patients in ${one.state}.`}
            action={`Remove ${one.state} license`}
          >
            <Version of={member} />
            <Hidden name="state" value={one.state} />
          </Confirm>,
        ])}
      />
    )}
    <p>
      A new license replaces the one for the same state. Expired licenses stop working on their own.
    </p>
    <RowForm call={call} path={call.pathOf('setLicense', { id: member.person })} class="stack">
      <Version of={member} />
      <Select
        name="state"
        label="State"
        value={typedIn(call, 'setLicense', 'state') ?? ''}
        options={[['', 'Choose…'], ...states.map(state => [state, state] as const)]}
        fault={shown.faults?.state}
      />
      <Field
        name="number"
        label="License number"
        value={typedIn(call, 'setLicense', 'number') ?? ''}
        fault={shown.faults?.number}
        input={{ maxlength: 100 }}
      />
      <Field
        name="expires_on"
        label="Expires"
        value={typedIn(call, 'setLicense', 'expires_on') ?? ''}
        fault={shown.faults?.expires_on}
        input={{ type: 'date' }}
      />
      <div class="actions">
        <button class="button">Record license</button>
      </div>
    </RowForm>
  </section>
)

/** Shows the member again, or the error. */
async function ended(context: ConsoleContext, call: ConsoleCall, { refusal }: ClinicChange) {
  if (refusal !== null) return memberPage(context, call, { alert: refusalText(refusal) })
  return {
    redirect: call.pathOf('staffMember', { id: call.names['id'] ?? '' }, { done: call.row }),
  }
}

const versionOf = (call: ConsoleCall) => ({
  person: call.names['id'] ?? '',
  revision: revisionOf(call),
})

/** Handles a form about one member. */
const ofMember =
  (handler: ConsoleHandler): ConsoleHandler =>
  (context, call) =>
    isId(prefixes.person, call.names['id'] ?? '') ? handler(context, call) : noMember(call)

const change = ofMember(async (context, call) => {
  const { value: name, fault } = lineOf(call.form, 'name', 'Name')
  const roles = rolesOf(call.form)
  const faults = { name: fault, role: rolesFault(roles) }
  if (faults.name !== undefined || faults.role !== undefined) {
    return memberPage(context, call, { faults })
  }
  const asked = { ...versionOf(call), name, roles }
  const changed = await context.pool.use(connection => changeStaff(connection, asked, call.act))
  return ended(context, call, changed)
})

const license = ofMember(async (context, call) => {
  const number = lineOf(call.form, 'number', 'License number', 100)
  const state = states.find(one => one === call.form.get('state'))
  const expires_on = call.form.get('expires_on') ?? ''
  const faults = {
    state: state === undefined ? 'Choose a state.' : undefined,
    number: number.fault,
    expires_on: formats['date']?.(expires_on) != null ? undefined : 'Enter an expiration date.',
  }
  const given = { state: state ?? '', number: number.value, expires_on }
  if (Object.values(faults).some(fault => fault !== undefined)) {
    return memberPage(context, call, { faults })
  }
  const asked = { ...versionOf(call), ...given }
  const changed = await context.pool.use(connection => setLicense(connection, asked, call.act))
  return ended(context, call, changed)
})

const remove = ofMember(async (context, call) => {
  const asked = { ...versionOf(call), state: call.form.get('state') ?? '' }
  const changed = await context.pool.use(connection => removeLicense(connection, asked, call.act))
  return ended(context, call, changed)
})

const deactivate = ofMember(async (context, call) => {
  const changed = await context.pool.use(connection =>
    deactivateStaff(connection, versionOf(call), call.act),
  )
  if (changed.refusal !== null) return ended(context, call, changed)
  const isOneself = call.names['id'] === call.session.person.id
  return { redirect: isOneself ? '/' : call.pathOf('staff', {}, { done: 'deactivated' }) }
})

const aboutRecovery = (change: typeof confirmStaff) =>
  ofMember(async (context, call) => {
    const { id = '' } = call.names
    return ended(context, call, await context.pool.use(one => change(one, id, call.act)))
  })

export const staffMemberHandlers = {
  staffMember: (context, call) => memberPage(context, call),
  changeStaff: change,
  deactivateStaff: deactivate,
  stopRecovery: aboutRecovery(stopRecoveryOfStaff),
  confirmStaff: aboutRecovery(confirmStaff),
  setLicense: license,
  removeLicense: remove,
} satisfies Record<string, ConsoleHandler>
