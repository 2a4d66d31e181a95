// The pages that confirm a picked time, for a new call or to move an existing one.
import { say } from '#content/consent.ts'
import company from '#content/site.config.ts'
import type { Slot } from '#contract/site/discovery-call.ts'
import type { Fault, Field } from '../booking-service.ts'
import { lengths } from '../person.ts'
import { dayText, momentText, timeInZone } from '#http/html/times.ts'
import { address, linked, markup, type Markup } from '#http/html/markup.ts'
import { hidden, refusalText, type TimeRefusal } from './times-page.ts'

export type BookingForm = {
  readonly firstName: string
  readonly email: string
  readonly note: string
}

export type ConfirmView = {
  readonly start: string
  readonly timeZone: string
  /** A value that makes sending the form twice harmless. */
  readonly once: string
  readonly entered: BookingForm
  readonly faults: readonly Fault[]
  /** Why the time can't be booked, with the free times nearest to it. Null if it can. */
  readonly unavailable: {
    readonly reason: TimeRefusal
    readonly alternatives: readonly Slot[]
  } | null
  /** Whether too many people were booked from this network. */
  readonly isLimited: boolean
}

export function confirmPage(view: ConfirmView): { title: string; body: Markup } {
  const { start, timeZone, once, entered, faults, unavailable, isLimited } = view
  const title = unavailable === null ? 'Book this time' : refusalText(unavailable.reason)
  const isBookable = unavailable?.alternatives.length !== 0
  const body = markup`<div class="frame booking">
    <header class="booking-head"><h1>${title}</h1></header>
    ${unavailable === null ? picked(start, timeZone) : null}
    ${isLimited ? limited : summary(faults)}
    <form class="booking-form" method="post" action="/booking/confirm"
      toolname="book_discovery_call" tooldescription="${toolText}">
      ${unavailable === null ? hidden('start', start) : choices(unavailable.alternatives, timeZone)}
      ${hidden('timezone', timeZone)}${hidden('once', once)}
      ${fields(entered, faults)}
      <div class="booking-terms">
        <p>${linked(say('privacy'), company.site)}</p>
        <p>${say('not_medical')}</p>
      </div>
      <p class="booking-actions">
        ${isBookable ? markup`<button class="button">Book call</button>` : null}
        <a href="${address('/booking/times', { timezone: timeZone })}">Pick another time</a>
      </p>
    </form>
  </div>`
  return { title, body }
}

/** Lets an assistant in the browser (WebMCP) fill in the form. The person submits the form. */
const toolText = `Books this time for a free ${company.booking.minutes}-minute call. Ask the person first: “${say('ask')}”`

const fields = (entered: BookingForm, faults: readonly Fault[]): Markup => markup`
      ${field(
        'first_name',
        'First name',
        faults,
        attributes =>
          markup`<input
            name="first_name"
            value="${entered.firstName}"
            autocomplete="given-name"
            required
            maxlength="${lengths.first_name}"
            ${attributes}
          />`,
      )}
      ${field(
        'email',
        'Email',
        faults,
        attributes =>
          markup`<input
            name="email"
            type="email"
            value="${entered.email}"
            autocomplete="email"
            required
            maxlength="${lengths.email}"
            ${attributes}
          />`,
        'We’ll send the invitation here.',
      )}
      ${field(
        'note',
        'What would you like to talk about? (optional)',
        faults,
        attributes =>
          markup`<textarea name="note" rows="3" maxlength="${lengths.note}" ${attributes}>
${entered.note}</textarea>`,
        say('no_health'),
      )}`

export const picked = (start: string, timeZone: string): Markup =>
  markup`<p class="booking-when">
    <time datetime="${start}" data-zone="${timeZone}"
      ><strong>${timeInZone(start, timeZone)}</strong>
      <span>${dayText(start, timeZone)}</span></time
    >
    <span class="fine">${company.booking.minutes} minutes. ${company.booking.place}</span>
  </p>`

