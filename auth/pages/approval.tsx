// What the consent of an agent and the approval of a device have in common: who asks, for what, for
// which integration, and the two buttons. A request is approved as a whole or denied.
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

/** Anyone can register a client under any name, and write any name into a document of their own. */
export const Registration = ({ request }: { request: ConsentRequest }) => (
  <p class="note">
    {request.documentHost === null ? (
      <>
        <strong>“{request.clientName}”</strong> registered itself at{' '}
        <Moment at={request.registeredAt} />, not verified by us.
      </>
    ) : (
      <>
        <strong>{request.documentHost}</strong> describes this program under the name “
        {request.clientName}”. We read that there; nothing else is verified by us.
      </>
    )}{' '}
    Anyone can choose that name: go on only if you started this yourself.
  </p>
)

const surfaces: Readonly<Record<Audience, string>> = {
  api: 'the API',
  mcp: 'the tool server',
}

type RequestedProps = {
  readonly request: ConsentRequest
  /** Shows what the person cannot give. */
  readonly memberships: readonly Membership[]
}

/** What is asked for. */
export function Requested({ request, memberships }: RequestedProps) {
  const [only, ...others] = memberships
  const missing = only !== undefined && others.length === 0 ? lacked(only) : []
  const where = request.audience.map(one => surfaces[one]).join(' and ')
  return (
    <section class="part">
      <h2>What it may do</h2>
      <p class="fine">At {where}. All of it or nothing.</p>
      <ScopeList asked={request.scopes} missing={missing} />
    </section>
  )
}

const roles: Readonly<Record<Membership['role'], string>> = {
  owner: 'owner',
  developer: 'developer',
  billing: 'billing',
  viewer: 'viewer',
}

type IntegrationProps = {
  readonly memberships: readonly Membership[]
  /** The one to suggest. */
  readonly chosen?: string | undefined
  readonly fault?: string | undefined
}

/** The field that says which integration is joined. */
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
        <h2>Which integration</h2>
      </legend>
      <p class="fine" id="integration-hint">
        It joins one of yours, in test mode only: it reaches invented patients in the sandbox, and
        never a real one.
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
    <h2>Which integration</h2>
    <p>
      <strong>{membership.name}</strong>, of which you are {roles[membership.role]}.
    </p>
    <p class="fine">
      Test mode only: it reaches invented patients in the sandbox, and never a real one.
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
        {name} <span class="fine">as {roles[role]}</span>
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

/** Why it cannot be approved for an integration. */
function Reason({ membership, style }: { membership: Membership; style: 'fault' | 'fine' }) {
  const { role, lackedByRole, lackedByGrant } = membership
  if (lackedByRole.length > 0) {
    return (
      <p class={style}>
        Your role, {roles[role]}, does not have <Codes scopes={lackedByRole} />. An owner or a
        developer of the integration can approve this.
      </p>
    )
  }
  if (lackedByGrant.length === 0) return null
  return (
    <p class={style}>
      No clinic granted it <Codes scopes={lackedByGrant} /> in test mode.
    </p>
  )
}

/** Why nothing can be approved, beside a button that is off; undefined where something can. */
export function obstacle(memberships: readonly Membership[]): string | undefined {
  if (memberships.length === 0)
    return 'You are a member of no integration, so you can only deny it.'
  if (memberships.some(isFit)) return undefined
  return 'It asks for more than you can give, so you can only deny it.'
}

/** `off`: why it cannot be approved. */
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
