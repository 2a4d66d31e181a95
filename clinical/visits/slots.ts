// The weekly template as one state's slots: a pure computation, not stored. Only the database knows
// which slots are taken.

import { dayMilliseconds, minuteMilliseconds } from '#contract/moments.ts'
import { limits } from '#contract/limits.ts'
import { momentOf, randomHalf } from '#contract/ids.ts'
import { LRUCache } from 'lru-cache'
import { momentText } from '#database/clock.ts'
import { momentsOf, localTimeAt, zoneOf } from './time-zones.ts'

export type Slot = {
  readonly id: string
  readonly state: string
  readonly time_zone: string
  readonly starts_at: string
  readonly ends_at: string
}

const officeHours = [9, 10, 11, 13, 14, 15, 16]
const lateHours = [...officeHours, 17, 18]

/** The local hours when a visit may start, by weekday, Sunday first. */
const template: readonly (readonly number[])[] = [
  [],
  officeHours,
  lateHours,
  officeHours,
  lateHours,
  officeHours,
  [10, 11, 12],
]

const slotMilliseconds = limits.slotMinutes * minuteMilliseconds

const idSuffixes = new Map<string, string>()
/** Returns the second half of a state's slot IDs, so a start time has a different ID in each state.
 */
function idSuffixOf(state: string): string {
  let half = idSuffixes.get(state)
  if (!half) {
    half = randomHalf(new Bun.CryptoHasher('sha256').update(state).digest())
    idSuffixes.set(state, half)
  }
  return half
}

function slotAt(state: string, time_zone: string, start: number): Slot {
  return {
    id: `slot_${momentOf(start)}${idSuffixOf(state)}`,
    state,
    time_zone,
    starts_at: momentText(start),
    ends_at: momentText(start + slotMilliseconds),
  }
}

/** Returns a state's slot, whether or not it's in the template. */
export const slotOf = (state: string, start: number): Slot => slotAt(state, zoneOf(state), start)

/** The end of every slot ID in a state. */
export const slotSuffix = idSuffixOf

type Start = { readonly start: number; readonly slot: Slot }

/** Enough for all states' bookable days, and the same number of past days. */
const daysMax = 10_000
const days = new LRUCache<string, readonly Start[]>({ max: daysMax })

/** Returns a local day's slots, cached because the template and the time zone rules are constant
 *  while the process runs, and evaluating the rules is the most expensive part. */
function startsOn(state: string, zone: string, date: number): readonly Start[] {
  const key = `${state} ${date}`
  const cached = days.get(key)
  if (cached !== undefined) return cached
  const local = new Date(date)
  const hours = template[local.getUTCDay()] ?? []
  const moments = momentsOf(
    zone,
    [local.getUTCFullYear(), local.getUTCMonth() + 1, local.getUTCDate()],
    hours.map(hour => hour * 60),
  )
  const starts = moments.map(start => ({ start, slot: Object.freeze(slotAt(state, zone, start)) }))
  days.set(key, starts)
  return starts
}

/** Returns a state's slots in [from, to), milliseconds since 1970, ascending. */
export function slotsIn(state: string, from: number, to: number): Slot[] {
  const zone = zoneOf(state)
  const { year, month, day } = localTimeAt(zone, from)
  const slots: Slot[] = []
  // A local day may start up to a day before or after the same day in UTC.
  for (let date = Date.UTC(year, month - 1, day); date < to + dayMilliseconds;) {
    for (const { start, slot } of startsOn(state, zone, date)) {
      if (start >= from && start < to) slots.push(slot)
    }
    date += dayMilliseconds
  }
  return slots
}

/** The latest start time that can be booked now. */
export const lastBookable = (now: number): number => now + limits.bookableDays * dayMilliseconds

/** Why a start time can't be booked, whether or not it's taken. */
export type Unbookable = 'past' | 'too_far' | 'no_slot'

/** Returns a state's slot that starts exactly at `starts_at`, free or not, or the reason there's
 *  none. */
export function bookableAt(state: string, starts_at: string, now: number): Slot | Unbookable {
  const start = Date.parse(starts_at)
  if (start <= now) return 'past'
  if (start > lastBookable(now)) return 'too_far'
  return slotsIn(state, start, start + 1)[0] ?? 'no_slot'
}
