// Which page answers which path, and what is checked before it: the session, the clinic, the role,
// the second factor; for a form also that a page of this console made it for this browser.
import { isId, prefixes } from '#contract/ids.ts'
import { Problem } from '#contract/problems.ts'
import type { ConsolePage } from '#contract/console/page.ts'
import { type ConsolePageId, consolePageIds, consolePages } from '#contract/console/table.ts'
import { signInPath } from '#auth/accounts/handed-sign-in.ts'
import type { Session } from '#auth/accounts/sessions.ts'
import { listStaffMemberships } from '#auth/clinics/staff-memberships.ts'
import { fileResponse, imageResponse } from '#http/html/file-response.ts'
import { formLimits, formOf } from '#http/html/form.ts'
import { isOwnForm } from '#http/html/own-form.ts'
import { redirectTo } from '#http/html/redirect.ts'
import { browserOf, cookieOf, cookieText } from '#http/origins/page-cookies.ts'
import type { PlainEndpoint } from '#http/router.ts'
import type { RequestContext } from '#http/request-context.ts'
import { consoleCall, isFactorFresh, mayOpen, type Member } from './call.ts'
import type { ConsoleAnswer, ConsoleCall, ConsoleContext } from './context.ts'
import { brokenPage, notFound, problemPage, staleForm } from './failure.ts'
import { framedPage } from './frame/frame.tsx'
import { handlers } from './handlers.ts'
import { lockedForm, typedFields } from './kept-form.tsx'
import { failurePage } from '#http/html/page-response.tsx'
import { notSent, withTyped } from './typed.tsx'
import { anyRoleText, rolesText } from './words.ts'

/** One endpoint for each path of the table. */
export function tableEndpoints(context: ConsoleContext): PlainEndpoint[] {
  const paths = Map.groupBy(consolePageIds, id => consolePages[id].path)
  return [...paths].map(([path, ids]) => ({
    path: path.replaceAll(/\{(\w+)\}/g, ':$1'),
    answer: request => answerAt(context, request, ids),
  }))
}

const isRead = (method: string) => method === 'GET' || method === 'HEAD'

async function answerAt(
  context: ConsoleContext,
  request: RequestContext,
  ids: readonly ConsolePageId[],
): Promise<Response> {
  request.settings = { surface: 'site', bodyLimits: formLimits }
  const { method } = request.request
  const id = ids.find(id => consolePages[id].method === (isRead(method) ? 'GET' : method))
  if (id === undefined) return methodRefused(context, request, ids)
  try {
    return await answerRow(context, request, id)
  } catch (failure) {
    if (failure instanceof Problem) return problemPage(context, failure, request.id)
    context.onError(failure, request.id)
    return brokenPage(context, request.id)
  }
}

function methodRefused(
  context: ConsoleContext,
  request: RequestContext,
  ids: readonly ConsolePageId[],
): Response {
  request.closesConnection = request.request.body !== null
  const allow = ids
    .flatMap(id => (consolePages[id].method === 'GET' ? ['GET', 'HEAD'] : ['POST']))
    .join(', ')
  return failurePage(context, {
    status: 405,
    title: 'This page does not answer that method',
    text: `It answers ${allow}.`,
    headers: { allow },
  })
}

type Asked = {
  readonly row: ConsolePage
  readonly id: ConsolePageId
  /** The page to come back to: this one, or that of the form. */
  readonly back: string
}

