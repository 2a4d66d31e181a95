// A member's request: their membership, and API calls on their behalf.
import { isId, prefixes } from '#contract/ids.ts'
import { isMode, type Mode } from '#contract/operation.ts'
import type { SessionOperationId } from '#contract/portal/reads.ts'
import { isOpenTo } from '#contract/portal/row.ts'
import { type PortalRowId, portalRows } from '#contract/portal/table.ts'
import { listMemberships, type Membership } from '#auth/accounts/memberships.ts'
import { keepingClinic } from './for-clinic.ts'
import { sandboxAheadMs } from './tenant-time.ts'
import type { ApiInput, ApiResult, MemberCall, PortalContext, SignedInCall } from './context.ts'

/** Returns undefined if the person isn't a member, or if the mode is invalid. */
export async function memberCall(
  portal: PortalContext,
  call: SignedInCall,
): Promise<MemberCall | undefined> {
  const { integration = '', mode = '' } = call.names
  if (!isId(prefixes.integration, integration) || !isMode(mode)) return undefined
  const memberships = await listMemberships(portal.pool, call.session.person.id, [])
  const member = memberships.find(one => one.integration === integration)
  if (member === undefined) return undefined
  const aheadMs = mode === 'test' ? await sandboxAheadMs(portal.pool, integration) : 0
  const found = { ...call, member, memberships, mode, aheadMs }
  return {
    ...found,
    pathOf: keepingClinic(call),
    mayOpen: id => !(id in portalRows) || mayOpen(member, id as PortalRowId, mode),
    act: actOf(call),
    api: (operation, given = {}) => callApi(portal, found, operation, given),
  }
}

/** The person making a change, for the audit row. */
export const actOf = ({ request, session, agent }: SignedInCall) => ({
  surface: 'portal' as const,
  request: request.id,
  person: session.person.id,
  address: request.address,
  agent,
})

/** Whether the table allows the member to open a page or submit a form. */
export const mayOpen = (member: Membership, id: PortalRowId, mode: Mode): boolean =>
  isOpenTo(portalRows[id], mode, member)

type Caller = SignedInCall & Pick<MemberCall, 'member' | 'mode'>

async function callApi<K extends SessionOperationId>(
  { clinical }: PortalContext,
  { token, member, request, form, agent, ...caller }: Caller,
  operation: K,
  { names = {}, query = {}, body, key, organization = null, mode = caller.mode }: ApiInput,
): Promise<ApiResult<K>> {
  const search = new URLSearchParams()
  for (const [name, value] of Object.entries(query)) {
    if (value !== undefined && value !== '') search.append(name, value)
  }
  const outcome = await clinical({
    operation,
    names,
    query: search,
    body,
    idempotencyKey: key ?? form.get('once'),
    token,
    acting: { integration: member.integration, mode },
    organization,
    request: request.id,
    address: request.address,
    agent,
  })
  return 'problem' in outcome
    ? { problem: outcome.problem }
    : { problem: null, value: JSON.parse(outcome.body) as never }
}
