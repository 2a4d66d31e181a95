import { dayMilliseconds } from '#contract/moments.ts'
import type { Input } from '#contract/api.ts'
import { limits } from '#contract/limits.ts'
import { momentText } from '#database/clock.ts'
import type { Fault } from '#contract/faults.ts'
import { invalid } from '#contract/problems.ts'
import { sql, type Statement } from '#database/sql.ts'
import { type Call, read, tenantOf } from '../pipeline/handler.ts'
import { paging } from '../pipeline/pages.ts'
import { hasWorkingHours } from '../modes.ts'
import { published } from '../pipeline/publish.ts'
import { clinicianOf } from './clinician.ts'
import { earliestLive, visitLength } from './offer.ts'
import { lastBookable, type Slot, slotsIn, slotSuffix } from './slots.ts'
import { zoneOf } from './time-zones.ts'

const windowMilliseconds = limits.slotWindowDays * dayMilliseconds

/** The requested window, without the part in the past. */
function windowOf(input: Input<'listSlots'>, now: number): { from: number; to: number } {
  const from = Math.max(now, input.from === undefined ? now : Date.parse(input.from))
  const to = input.to === undefined ? from + windowMilliseconds : Date.parse(input.to)
  const fault = (code: Fault['code'], message: string) =>
    invalid([{ pointer: '?to', code, message }])
  if (to <= from) throw fault('too_small', 'to must be after from and in the future.')
  if (to - from > windowMilliseconds) {
    throw fault('too_large', `to must be at most ${limits.slotWindowDays} days after from.`)
  }
  return { from, to }
}

const offers = new WeakMap<Slot, string>()

/** Returns a slot's JSON for the statement. Slots are cached objects, so each slot's JSON is built
 *  once. */
function offerOf(slot: Slot): string {
  let offer = offers.get(slot)
  if (offer === undefined) {
    const { id, starts_at, ends_at } = slot
    offer = JSON.stringify({ id, starts_at, ends_at, item: JSON.stringify(slot) })
    offers.set(slot, offer)
  }
  return offer
}

/** Selects the template's free slots. A slot that starts now is past, so only later slots are
 *  selected. */
function ofTemplate(call: Call<'listSlots'>, state: string, from: number, end: number): Statement {
  const offered = slotsIn(state, Math.max(from, call.now + 1), end).map(offerOf)
  return sql`
    select s.id, s.item
      from json_to_recordset(${`[${offered.join(',')}]`}::text::json)
           as s (id text collate "C", starts_at timestamptz, ends_at timestamptz, item text)
     where not exists (
       select from visits v
        where v.tenant = ${tenantOf(call)} and v.clinician = ${clinicianOf(state)}
          and v.status in ('scheduled', 'started')
          and tstzrange(v.starts_at, v.ends_at) && tstzrange(s.starts_at, s.ends_at))`
}

/** Selects the times when one of the clinic's clinicians is free. */
function ofClinicians(call: Call<'listSlots'>, state: string, from: number, end: number) {
  const earliest = momentText(Math.max(from, earliestLive(call.now)))
  return sql`
    select s.id, ${published(sql`
             s.id, ${state}::text as state, ${zoneOf(state)}::text as time_zone,
             iso(s.starts_at) as starts_at, iso(s.starts_at + ${visitLength}) as ends_at`)} as item
      from (select ulid('slot', f, ${slotSuffix(state)}) collate "C" as id, f as starts_at
              from free_times(${state}, ${earliest}::timestamptz, ${momentText(end)}::timestamptz,
                              ${visitLength}) f) s
     where true`
}

export const listSlots = read('listSlots', (call, input) => {
  const { from, to } = windowOf(input, call.now)
  const end = Math.min(to, lastBookable(call.now) + 1)
  const slots = hasWorkingHours(call.principal.mode) ? ofClinicians : ofTemplate
  return {
    rows: sql`${slots(call, input.state, from, end)} ${paging(input, { id: sql`s.id` })}`,
  }
})
