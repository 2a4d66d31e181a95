// What the consent of an agent and the approval of a device have in common: who asks, for what, for
// which integration, and the two buttons. A request is approved as a whole or denied.
import type { Audience, Scope } from '#contract/scopes.ts'
import { type Markup, markup } from '#http/html/markup.ts'
import type { Membership } from '../accounts/memberships.ts'
import type { ConsentRequest } from '../oauth/approval/consents.ts'
import { scopeList, timeOf } from './words.ts'

export const lacked = ({ lackedByRole, lackedByGrant }: Membership): Scope[] => [
  ...new Set([...lackedByRole, ...lackedByGrant]),
]

const isFit = (membership: Membership) => lacked(membership).length === 0

/** Anyone can register a client under any name. */
export const registration = ({ clientName, registeredAt }: ConsentRequest): Markup =>
  markup`<p class="note"><strong>“${clientName}”</strong> registered itself at ${timeOf(registeredAt)}, not verified by us. Anyone can choose that name: go on only if you started this yourself.</p>`

const surfaces: Readonly<Record<Audience, string>> = {
  api: 'the API',
  mcp: 'the tool server',
}

/** What is asked for; `memberships` shows what the person cannot give. */
export function requested(
  { scopes, audience }: ConsentRequest,
  memberships: readonly Membership[],
): Markup {
  const [only, ...others] = memberships
  const missing = only !== undefined && others.length === 0 ? lacked(only) : []
  const where = audience.map(one => surfaces[one]).join(' and ')
  return markup`<section class="part">
<h2>What it may do</h2>
<p class="fine">At ${where}. All of it or nothing.</p>
${scopeList(scopes, missing)}
</section>`
}

const roles: Readonly<Record<Membership['role'], string>> = {
  owner: 'owner',
  developer: 'developer',
  billing: 'billing',
  viewer: 'viewer',
}

/** The field that says which integration is joined. `chosen`: the one to suggest. */
export function integrationField(
  memberships: readonly Membership[],
  chosen?: string,
  fault?: string,
): Markup {
  const [only, ...others] = memberships
  if (only === undefined) return markup``
  if (others.length === 0) {
    return markup`<section class="part">
<h2>Which integration</h2>
<p><strong>${only.name}</strong>, of which you are ${roles[only.role]}.</p>
<p class="fine">Test mode only: it reaches invented patients in the sandbox, and never a real one.</p>
<input type="hidden" name="integration" value="${only.integration}">
${reasonOf(only, 'fault')}
</section>`
  }
  const fit = memberships.filter(isFit)
  const suggested = fit.find(one => one.integration === chosen)?.integration
  const choices = [...fit, ...memberships.filter(one => !isFit(one))].map(one =>
    choice(one, one.integration === suggested),
  )
  const described = fault === undefined ? 'integration-hint' : 'integration-hint integration-fault'
  return markup`<fieldset class="part" aria-describedby="${described}">
<legend><h2>Which integration</h2></legend>
<p class="fine" id="integration-hint">It joins one of yours, in test mode only: it reaches invented patients in the sandbox, and never a real one.</p>
${fault !== undefined && markup`<p class="fault" id="integration-fault">${fault}</p>`}
${choices}
</fieldset>`
}

function choice(membership: Membership, isChosen: boolean): Markup {
  const { integration, name, role } = membership
  const disabled = isFit(membership) ? false : markup` disabled`
  return markup`<div class="choice">
<input type="radio" id="${integration}" name="integration" value="${integration}" required${disabled}${isChosen && markup` checked`}>
<label for="${integration}">${name} <span class="fine">as ${roles[role]}</span></label>
${reasonOf(membership, 'fine')}
</div>`
}

/** Why it cannot be approved for an integration. */
function reasonOf(
  { role, lackedByRole, lackedByGrant }: Membership,
  style: 'fault' | 'fine',
): Markup | undefined {
  const codes = (scopes: readonly Scope[]) =>
    scopes.map((scope, at) => markup`${at > 0 && ', '}<code>${scope}</code>`)
  if (lackedByRole.length > 0) {
    return markup`<p class="${style}">Your role, ${roles[role]}, does not have ${codes(lackedByRole)}. An owner or a developer of the integration can approve this.</p>`
  }
  if (lackedByGrant.length > 0) {
    return markup`<p class="${style}">No clinic granted it ${codes(lackedByGrant)} in test mode.</p>`
  }
  return undefined
}

/** Why nothing can be approved, beside a button that is off; undefined where something can. */
export function obstacle(memberships: readonly Membership[]): string | undefined {
  if (memberships.length === 0)
    return 'You are a member of no integration, so you can only deny it.'
  if (memberships.some(isFit)) return undefined
  return 'It asks for more than you can give, so you can only deny it.'
}

export const decisionButtons = (label: string, off: string | undefined): Markup => markup`
${off !== undefined && markup`<p class="fault" id="off">${off}</p>`}
<div class="actions">
<button class="button" name="decide" value="approve"${off !== undefined && markup` disabled aria-describedby="off"`}>${label}</button>
<button class="button second" name="decide" value="deny" formnovalidate>Deny</button>
</div>`
