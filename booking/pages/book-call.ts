// Books a call with the confirm form, and shows the form again with its entries if it can't.
import { consentVersion } from '#content/consent.ts'
import { Problem } from '#contract/problems.ts'
import { address } from '#http/html/markup.ts'
import { newOnce } from '#http/pages/form.ts'
import type { BookingAnswer } from '../booking-service.ts'
import { noStore } from '../idempotency/store.ts'
import { isReservedEmail } from '../person.ts'
import { bookOnce } from './book-once.ts'
import { dryRunPage, existingCallPage, helpPage, pickedPage } from './call-pages.ts'
import { type BookingForm, confirmPage, type ConfirmView } from './confirm-page.ts'
import {
  dryRunHeader,
  type PageParts,
  seeOther,
  show,
  startIn,
  type Values,
  zoneIn,
} from './page-parts.ts'

type PickedTime = { readonly start: string; readonly timeZone: string }

type FormView = Partial<Pick<ConfirmView, 'entered' | 'faults' | 'unavailable' | 'isLimited'>>

const nothingEntered: BookingForm = { firstName: '', email: '', note: '' }

/** The confirm form's page. */
export const formPage = ({ randomBytes }: PageParts, picked: PickedTime, more: FormView = {}) =>
  confirmPage({
    ...picked,
    once: newOnce(randomBytes),
    entered: nothingEntered,
    faults: [],
    unavailable: null,
    isLimited: false,
    ...more,
  })

export async function bookCall(
  parts: PageParts,
  values: Values,
  caller: string | null,
): Promise<Response> {
  const timeZone = zoneIn(values)
  const start = startIn(values)
  if (start === null) return seeOther(address('/booking/times', { timezone: timeZone }))
  const text = (name: string) => values.get(name) ?? ''
  const entered = { firstName: text('first_name'), email: text('email'), note: text('note') }
  const picked = { start, timeZone }
  const store = isReservedEmail(entered.email) ? noStore : parts.idempotencyStore
  const book = () => send(parts, picked, entered, caller)
  const answered = bookOnce(store, { once: text('once'), email: entered.email }, book)
  return answered
    .then(answer => answerPage(parts, picked, entered, answer))
    .catch((failure: unknown) => {
      if (!(failure instanceof Problem && failure.code === 'rate_limited')) throw failure
      const page = formPage(parts, picked, { entered, isLimited: true })
      return show(parts, { ...page, status: 429, headers: failure.content.headers ?? {} })
    })
}

const send = (
  { bookingService }: PageParts,
  picked: PickedTime,
  { firstName, email, note }: BookingForm,
  caller: string | null,
): Promise<BookingAnswer> =>
  bookingService.book({
    buyer: { firstName, email },
    // A browser's User-Agent reveals a lot about the person and nothing about the booking.
    via: {
      protocol: 'web',
      agent: null,
      address: caller,
      wording: consentVersion,
      consent: true,
    },
    ...picked,
    note,
  })

async function answerPage(
  parts: PageParts,
  picked: PickedTime,
  entered: BookingForm,
  answer: BookingAnswer,
): Promise<Response> {
  const { start, timeZone } = picked
  const refuse = (status: number, more: Pick<FormView, 'faults' | 'unavailable'>) =>
    show(parts, { ...formPage(parts, picked, { entered, ...more }), status })
  if (answer.kind === 'slot_taken') {
    const { kind: reason, alternatives } = answer
    return refuse(409, { unavailable: { reason, alternatives } })
  }
  if (answer.kind === 'invalid') {
    const faults = answer.faults.filter(({ code }) => code !== 'not_offered')
    if (faults.length === answer.faults.length) return refuse(422, { faults })
    const alternatives = await parts.bookingService.alternatives(start)
    return refuse(409, { faults, unavailable: { reason: 'not_offered', alternatives } })
  }
  if (answer.kind === 'dry_run') {
    return show(parts, { ...dryRunPage(answer.booking), headers: dryRunHeader })
  }
  if (answer.replayed) return show(parts, existingCallPage())
  const { slot, url } = answer.booking
  // The link is shown only to the person who requested the call, not to someone who only set the
  // call's time.
  if (url === parts.links.help)
    return show(parts, slot === null ? helpPage() : pickedPage(slot, timeZone))
  return seeOther(address('/booking/call', { key: new URL(url).searchParams.get('key') ?? '' }))
}
