// Which page answers which path, and what is checked before it: the session, the membership, the
// role, the second factor; for a form also that a page of this portal made it for this browser.
import { isId, prefixes } from '#contract/ids.ts'
import { type Mode, modes } from '#contract/operation.ts'
import { Problem } from '#contract/problems.ts'
import { type PortalRow, rolesIn } from '#contract/portal/row.ts'
import { type PortalRowId, portalRowIds, portalRows } from '#contract/portal/table.ts'
import { listMemberships, type Membership } from '#auth/accounts/memberships.ts'
import type { Session } from '#auth/accounts/sessions.ts'
import { fileResponse } from '#http/html/file-response.ts'
import { formLimits } from '#http/html/form.ts'
import { ownForm } from '#http/html/own-form.ts'
import type { PlainEndpoint } from '#http/router.ts'
import type { RequestContext } from '#http/request-context.ts'
import { memberCall, type Member } from './call.ts'
import type { PortalContext } from './context.ts'
import { browserOf, cookieOf, cookieText } from '#http/origins/page-cookies.ts'
import { failurePage } from '#http/html/page-response.tsx'
import { brokenPage, notFound, problemPage, staleForm } from './failure.tsx'
import { framedPage } from './frame/frame.tsx'
import { handlers } from './handlers.ts'
import { redirectTo } from '#http/html/redirect.ts'
import { signInPath } from '#auth/accounts/handed-sign-in.ts'

/** How old a second factor may be where a fresh one is needed. */
const freshSeconds = 300

/** One endpoint for each path of the table. */
export function tableEndpoints(portal: PortalContext): PlainEndpoint[] {
  const paths = Map.groupBy(portalRowIds, id => portalRows[id].path)
  return [...paths].map(([path, ids]) => ({
    path: path.replaceAll(/\{(\w+)\}/g, ':$1'),
    answer: request => answerAt(portal, request, ids),
  }))
}

const isRead = (method: string) => method === 'GET' || method === 'HEAD'

async function answerAt(
  portal: PortalContext,
  request: RequestContext,
  ids: readonly PortalRowId[],
): Promise<Response> {
  request.settings = { surface: 'site', bodyLimits: formLimits }
  const { method } = request.request
  const id = ids.find(id => portalRows[id].method === (isRead(method) ? 'GET' : method))
  if (id === undefined) return methodRefused(portal, request, ids)
  try {
    return await answerRow(portal, request, id)
  } catch (failure) {
    if (failure instanceof Problem) return problemPage(portal, failure, request.id)
    portal.onError(failure, request.id)
    return brokenPage(portal, request.id)
  }
}

function methodRefused(
  portal: PortalContext,
  request: RequestContext,
  ids: readonly PortalRowId[],
): Response {
  request.closesConnection = request.request.body !== null
  const allow = ids.flatMap(id => (portalRows[id].method === 'GET' ? ['GET', 'HEAD'] : ['POST']))
  return failurePage(portal, {
    status: 405,
    title: 'This page does not answer that method',
    text: `It answers ${allow.join(', ')}.`,
    headers: { allow: allow.join(', ') },
  })
}

type Asked = {
  readonly row: PortalRow
  readonly id: PortalRowId
  readonly mode: Mode
  /** The page to come back to: this one, or that of the form. */
  readonly back: string
}

async function answerRow(
  portal: PortalContext,
  request: RequestContext,
  id: PortalRowId,
): Promise<Response> {
  const row: PortalRow = portalRows[id]
  const mode = modes.find(one => one === request.params['mode']) ?? 'test'
  const asked: Asked = { row, id, mode, back: backOf(row, request) }
  const token = cookieOf(request, portal.own, 'session')
  const session = token === null ? null : await portal.sessions.find(token)
  if (session === null || token === null) return redirectTo(signInPath(asked.back))
  const found = await membershipOf(portal, request, session)
  if (found === undefined || hasUnknownMode(row, request)) return notFound(portal)
  const member: Member = { ...found, session, token, mode, browser: browserOf(request, portal) }
  const refused = refusedRole(portal, asked, member) ?? staleFactor(asked, session)
  if (refused !== undefined) return refused
  return row.method === 'GET'
    ? show(portal, request, asked, member)
    : receive(portal, request, asked, member)
}

