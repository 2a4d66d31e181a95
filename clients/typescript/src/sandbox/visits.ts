// The in-process sandbox's video visits. Its only clinician is available on weekdays, every hour
// from 17:00 to 22:00 UTC, which is daytime in every state.

import { limits, transitions } from '../generated/sandbox.ts'
import type { Patient } from '../generated/schemas/patients.ts'
import type {
  JoinLink,
  Slot,
  State,
  Visit,
  VisitBookParams,
  VisitStatus,
} from '../generated/schemas/visits.ts'
import { timeZones } from '../generated/time-zones.ts'
import type { Handlers, Input } from './handlers.ts'
import { Refusal } from './refusal.ts'
import { idOf, type Row, type Store, textOf } from './store.ts'

type VisitRow = Visit & Row

const minute = 60_000
const hour = 60 * minute
const day = 24 * hour
const [firstHour, lastHour] = [17, 22]

function isSlot(start: number): boolean {
  const at = new Date(start)
  const isWeekday = at.getUTCDay() % 6 !== 0
  const isWorkingHour = at.getUTCHours() >= firstHour && at.getUTCHours() <= lastHour
  return start % hour === 0 && isWeekday && isWorkingHour
}

const isTaken = (store: Store, state: State, start: number, except = ''): boolean =>
  store.all<VisitRow>(
    'vis',
    one =>
      one.id !== except &&
      one.state === state &&
      ['scheduled', 'started'].includes(one.status) &&
      Date.parse(one.starts_at) === start,
  ).length > 0

const slotTimes = (start: number) => ({
  starts_at: textOf(start),
  ends_at: textOf(start + limits.slotMinutes * minute),
  join_opens_at: textOf(start - limits.joinOpensMinutesBefore * minute),
})

function slots({ store, query }: Input): Slot[] {
  const state = query['state'] as State
  const time = store.next().milliseconds
  const from = Math.max(time, Date.parse(query['from'] ?? '') || time)
  const to = Date.parse(query['to'] ?? '') || from + limits.slotWindowDays * day
  const end = Math.min(to, time + limits.bookableDays * day + 1)
  const found: Slot[] = []
  for (let start = Math.ceil(from / hour) * hour; start < end; start += hour) {
    if (!isSlot(start) || isTaken(store, state, start)) continue
    const { starts_at, ends_at } = slotTimes(start)
    const id = idOf('slot', start, Object.keys(timeZones).indexOf(state))
    found.push({ id, state, time_zone: timeZones[state], starts_at, ends_at })
  }
  return found
}

/** The times of a visit that starts at `starts_at`. Throws if no slot is available then. */
function offer(store: Store, state: State, starts_at: string, except?: string) {
  const [start, time] = [Date.parse(starts_at), store.next().milliseconds]
  const refuse = (detail: string) => new Refusal('slot_unavailable', { detail, starts_at })
  if (start <= time) throw refuse('The start is in the past.')
  if (start > time + limits.bookableDays * day) {
    throw refuse(`The start is more than ${limits.bookableDays} days ahead.`)
  }
  if (!isSlot(start)) throw refuse('This state has no slot at that time.')
  if (isTaken(store, state, start, except)) throw refuse('The slot is already taken.')
  return slotTimes(start)
}

function bookVisit({ store, body }: Input): VisitRow {
  const { patient, starts_at, case: theCase = null } = body as unknown as VisitBookParams
  const { address } = store.named<Patient & Row>('patient', patient)
  if (theCase !== null) store.named('case', theCase, patient)
  const { state } = address
  const times = offer(store, state, starts_at)
  const { text } = store.next()
  const visit = store.add<VisitRow>('vis', {
    patient,
    case: theCase,
    status: 'scheduled',
    state,
    time_zone: timeZones[state],
    ...times,
    clinician_name: 'Sandbox Clinician, MD',
    started_at: null,
    ended_at: null,
    created_at: text,
    updated_at: text,
  })
  store.event('visit.booked.v1', visit, 'scheduled', null)
  return visit
}

/** The requested visit. Throws if its status doesn't allow the operation. */
function checked({ store, path, operation }: Input): VisitRow {
  const visit = store.find<VisitRow>('vis', path['id'])
  const { from = [], says = '' } = transitions[operation] ?? {}
  if (from.includes(visit.status)) return visit
  throw new Refusal('invalid_transition', {
    detail: `${says} The status of this visit is ${visit.status}.`,
    resource: { type: 'visit', id: visit.id },
    current_status: visit.status,
    allowed_from: from.toSorted(),
  })
}

export function moveVisit(
  store: Store,
  visit: VisitRow,
  status: Exclude<VisitStatus, 'scheduled'>,
  stamp: 'started_at' | 'ended_at',
): VisitRow {
  store.event(`visit.${status}.v1`, visit, status, visit.status)
  const { text } = store.next()
  return store.change(visit, { status, [stamp]: text, updated_at: text })
}

function rescheduleVisit(input: Input): VisitRow {
  const { store, body } = input
  const starts_at = String(body['starts_at'])
  const visit = checked(input)
  if (Date.parse(starts_at) === Date.parse(visit.starts_at)) {
    const detail = 'The visit already starts at that time.'
    throw new Refusal('slot_unavailable', { detail, starts_at })
  }
  const times = offer(store, visit.state, starts_at, visit.id)
  store.event('visit.rescheduled.v1', visit, 'scheduled', 'scheduled')
  return store.change(visit, { ...times, updated_at: store.next().text })
}

function getJoinLink(input: Input): JoinLink {
  const { id, patient, join_opens_at: opens_at, ends_at } = checked(input)
  const closes = Date.parse(ends_at) + limits.joinClosesMinutesAfter * minute
  const { milliseconds: time } = input.store.next()
  if (time < Date.parse(opens_at) || time > closes) {
    const detail = 'The visit can be joined only between opens_at and closes_at.'
    throw new Refusal('join_not_open', { detail, opens_at, closes_at: textOf(closes) })
  }
  const expires_at = textOf(time + limits.joinLinkMinutes * minute)
  return { visit: id, patient, url: `http://localhost/visits/join/${id}`, expires_at }
}

export const visits: Handlers = {
  listSlots: slots,
  bookVisit,
  getVisit: ({ store, path }) => store.find('vis', path['id']),
  rescheduleVisit,
  getJoinLink,
  cancelVisit: input => moveVisit(input.store, checked(input), 'cancelled', 'ended_at'),
  startVisit: input => moveVisit(input.store, checked(input), 'started', 'started_at'),
  completeVisit(input) {
    const { store } = input
    const visit = moveVisit(store, checked(input), 'completed', 'ended_at')
    store.event('charge.created.v1', { id: store.newId('chg') }, 'pending', null)
    return visit
  },
  noShowVisit: input => moveVisit(input.store, checked(input), 'no_show', 'ended_at'),
}
