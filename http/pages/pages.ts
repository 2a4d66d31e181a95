// Answers every row of a page table, after these checks in order: the method, the session, whether
// the module admits the person and allows the row, and the second factor; for a form, also that one
// of this origin's pages created it for this browser and session. Then the handler runs, and the
// module's frame wraps its page.
import { Problem } from '#contract/problems.ts'
import { assetResponse } from '../html/assets.ts'
import { formLimits } from '../html/form.ts'
import type { OwnOrigin } from '../origins/own-origin.ts'
import {
  browserOf,
  cookieOf,
  type CookieOrigin,
  cookieText,
  type FormBrowser,
  themeOf,
} from '../origins/page-cookies.ts'
import type { FailedRequest, HttpRequest } from '../http-request.ts'
import type { PlainEndpoint } from '../router.ts'
import {
  documentResponse,
  type Documents,
  type Failure,
  fileResponse,
  imageResponse,
  type Page,
  type PageAnswer,
  leadTo,
  redirectTo,
  type WholePage,
} from './answer.tsx'
import { callOf, type OpenCall, type PageSession, type PersonCall } from './call.ts'
import { broken, failurePage, methodRefused, noForm, refusedBy, staleForm } from './failures.tsx'
import { isOwnRequest, isOwnToken, readForm } from './form.ts'
import { lockedForm, typedFields } from './kept-form.tsx'
import { toastOf, withToast, withToastCookie } from './toast.tsx'
import { filledPath, type PageRow, type PageTable } from './table.ts'
import { notSent, withTyped } from './typed.tsx'

/** Context shared by every module with pages. */
export type PagesContext = Documents & {
  readonly own: CookieOrigin & Pick<OwnOrigin, 'origin' | 'isOwn'>
  /** Computes an HMAC under this installation's secret. */
  hmac(text: string): Uint8Array
  randomBytes(count: number): Uint8Array
  now(): number
  onError(failure: unknown, request: FailedRequest): void
}

export type PageRefusal = 'role_required' | 'not_found'

type PendingAnswer = PageAnswer | Promise<PageAnswer>
type TitledPage = Page & { readonly title: string }

/** Each row's handler, by who may open the row. */
export type PageHandlers<Rows, Context, Open, Person, Admitted> = {
  readonly [Id in keyof Rows]: (
    context: Context,
    call: Rows[Id] extends { who: 'anyone' }
      ? Open
      : Rows[Id] extends { who: 'person' }
        ? Person
        : Admitted,
  ) => PendingAnswer
}

export type PagesModule<
  Context extends PagesContext,
  Id extends string,
  S extends PageSession,
  C extends PersonCall<Id, S>,
> = {
  readonly context: Context
  readonly table: PageTable<Id>
  readonly handlers: Readonly<Record<Id, (context: Context, call: never) => PendingAnswer>>
  /** A token's session; null if the session doesn't exist or has ended. `isUse` is false for a
   *  page's own refresh (`x-refresh`), which doesn't keep an idle session alive. */
  findSession(token: string, isUse: boolean): Promise<S | null>
  /** The sign-in page, which returns to `next`. */
  signInPath(next: string): string
  /** The call, if the person may see the page; undefined if the page doesn't exist for that
   *  person. */
  admit(call: PersonCall<Id, S>): Promise<C | undefined> | C | undefined
  /** Why the person can't use the row; undefined if they can. */
  refuse(row: PageRow, call: C): PageAnswer | undefined
  /** Records that a person was refused because of their role or because the page doesn't exist for
   *  that person. If absent, refusals aren't recorded. */
  noteRefusal?(call: PersonCall<Id, S>, code: PageRefusal): Promise<void>
  /** The page that must come before the row, such as a second factor. Null if there's none. */
  stepBefore(row: PageRow, call: C): Promise<string | null> | string | null
  /** The maximum size of a form. Default: the site's limit. */
  readonly formBytesMax?: number
  /** How long to keep a form that was sent too late. If absent, the form isn't kept. */
  readonly keptMinutes?: number
  /** The document around a page. A null `call` means a failure. */
  frame(page: TitledPage, call: OpenCall<Id, S> | C | null): WholePage
  /** False for params that can't occur in the module's paths. Such a page gets a 404, with or
   *  without a session. */
  isPath?(params: Readonly<Record<string, string>>): boolean
  readonly notFound: Failure
}