/** A form's own address answers no GET, so its page is shown instead. */
function backOf(row: PortalRow, { params, path, search }: RequestContext): string {
  if (row.method === 'GET') return path + (search === '' ? '' : `?${search.replace(/^\?/, '')}`)
  return (row.page ?? row.path).replaceAll(/\{(\w+)\}/g, (_, name: string) => params[name] ?? '')
}

const hasUnknownMode = (row: PortalRow, { params }: RequestContext) =>
  row.path.includes('{mode}') && !modes.some(one => one === params['mode'])

async function membershipOf(
  { pool }: PortalContext,
  { params }: RequestContext,
  { person }: Session,
): Promise<{ member: Membership; memberships: Membership[] } | undefined> {
  const integration = params['integration'] ?? ''
  if (!isId(prefixes.integration, integration)) return undefined
  const memberships = await listMemberships(pool, person.id, [])
  const member = memberships.find(one => one.integration === integration)
  return member && { member, memberships }
}

function refusedRole(
  portal: PortalContext,
  { row, mode, back }: Asked,
  { member }: Member,
): Response | undefined {
  const roles = rolesIn(row, mode)
  if (roles.includes(member.role)) return undefined
  // A page that only test mode has leads to the home page of live mode.
  if (roles.length === 0 && row.method === 'GET') {
    return redirectTo(`/${member.integration}/${mode}`)
  }
  if (roles.length === 0) {
    return failurePage(portal, {
      status: 403,
      title: `${row.title}: only in test mode`,
      text: 'Live mode has no sandbox: its patients and clinicians are real.',
      next: { href: `/${member.integration}/test`, label: 'Go to test mode' },
    })
  }
  const [first = '', ...others] = roles
  const who =
    others.length === 0
      ? `an ${first}`
      : `${[first, ...others.slice(0, -1)].join(', ')} or ${others.at(-1)}`
  return failurePage(portal, {
    status: 403,
    title: `${row.title}: not with your role`,
    text: `You are ${member.role} of ${member.name}. This needs ${who}; ask an owner.`,
    next: {
      href: row.method === 'GET' ? `/${member.integration}/${mode}` : back,
      label: 'Go back',
    },
  })
}

/** Leads to the second factor, and back to the page. */
function staleFactor({ row, mode, back }: Asked, session: Session): Response | undefined {
  if (row.factor === undefined) return undefined
  const age = session.secondFactorSeconds
  const needsFresh = row.factor === 'fresh' || mode === 'live'
  const isProven = age !== null && (!needsFresh || age <= freshSeconds)
  return isProven ? undefined : redirectTo(signInPath(back, true))
}

async function show(
  portal: PortalContext,
  request: RequestContext,
  { id }: Asked,
  member: Member,
): Promise<Response> {
  const call = memberCall(portal, request, id, member, new URLSearchParams())
  return respond(portal, call, member, await handlers[id](portal, call))
}

async function receive(
  portal: PortalContext,
  request: RequestContext,
  { id, back }: Asked,
  member: Member,
): Promise<Response> {
  const { value, isNew } = member.browser
  const form = await ownForm(portal, request, {
    browser: isNew ? null : value,
    session: member.session.id,
  })
  if (form === null) return staleForm(portal, back)
  const call = memberCall(portal, request, id, member, form)
  return respond(portal, call, member, await handlers[id](portal, call))
}

function respond(
  portal: PortalContext,
  call: ReturnType<typeof memberCall>,
  { browser }: Member,
  answer: Awaited<ReturnType<(typeof handlers)[PortalRowId]>>,
): Response {
  const cookies = browser.isNew ? [cookieText(portal.own, 'form', browser.value)] : []
  if ('file' in answer) return fileResponse(answer.file, cookies)
  return 'redirect' in answer
    ? redirectTo(answer.redirect, cookies)
    : framedPage(portal, call, answer, cookies)
}
