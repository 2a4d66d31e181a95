// The roles of staff, in words.

import { type StaffRole, staffRoles } from '#contract/console/row.ts'
import { Fault } from '#http/html/fields.tsx'
import { savedHint } from '#http/pages/typed.tsx'
import { statusText } from '#http/html/status-text.ts'
import { rolesText } from '../../words.ts'

/** Each role's permissions, which the page table enforces. */
const duties: Readonly<Record<StaffRole, string>> = {
  admin: 'Manages grants, staff, the formulary and settings. Can’t open charts.',
  clinician: 'Reviews cases, and approves or declines them in licensed states.',
  nurse: 'Reviews cases and asks questions. Can’t decide cases.',
  pharmacy: 'Ships orders. Can’t open charts.',
  records: 'Reads charts and activity.',
  auditor: 'Reads activity. Can’t open charts.',
}

export const rolesOf = (form: URLSearchParams): StaffRole[] => {
  const given = form.getAll('role')
  return staffRoles.filter(role => given.includes(role))
}

export const rolesFault = (roles: readonly StaffRole[]): string | undefined =>
  roles.length === 0 ? 'Choose at least one role.' : undefined

export const RoleChoices = (props: {
  chosen: readonly StaffRole[]
  fault?: string | undefined
  /** The saved roles, after another person changed them. */
  saved?: readonly StaffRole[]
}) => (
  <fieldset>
    <legend>Roles</legend>
    <Fault name="role" fault={props.fault} />
    {props.saved !== undefined && rolesText(props.saved) !== rolesText(props.chosen) && (
      <p class="hint">{savedHint(rolesText(props.saved))}</p>
    )}
    {staffRoles.map(role => (
      <div class="choice" key={role}>
        <input
          type="checkbox"
          name="role"
          id={`role-${role}`}
          value={role}
          checked={props.chosen.includes(role)}
        />
        <label for={`role-${role}`}>
          {statusText(rolesText([role]))} <span class="fine">{duties[role]}</span>
        </label>
      </div>
    ))}
  </fieldset>
)
