// The roles of staff, in words.

import { type StaffRole, staffRoles } from '#contract/console/row.ts'
import { Fault } from '#http/html/fields.tsx'
import { savedHint } from '#http/pages/typed.tsx'
import { rolesText, statusText } from '../../words.ts'

/** What each role may do; the table of pages holds it. */
const duties: Readonly<Record<StaffRole, string>> = {
  admin: 'Decides grants, staff, the formulary and settings. Sees no chart.',
  clinician: 'Reviews cases, and approves or declines where they are licensed.',
  nurse: 'Reviews cases and asks. Decides none.',
  pharmacy: 'Moves orders. Sees no chart.',
  records: 'Reads charts and the activity.',
  auditor: 'Reads the activity. Sees no chart.',
}

export const rolesOf = (form: URLSearchParams): StaffRole[] => {
  const given = form.getAll('role')
  return staffRoles.filter(role => given.includes(role))
}

export const rolesFault = (roles: readonly StaffRole[]): string | undefined =>
  roles.length === 0 ? 'Roles must have at least one ticked.' : undefined

export const RoleChoices = (props: {
  chosen: readonly StaffRole[]
  fault?: string | undefined
  /** After another person changed them. */
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
