// Shared by an agent's consent page and a device's approval page: the requester, the requested
// scopes, the integration, and the two buttons. A request is approved as a whole or denied.
import type { Audience, Scope } from '#contract/scopes.ts'
import { Fragment } from 'preact'
import { Fault, Hidden } from '#http/html/fields.tsx'
import type { Membership } from '../accounts/memberships.ts'
import type { ConsentRequest } from '../oauth/approval/consents.ts'
import { Actions } from './parts.tsx'
import { Moment, ScopeList } from './words.tsx'

const lacked = ({ lackedByRole, lackedByGrant }: Membership): Scope[] => [
  ...new Set([...lackedByRole, ...lackedByGrant]),
]

const isFit = (membership: Membership) => lacked(membership).length === 0

/** Anyone can register a client under any name, or publish a document with any name. */
export const Registration = ({ request }: { request: ConsentRequest }) => (
  <p class="note">
    {request.documentHost === null ? (
      <>
        <strong>“{request.clientName}”</strong> registered itself on{' '}
        <Moment at={request.registeredAt} />. We haven’t verified it.
      </>
    ) : (
      <>
        <strong>{request.documentHost}</strong> publishes this program as “{request.clientName}”. We
        haven’t verified anything else.
      </>
    )}{' '}
    Anyone can choose that name. Continue only if you started this yourself.
  </p>
)

const surfaces: Readonly<Record<Audience, string>> = {
  api: 'the API',
  mcp: 'the tool server',
}

type RequestedProps = {
  readonly request: ConsentRequest
  /** Marks the scopes the person can't grant. */
  readonly memberships: readonly Membership[]
}

export function Requested({ request, memberships }: RequestedProps) {
  const [only, ...others] = memberships
  const missing = only !== undefined && others.length === 0 ? lacked(only) : []
  const where = request.audience.map(one => surfaces[one]).join(' and ')
  return (
    <section class="part">
      <h2>Requested scopes</h2>
      <p class="fine">For {where}. You can’t approve only some of them.</p>
      <ScopeList asked={request.scopes} missing={missing} />
    </section>
  )
}

const roles: Readonly<Record<Membership['role'], string>> = {
  owner: 'Owner',
  developer: 'Developer',
  billing: 'Billing',
  viewer: 'Viewer',
}

type IntegrationProps = {
  readonly memberships: readonly Membership[]
  /** The suggested integration. */
  readonly chosen?: string | undefined
  readonly fault?: string | undefined
}

export function IntegrationField({ memberships, chosen, fault }: IntegrationProps) {
  const [only, ...others] = memberships
  if (only === undefined) return null
  if (others.length === 0) return <OnlyIntegration membership={only} />
  const fit = memberships.filter(isFit)
  const suggested = fit.find(one => one.integration === chosen)?.integration
  const described = fault === undefined ? 'integration-hint' : 'integration-hint integration-fault'
  return (
    <fieldset class="part" aria-describedby={described}>
      <legend>
        <h2>Account</h2>
      </legend>
      <p class="fine" id="integration-hint">
        Test mode only: the app can reach the sandbox’s synthetic patients, never real ones.
      </p>
      <Fault name="integration" fault={fault} />
      {[...fit, ...memberships.filter(one => !isFit(one))].map(one => (
        <Choice key={one.integration} membership={one} isChosen={one.integration === suggested} />
      ))}
    </fieldset>
  )
}

const OnlyIntegration = ({ membership }: { membership: Membership }) => (
  <section class="part">
    <h2>Account</h2>
    <p>
      <strong>{membership.name}</strong>. Role: {roles[membership.role]}
    </p>
    <p class="fine">
      Test mode only: the app can reach the sandbox’s synthetic patients, never real ones.
    </p>
    <Hidden name="integration" value={membership.integration} />
    <Reason membership={membership} style="fault" />
  </section>
)

function Choice({ membership, isChosen }: { membership: Membership; isChosen: boolean }) {
  const { integration, name, role } = membership
  return (
    <div class="choice">
      <input
        type="radio"
        id={integration}
        name="integration"
        value={integration}
        required
        disabled={!isFit(membership)}
        checked={isChosen}
      />
      <label for={integration}>
        {name} <span class="fine">{roles[role]}</span>
      </label>
      <Reason membership={membership} style="fine" />
    </div>
  )
}

const Codes = ({ scopes }: { scopes: readonly Scope[] }) => (
  <>
    {scopes.map((scope, at) => (
      <Fragment key={scope}>
        {at > 0 && ', '}
        <code>{scope}</code>
      </Fragment>
    ))}
  </>
)

/** Why the request can't be approved for an integration. */
function Reason({ membership, style }: { membership: Membership; style: 'fault' | 'fine' }) {
  const { role, lackedByRole, lackedByGrant } = membership
  if (lackedByRole.length > 0) {
    return (
      <p class={style}>
        Your role, {roles[role]}, doesn’t include <Codes scopes={lackedByRole} />. Ask an owner or a
        developer to approve this.
      </p>
    )
  }
  if (lackedByGrant.length === 0) return null
  return (
    <p class={style}>
      No clinic has granted <Codes scopes={lackedByGrant} /> in test mode.
    </p>
  )
}

/** Why nothing can be approved, shown next to the disabled button. Undefined if something can. */
export function obstacle(memberships: readonly Membership[]): string | undefined {
  if (memberships.length === 0) return 'You aren’t on any team yet, so you can only deny this.'
  if (memberships.some(isFit)) return undefined
  return 'This requests more than you can grant, so you can only deny it.'
}

/** `off` is the reason that the request can't be approved. */
export const DecisionButtons = ({ label, off }: { label: string; off: string | undefined }) => (
  <>
    {off !== undefined && (
      <p class="fault" id="off">
        {off}
      </p>
    )}
    <Actions>
      <button
        class="button"
        name="decide"
        value="approve"
        disabled={off !== undefined}
        aria-describedby={off === undefined ? undefined : 'off'}
      >
        {label}
      </button>
      <button class="button second" name="decide" value="deny" formnovalidate>
        Deny
      </button>
    </Actions>
  </>
)