async function answerRow(
  context: ConsoleContext,
  request: RequestContext,
  id: ConsolePageId,
): Promise<Response> {
  const row: ConsolePage = consolePages[id]
  const asked: Asked = { row, id, back: backOf(row, request) }
  const token = cookieOf(request, context.own, 'session')
  const session = token === null ? null : await context.sessions.find(token)
  if (session === null || token === null) {
    return (await lockedForm(context, request, asked.back)) ?? redirectTo(signInPath(asked.back))
  }
  const found = await staffOf(context, request, session)
  if (found === undefined) return notFound(context)
  const member: Member = { ...found, session, token, browser: browserOf(request, context) }
  const refused = refusedRole(context, asked, member)
  if (refused !== undefined) return refused
  if (!isProven(asked, session)) {
    const kept = await lockedForm(context, request, asked.back)
    return kept ?? redirectTo(signInPath(asked.back, true))
  }
  return row.method === 'GET'
    ? show(context, request, asked, member)
    : receive(context, request, asked, member)
}

/** A form's own address answers no GET, so its page is shown instead. */
function backOf(row: ConsolePage, { params, path, search }: RequestContext): string {
  if (row.method === 'GET') return path + (search === '' ? '' : `?${search.replace(/^\?/, '')}`)
  return (row.page ?? row.path).replaceAll(/\{(\w+)\}/g, (_, name: string) => params[name] ?? '')
}

async function staffOf({ pool }: ConsoleContext, { params }: RequestContext, { person }: Session) {
  const organization = params['organization'] ?? ''
  if (!isId(prefixes.organization, organization)) return undefined
  const memberships = await listStaffMemberships(pool, person.id)
  const staff = memberships.find(one => one.organization === organization)
  return staff && { staff, memberships }
}

function refusedRole(
  context: ConsoleContext,
  { row, id, back }: Asked,
  { staff }: Member,
): Response | undefined {
  if (mayOpen(staff, id)) return undefined
  return failurePage(context, {
    status: 403,
    title: `${row.title}: not with your role`,
    text: `You are ${rolesText(staff.roles)} of ${staff.name}. This needs ${anyRoleText(row.roles)}; ask an administrator of the clinic.`,
    next: { href: row.method === 'GET' ? `/${staff.organization}` : back, label: 'Go back' },
  })
}

const isProven = ({ row }: Asked, session: Session): boolean =>
  row.factor === 'fresh' ? isFactorFresh(session) : session.secondFactorSeconds !== null

async function show(
  context: ConsoleContext,
  request: RequestContext,
  { id }: Asked,
  member: Member,
): Promise<Response> {
  const call = consoleCall(context, request, id, member, new URLSearchParams())
  return respond(context, call, member, await handlers[id](context, call))
}

async function receive(
  context: ConsoleContext,
  request: RequestContext,
  { id, row, back }: Asked,
  member: Member,
): Promise<Response> {
  const { value, isNew } = member.browser
  const form = await formOf(request)
  const sender = { browser: isNew ? null : value, session: member.session.id }
  if (!isOwnForm(context, request, form, sender)) {
    const page = pageOf(row)
    const typed = typedFields(context, request, form)
    if (typed === null || page === undefined || !mayOpen(member.staff, page))
      return staleForm(context, back)
    const call = consoleCall(context, request, id, member, typed)
    const answer = notSent(call, await handlers[page](context, call))
    return respond(context, call, member, withTyped(call, answer))
  }
  const call = consoleCall(context, request, id, member, form)
  return respond(context, call, member, withTyped(call, await handlers[id](context, call)))
}

/** The page on which the form of a row stands. */
const pageOf = ({ page, path }: ConsolePage): ConsolePageId | undefined =>
  consolePageIds.find(id => {
    const row: ConsolePage = consolePages[id]
    return row.method === 'GET' && row.path === (page ?? path)
  })

function respond(
  context: ConsoleContext,
  call: ConsoleCall,
  { browser }: Member,
  answer: ConsoleAnswer,
): Response {
  const cookies = browser.isNew ? [cookieText(context.own, 'form', browser.value)] : []
  if ('file' in answer) return fileResponse(answer.file, cookies)
  if ('image' in answer) return imageResponse(answer.image, 'image/webp', cookies)
  return 'redirect' in answer
    ? redirectTo(answer.redirect, cookies)
    : framedPage(context, call, answer, cookies)
}
