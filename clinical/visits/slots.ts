// The weekday template (contract/06, section 2), as the starts of one state: pure, recomputed at
// each look, and stored nowhere. What is taken is known to the database alone.

import { limits } from '#contract/limits.ts'
import { momentOf, randomHalf } from '#contract/ids.ts'
import { LRUCache } from 'lru-cache'
import { momentText } from '#database/clock.ts'
import { momentsOf, wallAt, zoneOf } from './time-zones.ts'

export type Slot = {
  readonly id: string
  readonly state: string
  readonly time_zone: string
  readonly starts_at: string
  readonly ends_at: string
}

const officeHours = [9, 10, 11, 13, 14, 15, 16]
const lateHours = [...officeHours, 17, 18]

/** The hours at which a visit may begin, by weekday, Sunday first. */
const template: readonly (readonly number[])[] = [
  [],
  officeHours,
  lateHours,
  officeHours,
  lateHours,
  officeHours,
  [10, 11, 12],
]

const minute = 60_000
export const dayMilliseconds = 86_400_000
const slotMilliseconds = limits.slotMinutes * minute

const halves = new Map<string, string>()
/** The second half of the ids of a state's slots, so that one start in two states is two ids. */
function halfOf(state: string): string {
  let half = halves.get(state)
  if (!half) {
    half = randomHalf(new Bun.CryptoHasher('sha256').update(state).digest())
    halves.set(state, half)
  }
  return half
}

function slotAt(state: string, time_zone: string, start: number): Slot {
  return {
    id: `slot_${momentOf(start)}${halfOf(state)}`,
    state,
    time_zone,
    starts_at: momentText(start),
    ends_at: momentText(start + slotMilliseconds),
  }
}

type Start = { readonly start: number; readonly slot: Slot }

/** All states for the days ahead, and as many that are past. */
const daysMax = 10_000
const days = new LRUCache<string, readonly Start[]>({ max: daysMax })

/** The starts of one local day. The template and the rules of time zones do not change while this
 *  runs, and asking the rules costs more than all the rest of a look. */
function startsOn(state: string, zone: string, date: number): readonly Start[] {
  const key = `${state} ${date}`
  const known = days.get(key)
  if (known !== undefined) return known
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

/** The starts of a state in [from, to), milliseconds since 1970, ascending. */
export function slotsIn(state: string, from: number, to: number): Slot[] {
  const zone = zoneOf(state)
  const { year, month, day } = wallAt(zone, from)
  const slots: Slot[] = []
  // A local day may begin up to a day before or after the same day in UTC.
  for (let date = Date.UTC(year, month - 1, day); date < to + dayMilliseconds;) {
    for (const { start, slot } of startsOn(state, zone, date)) {
      if (start >= from && start < to) slots.push(slot)
    }
    date += dayMilliseconds
  }
  return slots
}

/** The last moment at which a start that is booked now may lie. */
export const lastBookable = (now: number): number => now + limits.bookableDays * dayMilliseconds

/** Why a start cannot be booked by anybody. */
export type Unbookable = 'past' | 'too_far' | 'no_slot'

/** The slot of a state that begins at this very moment, free or not, or why there is none. */
export function bookableAt(state: string, starts_at: string, now: number): Slot | Unbookable {
  const start = Date.parse(starts_at)
  if (start <= now) return 'past'
  if (start > lastBookable(now)) return 'too_far'
  return slotsIn(state, start, start + 1)[0] ?? 'no_slot'
}
