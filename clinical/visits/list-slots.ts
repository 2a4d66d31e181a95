import type { Input } from '#contract/api.ts'
import { limits } from '#contract/limits.ts'
import type { Fault } from '#contract/faults.ts'
import { invalid } from '#contract/problems.ts'
import { sql, type Statement } from '#database/sql.ts'
import { type Call, read, tenantOf } from '../pipeline/handler.ts'
import { paging } from '../pipeline/pages.ts'
import { sharesClinicians } from '../modes.ts'
import { clinicianOf } from './clinician.ts'
import { dayMilliseconds, lastBookable, type Slot, slotsIn } from './slots.ts'

const windowMilliseconds = limits.slotWindowDays * dayMilliseconds

/** The requested window without its past part. */
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

/** The JSON of a slot for the statement. Slots are cached objects, so it is made once for each. */
function offerOf(slot: Slot): string {
  let offer = offers.get(slot)
  if (offer === undefined) {
    const { id, starts_at, ends_at } = slot
    offer = JSON.stringify({ id, starts_at, ends_at, item: JSON.stringify(slot) })
    offers.set(slot, offer)
  }
  return offer
}

/** Whether the clinician is in no visit at slot `s`. In live also none that another integration of
 *  the clinic booked, of which this caller may see the time alone. */
function isFree(call: Call<'listSlots'>, state: string, slots: readonly Slot[]): Statement {
  const clinician = clinicianOf(state)
  if (sharesClinicians(call.principal.mode)) {
    const earliest = slots[0]?.starts_at ?? '-infinity'
    const latest = slots.at(-1)?.ends_at ?? '-infinity'
    return sql`
      not tstzrange(s.starts_at, s.ends_at) && any (array(
        select taken from taken_times(${clinician}, ${earliest}::timestamptz,
                                      ${latest}::timestamptz) taken))`
  }
  return sql`
    not exists (
      select from visits v
       where v.tenant = ${tenantOf(call)} and v.clinician = ${clinician}
         and v.status in ('scheduled', 'started')
         and tstzrange(v.starts_at, v.ends_at) && tstzrange(s.starts_at, s.ends_at))`
}

/** The slots of the template that are free. A slot that starts now is past, so the first one is
 *  later. */
export const listSlots = read('listSlots', (call, input) => {
  const { from, to } = windowOf(input, call.now)
  const end = Math.min(to, lastBookable(call.now) + 1)
  const slots = slotsIn(input.state, Math.max(from, call.now + 1), end)
  const offered = slots.map(offerOf)
  return {
    rows: sql`
      select s.id, s.item
        from json_to_recordset(${`[${offered.join(',')}]`}::text::json)
             as s (id text collate "C", starts_at timestamptz, ends_at timestamptz, item text)
       where ${isFree(call, input.state, slots)}
       ${paging(input, { id: sql`s.id` })}`,
  }
})
