import type { Event } from '../generated/schemas/events.ts'
import type { Svc } from '../sdk.ts'

/** A minute is longer than any difference between the clocks of one platform. */
const minute = 60_000

/** Runs `work` and returns the events written during it, in order. */
export async function recordEvents(
  svc: Pick<Svc, 'events'>,
  work: () => Promise<unknown>,
): Promise<Event[]> {
  const { response } = await svc.events.list({ limit: 1 }).withResponse()
  // Uses the server's time, because this machine's clock may differ.
  const time = Date.parse(response.headers.get('date') ?? '') - minute
  const recent = { since: new Date(Number.isNaN(time) ? 0 : time).toISOString() }
  let last: Event | undefined
  for await (const event of svc.events.list(recent)) last = event
  await work()
  const query = last === undefined ? recent : { starting_after: last.id }
  const events: Event[] = []
  for await (const event of svc.events.list(query)) events.push(event)
  return events
}
