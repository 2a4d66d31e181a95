// A staff member's request: their membership, and console operations on their behalf.
import { type ConsoleId, consoleOperations } from '#contract/console/operations.ts'
import type { ConsolePage } from '#contract/console/page.ts'
import { consoleLimits, type ConsoleOperation, isOpenTo } from '#contract/console/row.ts'
import { type ConsolePageId, consolePages } from '#contract/console/table.ts'
import { isId, prefixes } from '#contract/ids.ts'
import type { Session } from '#auth/accounts/sessions.ts'
import { listStaffMemberships, type StaffMembership } from '#auth/clinics/staff-memberships.ts'
import { readWork } from '#auth/clinics/work.ts'
import type { StaffCalls } from '#clinical/staff-calls.ts'
import type { ConsoleCall, ConsoleContext, OperationInput, SignedInCall } from './context.ts'
import { listOf } from './frame/work.tsx'

/** Returns undefined if the person isn't on the clinic's staff. */
export async function staffCall(
  context: ConsoleContext,
  call: SignedInCall,
): Promise<ConsoleCall | undefined> {
  const found = await staffOf(context, call)
  if (found === undefined) return undefined
  const { session, request, agent } = call
  const { staff } = found
  const caller = { ...call, staff }
  return {
    ...call,
    ...found,
    zone: staff.zone,
    work: request.method === 'POST' ? null : await workOf(context, call, staff),
    isFactorFresh: isFactorFresh(session),
    mayOpen: id => !(id in consolePages) || mayOpen(staff, id as ConsolePageId),
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
      if (!('problem' in outcome) && isSignature(operation)) {
        await context.sessions.noteSignature(session.id)
      }
      return 'problem' in outcome
        ? { problem: outcome.problem }
        : { problem: null, value: JSON.parse(outcome.body) as never }
    },
    async open(operation, given = {}) {
      const outcome = await send(context, caller, operation, given)
      if ('problem' in outcome) return outcome.problem
      if (outcome.bytes === undefined) throw new Error(`${operation} returned no bytes`)
      return outcome.bytes.open()
    },
  }
}

/** Counts only the cases that a clinician may decide. */
const workOf = ({ pool }: ConsoleContext, call: SignedInCall, staff: StaffMembership) =>
  staff.isRecovered
    ? null
    : readWork(pool, {
        organization: staff.organization,
        person: call.session.person.id,
        states: staff.roles.includes('clinician') ? staff.states : null,
        list: listOf(call),
      })

/** The person at the clinic in the URL. */
export async function staffOf({ pool }: ConsoleContext, { names, session }: SignedInCall) {
  const { organization = '' } = names
  if (!isId(prefixes.organization, organization)) return undefined
  const memberships = await listStaffMemberships(pool, session.person.id)
  const staff = memberships.find(one => one.organization === organization)
  return staff && { staff, memberships }
}

const isFactorFresh = ({ secondFactorSeconds: age }: Session): boolean =>
  age !== null && age <= consoleLimits.signatureMinutes * 60

/** Whether the table allows a staff member to open a page or submit a form. */
export const mayOpen = (staff: StaffMembership, id: ConsolePageId): boolean =>
  isOpenTo(consolePages[id] as ConsolePage, staff)

const isSignature = (operation: ConsoleId) =>
  (consoleOperations[operation] as ConsoleOperation).isSignature === true

type Caller = SignedInCall & Pick<ConsoleCall, 'staff'>

function send(
  { staffCalls }: ConsoleContext,
  { token, staff, request, form, agent }: Caller,
  operation: ConsoleId,
  { id = request.params['id'] ?? null, query = {}, body, once = form.get('once') }: OperationInput,
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
    idempotencyKey: once,
    token,
    organization: staff.organization,
    request: request.id,
    address: request.address,
    agent,
  })
}
