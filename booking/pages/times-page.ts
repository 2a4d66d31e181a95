// The page with free times: one week, with a link for each time.
import company from '#content/site.config.ts'
import { placeName } from '#content/opening-hours.ts'
import type { Slot } from '#contract/site/discovery-call.ts'
import { dateIn, dayText, timeInZone, timeText } from '#http/html/times.ts'
import { zoneNames } from '../zones.ts'
import { address, markup, type Markup } from '#http/html/markup.ts'

/** Why a picked time can't be booked. */
const timeRefusals = {
  slot_taken: 'That time was just taken',
  not_offered: 'That time is no longer available',
} as const

export type TimeRefusal = keyof typeof timeRefusals

export const isTimeRefusal = (text: string | null): text is TimeRefusal =>
  text !== null && Object.hasOwn(timeRefusals, text)

export const refusalText = (refusal: TimeRefusal): string => timeRefusals[refusal]

type TimesView = {
  readonly slots: readonly Slot[]
  readonly timeZone: string
  /** Whether the visitor chose the time zone; if not, a script may switch to the browser's time
   *  zone. */
  readonly isChosen: boolean
  /** The first days of this page, the previous page and the next page. A page that doesn't exist
   *  has null. */
  readonly from: string
  readonly before: string | null
  readonly after: string | null
  /** The key of the call to move; undefined for a new call. */
  readonly key: string | undefined
  readonly isMoving: boolean
  /** Set after a picked time was refused. */
  readonly refused: TimeRefusal | null
}

export function timesPage(view: TimesView): { title: string; body: Markup } {
  const { timeZone, isChosen, isMoving, refused } = view
  const title = isMoving ? 'Pick another time' : 'Pick a time'
  const days = [...Map.groupBy(view.slots, slot => dateIn(slot.start, timeZone)).values()]
  const body = markup`<div class="frame booking">
    <header class="booking-head">
      <h1>${title}</h1>
      <p class="lead">
        A free ${company.booking.minutes}-minute call. Times are in
        ${placeName(timeZone)} time${isChosen ? '' : ' (ours)'}.
      </p>
    </header>
    ${
      refused === null
        ? null
        : markup`<div class="booking-faults" role="alert">
            <p>${refusalText(refused)}. Choose another.</p>
          </div>`
    }
    ${zoneForm(view)}
    ${days.length === 0 ? nothing(view) : days.map(slots => dayOf(slots, view))} ${weeks(view)}
  </div>`
  return { title, body }
}

function dayOf(slots: readonly Slot[], { timeZone, key }: TimesView): Markup {
  const [first] = slots
  const day = first === undefined ? '' : dayText(first.start, timeZone)
  const times = slots.map(({ start }) => {
    const href = address('/booking/confirm', { start, timezone: timeZone, key })
    return markup`<li>
      <a class="time" rel="nofollow" href="${href}" aria-label="${day}, ${timeInZone(start, timeZone)}"
        >${timeText(start, timeZone)}</a
      >
    </li>`
  })
  return markup`<section class="booking-day">
    <h2>${day}</h2>
    <ul class="times">
      ${times}
    </ul>
  </section>`
}

const nothing = ({ after }: TimesView): Markup =>
  markup`<p class="booking-none">
    No free times on these
    days.${
      after === null
        ? markup` Email <a href="mailto:${company.email.sales}">${company.email.sales}</a> and we’ll
            find one.`
        : null
    }
  </p>`

function weeks({ before, after, timeZone, key }: TimesView): Markup {
  const link = (from: string, label: string) =>
    markup`<a rel="nofollow" href="${address('/booking/times', { from, timezone: timeZone, key })}">${label}</a>`
  return markup`<nav class="booking-weeks" aria-label="Other days">
    ${before === null ? markup`<span></span>` : link(before, 'Earlier days')}
    ${after === null ? markup`<span></span>` : link(after, 'Later days')}
  </nav>`
}

/** Most visitors' time zones, listed before all others. */
const commonZones = [
  ['America/New_York', 'Eastern time (New York)'],
  ['America/Chicago', 'Central time (Chicago)'],
  ['America/Denver', 'Mountain time (Denver)'],
  ['America/Phoenix', 'Arizona (Phoenix)'],
  ['America/Los_Angeles', 'Pacific time (Los Angeles)'],
  ['America/Anchorage', 'Alaska (Anchorage)'],
  ['Pacific/Honolulu', 'Hawaii (Honolulu)'],
  ['UTC', 'UTC'],
] as const

function zoneForm({ timeZone, isChosen, key, from }: TimesView): Markup {
  const option = (name: string, label: string, chosen: string | null) =>
    markup`<option value="${name}" ${name === chosen ? markup` selected` : null}>${label}</option>`
  const isCommon = commonZones.some(([name]) => name === timeZone)
  const common = commonZones.map(([name, label]) => option(name, label, timeZone))
  const all = zoneNames.map(name =>
    option(name, name.replaceAll('_', ' '), isCommon ? null : timeZone),
  )
  const guessed = isChosen ? null : markup` data-zone="${timeZone}"`
  return markup`<form class="zone-form" action="/booking/times"${guessed}>
    <div class="field">
      <label for="timezone">Time zone</label>
      <select id="timezone" name="timezone">
        <optgroup label="Common">${common}</optgroup>
        <optgroup label="All">${all}</optgroup>
      </select>
    </div>
    ${hidden('from', from)}${hidden('key', key)}
    <button class="button button-quiet">Show times</button>
  </form>`
}

export const hidden = (name: string, value: string | undefined): Markup | null =>
  value === undefined ? null : markup`<input type="hidden" name="${name}" value="${value}" />`