function choices(slots: readonly Slot[], timeZone: string): Markup | null {
  if (slots.length === 0) return null
  const rows = slots.map(
    ({ start }, at) =>
      markup`<li>
        <input
          type="radio"
          id="start-${at}"
          name="start"
          value="${start}"
          required${at === 0 ? markup` checked` : null}
        />
        <label for="start-${at}">${momentText(start, timeZone)}</label>
      </li>`,
  )
  return markup`<fieldset class="choices">
    <legend>Nearest free times</legend>
    <ul>
      ${rows}
    </ul>
  </fieldset>`
}

const limited = markup`<div class="booking-faults" role="alert">
  <p>Too many bookings from this network. We booked nothing.</p>
  <p>
    Try again in an hour, or email
    <a href="mailto:${company.email.sales}">${company.email.sales}</a>.
  </p>
</div>`

type FormField = 'first_name' | 'email' | 'note'

const fieldNames: Readonly<Record<FormField, string>> = {
  first_name: 'First name',
  email: 'Email',
  note: 'Note',
}

const isFormField = (field: Field): field is FormField => Object.hasOwn(fieldNames, field)

/** How to fix a field, for the person who fills in the form. A fault's own detail is for
 *  programs. */
function fixOf(field: FormField, { code }: Fault): string {
  if (code === 'too_long') return `Use at most ${lengths[field]} characters.`
  if (field === 'first_name') {
    return code === 'required'
      ? 'Enter your first name.'
      : 'Enter a name, without an address or a link.'
  }
  return code === 'required'
    ? 'Enter your email address.'
    : 'Enter a valid email address, such as ada@example.com.'
}

function summary(faults: readonly Fault[]): Markup | null {
  if (faults.length === 0) return null
  const lines = faults.map(fault => {
    const { field, detail } = fault
    return isFormField(field)
      ? markup`<li><a href="#${field}">${fieldNames[field]}</a>: ${fixOf(field, fault)}</li>`
      : markup`<li>${field} ${detail}</li>`
  })
  return markup`<div class="booking-faults" role="alert">
    <p>Not booked yet:</p>
    <ul>
      ${lines}
    </ul>
  </div>`
}

function field(
  name: FormField,
  label: string,
  faults: readonly Fault[],
  control: (attributes: Markup) => Markup,
  hint?: string,
): Markup {
  const fault = faults.find(one => one.field === name)
  const notes = [hint && `${name}-hint`, fault && `${name}-fault`].filter(Boolean).join(' ')
  const attributes = markup` id="${name}"${notes === '' ? null : markup` aria-describedby="${notes}"`}${
    fault ? markup` aria-invalid="true"` : null
  }`
  return markup`<div class="field">
    <label for="${name}">${label}</label>
    ${hint === undefined ? null : markup`<p class="hint" id="${name}-hint">${hint}</p>`}
    ${fault ? markup`<p class="fault" id="${name}-fault">${fixOf(name, fault)}</p>` : null}
    ${control(attributes)}
  </div>`
}

/** Confirms the time of an existing call. */
export function movePage(
  { start, timeZone, key }: { start: string; timeZone: string; key: string },
  before: Slot | null,
): { title: string; body: Markup } {
  const title = before === null ? 'Book this time?' : 'Reschedule the call?'
  const body = markup`<div class="frame booking">
    <header class="booking-head"><h1>${title}</h1></header>
    ${picked(start, timeZone)}
    ${before === null ? null : markup`<p>This replaces ${momentText(before.start, timeZone)}. We’ll send a new invitation.</p>`}
    <form class="booking-form" method="post" action="${address('/booking/confirm', { key })}">
      ${hidden('start', start)}${hidden('timezone', timeZone)}${hidden('key', key)}
      <p class="booking-actions">
        <button class="button">${before === null ? 'Book call' : 'Reschedule'}</button>
        <a href="${address('/booking/times', { timezone: timeZone, key })}">Pick another time</a>
      </p>
    </form>
  </div>`
  return { title, body }
}
