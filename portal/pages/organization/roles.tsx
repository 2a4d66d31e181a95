// The roles of members, in words.
import { type MemberRole, roleScopes } from '#contract/scopes.ts'
import { everyRole } from '#contract/portal/row.ts'
import { Fault } from '#http/html/fields.tsx'

/** What each role may do in the portal; the scopes of roles are in contract/scopes.ts. */
const duties: Readonly<Record<MemberRole, string>> = {
  owner: 'Everything: members, live keys, grants, the agreement, settings.',
  developer: 'Builds: test keys, clients, webhooks, the sandbox, logs.',
  billing: 'Reads usage and invoices, and no patient.',
  viewer: 'Reads everything, and changes nothing.',
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
          {role} <span class="fine">{duties[role]}</span>
        </label>
      </div>
    ))}
  </fieldset>
)
