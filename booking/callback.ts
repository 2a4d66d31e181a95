// Requests to be contacted: at most one open request per person per day.
import type { CallbackAnswer, CallbackRequest } from './booking-service.ts'
import { emailsAbout } from './emails.ts'
import {
  agentText,
  companyZone,
  decided,
  type BookingContext,
  newId,
  nowOf,
  dryRunId,
  run,
} from './context.ts'
import { momentOf } from './opening.ts'
import { type Person, readPerson } from './person.ts'
import { peopleQuotaOf, runCounted } from './quota.ts'
import * as statements from './statements.ts'

export async function requestCallback(
  parts: BookingContext,
  request: CallbackRequest,
): Promise<CallbackAnswer> {
  const person = readPerson(request.buyer, request.note)
  if (Array.isArray(person)) return { kind: 'invalid', faults: person }
  if (person.isReserved || parts.isDryRun) {
    const id = dryRunId('clb', person.person)
    return { kind: 'dry_run', id, replyBy: replyBy(parts, nowOf(parts)) }
  }
  return decided(() => ask(parts, request, person))
}

/** Returns null if the same person's concurrent request was stored in the meantime. */
async function ask(
  parts: BookingContext,
  request: CallbackRequest,
  person: Person,
): Promise<CallbackAnswer | null> {
  const now = nowOf(parts)
  const [open] = await run<{ id: string; created_at: string }>(
    parts,
    statements.openCallback(person.person, momentOf(now)),
  )
  if (open !== undefined) {
    const promised = replyBy(parts, Temporal.Instant.from(open.created_at))
    return { kind: 'requested', id: open.id, replyBy: promised, replayed: true }
  }
  const id = newId('clb')
  const via = { ...request.via, agent: agentText(request.via.agent) }
  const answeredBy = replyBy(parts, now)
  const { protocol, agent } = via
  const about = { ...person, slot: null, before: null, timeZone: companyZone, protocol, agent }
  const messages = emailsAbout(parts, 'callback', { ...about, replyBy: answeredBy })
  const quota = peopleQuotaOf(parts, via.address)
  const record = { id, person, via, now: momentOf(now), messages, quota }
  if (!(await runCounted(parts, statements.insertCallback(record)))) return null
  parts.wake()
  return { kind: 'requested', id, replyBy: answeredBy, replayed: false }
}

/** The end of the company's next working day. */
export function replyBy(parts: BookingContext, requestedAt: Temporal.Instant): string {
  const today = requestedAt.toZonedDateTimeISO(companyZone).toPlainDate()
  for (let days = 1; days < 60; days++) {
    const last = parts.opening.callsOn(today.add({ days })).at(-1)
    if (last) return last.end
  }
  return momentOf(requestedAt.add({ hours: 24 * 60 }))
}