// oxlint-disable-next-line typescript/no-explicit-any -- the types vary by module
type AnyModule = PagesModule<any, string, any, any>

export type Pages = {
  readonly endpoints: readonly PlainEndpoint[]
  /** Answers every other path. */
  fallback(request: HttpRequest): Response
}

export function openPages<
  Context extends PagesContext,
  Id extends string,
  S extends PageSession,
  C extends PersonCall<Id, S>,
>(given: PagesModule<Context, Id, S, C>): Pages {
  const module = given as unknown as AnyModule
  const { table, context } = given
  const assets = Object.entries(context.assets.files).map(([path, asset]): PlainEndpoint => ({
    path,
    answer: ({ method, headers }) =>
      isRead(method)
        ? assetResponse(asset, headers.get('accept-encoding'))
        : show(module, methodRefused('GET, HEAD')),
  }))
  const byPath = Map.groupBy(table.ids, id => table.rows[id].path)
  const pages = [...byPath].map(([path, ids]): PlainEndpoint => ({
    path: path.replaceAll(/\{(\w+)\}/g, ':$1'),
    answer: request => answerAt(module, request, ids),
  }))
  return { endpoints: [...assets, ...pages], fallback: () => show(module, module.notFound) }
}

const isRead = (method: string) => method === 'GET' || method === 'HEAD'

/** `sent` is set if someone is signed in, because the frame then has forms. */
function show(
  module: AnyModule,
  failure: Failure,
  sent?: Pick<FormSubmission, 'call' | 'browser'>,
) {
  const page = failurePage(failure)
  if (sent === undefined) return documentResponse(module.context, module.frame(page, null))
  return documentResponse(module.context, {
    ...module.frame({ ...page, cookies: formCookies(module, sent) }, sent.call),
    theme: themeOf(sent.call.request),
  })
}

/** The cookie that binds a page's forms, if the browser has none yet. */
const formCookies = ({ context }: AnyModule, { browser }: Pick<FormSubmission, 'browser'>) =>
  browser.isNew ? [cookieText(context.own, 'form', browser.value)] : []

const rowOf = ({ table }: AnyModule, id: string) => table.rows[id] as PageRow

async function answerAt(
  module: AnyModule,
  request: HttpRequest,
  ids: readonly string[],
): Promise<Response> {
  const { formBytesMax: bytesMax = formLimits.bytesMax } = module
  request.settings = { surface: 'site', bodyLimits: { ...formLimits, bytesMax } }
  const { method } = request
  const sent = isRead(method) ? 'GET' : method
  const id = ids.find(one => rowOf(module, one).method === sent)
  if (id === undefined) {
    const allow = ids.flatMap(one =>
      rowOf(module, one).method === 'GET' ? ['GET', 'HEAD'] : 'POST',
    )
    return show(module, methodRefused(allow.join(', ')))
  }
  const { next } = module.notFound
  try {
    return await answerRow(module, request, id)
  } catch (failure) {
    if (failure instanceof Problem) return show(module, refusedBy(failure, request.id, next))
    module.context.onError(failure, request)
    return show(module, broken(request.id, next, module.context.site.email))
  }
}

type FormSubmission = {
  readonly module: AnyModule
  readonly row: PageRow
  readonly call: OpenCall<string, PageSession>
  readonly browser: FormBrowser
}

async function answerRow(module: AnyModule, request: HttpRequest, id: string): Promise<Response> {
  const { context, table } = module
  const row = rowOf(module, id)
  if (module.isPath?.(request.params) === false) return show(module, module.notFound)
  const form = await readForm(request)
  if (form === null) return show(module, noForm)
  const browser = browserOf(request, context)
  const token = cookieOf(request, context.own, 'session')
  const session: PageSession | null =
    token === null
      ? null
      : await module.findSession(token, request.headers.get('x-refresh') === null)
  const back = backOf(row, request, form)
  const call = callOf(table, context, { row: id, request, session, token, form, back, browser })
  const sent = { module, row, call, browser }
  if (row.who === 'anyone') return handle(sent)
  if (session === null) return keptOr(sent, row.signedOut ?? module.signInPath(back))
  if (row.who === 'person') return handle(sent)
  const person = call as PersonCall<string, PageSession>
  const admitted = await module.admit(person)
  if (admitted === undefined) {
    await module.noteRefusal?.(person, 'not_found')
    return show(module, module.notFound, sent)
  }
  const refused = module.refuse(row, admitted)
  if (refused && 'failure' in refused) await module.noteRefusal?.(person, 'role_required')
  if (refused !== undefined) return respond({ ...sent, call: admitted }, refused)
  const step = await module.stepBefore(row, admitted)
  return step === null ? handle({ ...sent, call: admitted }) : keptOr(sent, step)
}

