// One request of a member: what a handler may ask of it.
import type { Mode } from '#contract/operation.ts'
import type { SessionOperationId } from '#contract/portal/reads.ts'
import { rolesIn } from '#contract/portal/row.ts'
import { type PortalRowId, portalRows } from '#contract/portal/table.ts'
import type { Membership } from '#auth/accounts/memberships.ts'
import type { Session } from '#auth/accounts/sessions.ts'
import { formTokenOf } from '#http/html/form-token.ts'
import { address } from '#http/html/markup.ts'
import type { RequestContext } from '#http/request-context.ts'
import type { FormBrowser } from '#http/origins/page-cookies.ts'
import type { ApiInput, ApiResult, MemberCall, PortalContext, Query } from './context.ts'

export type Member = {
  readonly session: Session
  readonly token: string
  readonly member: Membership
  readonly memberships: readonly Membership[]
  readonly mode: Mode
  readonly browser: FormBrowser
}

const agentLengthMax = 256

export function memberCall(
  portal: PortalContext,
  request: RequestContext,
  row: PortalRowId,
  { browser, ...found }: Member,
  form: URLSearchParams,
): MemberCall {
  const { session, member, mode } = found
  const act = actOf(request, session)
  return {
    ...found,
    row,
    request,
    names: request.params,
    query: request.url.searchParams,
    form,
    pathOf: (id, names = {}, query = {}) =>
      pathOf(id, { ...names, integration: member.integration, mode }, query),
    formToken: path =>
      formTokenOf(portal.hmac, { browser: browser.value, session: session.id, path }),
    once: () => Buffer.from(portal.randomBytes(18)).toString('base64url'),
    act,
    api: (operation, given = {}) =>
      callApi(portal, { ...found, request, form, agent: act.agent }, operation, given),
  }
}

/** Who asks for a change, for its audit row. */
export const actOf = (request: RequestContext, { person }: Session) => ({
  surface: 'portal' as const,
  request: request.id,
  person: person.id,
  address: request.address,
  agent: request.request.headers.get('user-agent')?.slice(0, agentLengthMax) ?? null,
})

/** Whether the table lets the member see a page or send a form. */
export const mayOpen = ({ role }: Membership, id: PortalRowId, mode: Mode): boolean =>
  rolesIn(portalRows[id], mode).includes(role)

export const pathOf = (
  id: PortalRowId,
  names: Readonly<Record<string, string>>,
  query: Query = {},
): string =>
  address(
    portalRows[id].path.replaceAll(/\{(\w+)\}/g, (_, name: string) =>
      encodeURIComponent(names[name] ?? ''),
    ),
    query,
  )

type Caller = Pick<MemberCall, 'token' | 'member' | 'mode' | 'request' | 'form'> & {
  readonly agent: string | null
}

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
