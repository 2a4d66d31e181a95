// One request of a member of staff: what a handler may ask of it.
import type { ConsoleId } from '#contract/console.ts'
import { consoleLimits } from '#contract/console/row.ts'
import { type ConsolePageId, consolePages } from '#contract/console/table.ts'
import type { Session } from '#auth/accounts/sessions.ts'
import type { StaffMembership } from '#auth/clinics/staff-memberships.ts'
import type { StaffCalls } from '#clinical/staff-calls.ts'
import { formTokenOf } from '#http/html/form-token.ts'
import { address } from '#http/html/markup.ts'
import type { FormBrowser } from '#http/origins/page-cookies.ts'
import type { RequestContext } from '#http/request-context.ts'
import type { ConsoleCall, ConsoleContext, OperationInput, Query } from './context.ts'

export type Member = Pick<ConsoleCall, 'session' | 'token' | 'staff' | 'memberships'> & {
  readonly browser: FormBrowser
}

const agentLengthMax = 256

export function consoleCall(
  context: ConsoleContext,
  request: RequestContext,
  row: ConsolePageId,
  { browser, ...member }: Member,
  form: URLSearchParams,
): ConsoleCall {
  const { session, staff } = member
  const agent = request.request.headers.get('user-agent')?.slice(0, agentLengthMax) ?? null
  const caller = { ...member, request, form, agent }
  return {
    ...member,
    row,
    request,
    names: request.params,
    query: request.url.searchParams,
    form,
    isFactorFresh: isFactorFresh(session),
    pathOf: (id, names = {}, query = {}) =>
      pathOf(id, { ...names, organization: staff.organization }, query),
    mayOpen: id => mayOpen(staff, id),
    formToken: path =>
      formTokenOf(context.hmac, { browser: browser.value, session: session.id, path }),
    once: () => Buffer.from(context.randomBytes(18)).toString('base64url'),
    act: {
      surface: 'console',
      request: request.id,
      person: session.person.id,
      organization: staff.organization,
      address: request.address,
      agent,
    },
    async perform(operation, given = {}) {
      const outcome = await send(context, caller, operation, given)
      return 'problem' in outcome
        ? { problem: outcome.problem }
        : { problem: null, value: JSON.parse(outcome.body) as never }
    },
    async open(operation, given = {}) {
      const outcome = await send(context, caller, operation, given)
      if ('problem' in outcome) return outcome.problem
      if (outcome.bytes === undefined) throw new Error(`${operation} answers with no bytes`)
      return outcome.bytes.open()
    },
  }
}

export const isFactorFresh = ({ secondFactorSeconds: age }: Session): boolean =>
  age !== null && age <= consoleLimits.signatureMinutes * 60

/** Whether the table lets a member of staff open a page or send a form. */
export const mayOpen = ({ roles }: StaffMembership, id: ConsolePageId): boolean =>
  consolePages[id].roles.some(role => roles.includes(role))

export const pathOf = (
  id: ConsolePageId,
  names: Readonly<Record<string, string>>,
  query: Query = {},
): string =>
  address(
    consolePages[id].path.replaceAll(/\{(\w+)\}/g, (_, name: string) =>
      encodeURIComponent(names[name] ?? ''),
    ),
    query,
  )

type Caller = Pick<ConsoleCall, 'token' | 'staff' | 'request' | 'form'> & {
  readonly agent: string | null
}

function send(
  { staffCalls }: ConsoleContext,
  { token, staff, request, form, agent }: Caller,
  operation: ConsoleId,
  { id = request.params['id'] ?? null, query = {}, body }: OperationInput,
): ReturnType<StaffCalls> {
  const search = new URLSearchParams()
  for (const [name, value] of Object.entries(query)) {
    if (value !== undefined && value !== '') search.append(name, value)
  }
  return staffCalls({
    operation,
    id,
    query: search,
    body,
    idempotencyKey: form.get('once'),
    token,
    organization: staff.organization,
    request: request.id,
    address: request.address,
    agent,
  })
}