/** The page's URL. A form's own path has no GET, so its page is used instead. */
function backOf(
  { method, path, page = path, keeps = [] }: PageRow,
  request: HttpRequest,
  form: URLSearchParams,
): string {
  if (method === 'GET') return request.path + request.search
  const kept = keeps.flatMap(name => form.getAll(name).map(value => [name, value]))
  const query = kept.length === 0 ? '' : `?${new URLSearchParams(kept)}`
  return filledPath(page, request.params) + query
}

/** The page that keeps the submitted form if the module allows it; otherwise a redirect. */
function keptOr({ module, call, row }: FormSubmission, path: string): Response {
  const { context, keptMinutes: minutes } = module
  const kept =
    row.method === 'GET' || row.who !== undefined || minutes === undefined
      ? null
      : lockedForm(context, row, call, { proof: path, minutes })
  return kept === null
    ? leadTo(call.request, path)
    : documentResponse(context, module.frame(kept, null))
}

const isOwnForm = ({ module: { context }, call, browser }: FormSubmission): boolean => {
  const { request, session, form } = call
  const bound = { browser: browser.value, session: session?.id ?? null, path: request.path }
  const isOwn = !browser.isNew && isOwnRequest(context.own, request)
  return isOwn && isOwnToken(context.hmac, bound, form.get('form'))
}

async function handle(sent: FormSubmission): Promise<Response> {
  const { module, row, call } = sent
  if (row.method === 'POST' && !isOwnForm(sent)) return showAgain(sent)
  const answer = await handlerOf(module, call.row)(module.context, call as never)
  const isKept = row.method === 'POST' && module.keptMinutes !== undefined
  return respond(sent, isKept ? withTyped(call, answer, row.secrets) : answer)
}

const handlerOf = ({ handlers }: AnyModule, id: string) =>
  handlers[id] as AnyModule['handlers'][string]

/** Shows the form's page with its entries again, if the form was kept or came from this browser's
 *  earlier session. For any other form, shows that the form is out of date. */
async function showAgain(sent: FormSubmission): Promise<Response> {
  const { module, row, call } = sent
  const page = module.table.pageOf(call.row)
  const form =
    row.who !== undefined || module.keptMinutes === undefined
      ? null
      : typedFields(module.context, row, call)
  if (form === null || module.refuse(rowOf(module, page), call) !== undefined) {
    return show(module, staleForm(call.back))
  }
  const again = { ...call, form }
  const answer = await handlerOf(module, page)(module.context, again as never)
  return respond(sent, withTyped(again, notSent(again, answer)))
}

function respond({ module, call, browser }: FormSubmission, answer: PageAnswer): Response {
  if ('redirect' in answer)
    return redirectTo(answer.redirect, withToastCookie(module.context, answer))
  if ('file' in answer) return fileResponse(answer.file)
  if ('image' in answer) return imageResponse(answer.image)
  if ('failure' in answer) return show(module, answer.failure, { call, browser })
  const { context, table } = module
  const toast = toastOf(module.context, call.request)
  const cookies = [
    ...formCookies(module, { browser }),
    ...(toast === undefined ? [] : [cookieText(context.own, 'toast', null)]),
  ]
  const page = {
    ...answer,
    title: answer.title ?? rowOf(module, table.pageOf(call.row)).title,
    cookies: [...(answer.cookies ?? []), ...cookies],
  }
  const framed = { ...module.frame(page, call), theme: themeOf(call.request) }
  return documentResponse(context, withToast(framed, call, toast ?? null))
}
