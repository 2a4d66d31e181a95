// Member roles in words.
import { type MemberRole, roleScopes } from '#contract/scopes.ts'
import { everyRole } from '#contract/portal/row.ts'
import { roleNames } from '../../role-names.ts'
import { Fault } from '#http/html/fields.tsx'

/** The permissions of each role in the portal. The roles' scopes are in contract/scopes.ts. */
const duties: Readonly<Record<MemberRole, string>> = {
  owner: 'Full access, including members, live keys, clinics, agreements and settings.',
  developer: 'Test keys, OAuth clients, webhooks, sandbox and logs.',
  billing: 'Usage and invoices only.',
  viewer: 'Read-only access.',
}

export const isRole = (text: string | null): text is MemberRole =>
  text !== null && Object.hasOwn(roleScopes, text)

export const RoleChoice = (props: { chosen: string; fault?: string | undefined }) => (
  <fieldset>
    <legend>Role</legend>
    <Fault name="role" fault={props.fault} />
    {everyRole.map(role => (
      <div class="choice" key={role}>
        <input
          type="radio"
          name="role"
          id={`role-${role}`}
          value={role}
          checked={props.chosen === role}
        />
        <label for={`role-${role}`}>
          {roleNames[role]} <span class="fine">{duties[role]}</span>
        </label>
      </div>
    ))}
  </fieldset>
)
