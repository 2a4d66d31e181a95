// Books once for a form that was sent twice, such as by a double click. The form carries a random
// value that only its visitor has, so a client that sends the value again gets the first response,
// with the link to the call. Anyone else who sends the same address learns nothing.
import type { BookingAnswer } from '../booking-service.ts'
import { awaitOnce } from '../idempotency/await-once.ts'
import type { IdempotencyStore } from '../idempotency/store.ts'

type SentForm = { readonly once: string; readonly email: string }

/** Text of the shape that `newOnce` (http/pages/form.ts) returns. */
const onceShape = /^[\w-]{24}$/

/** Makes a new booking if the form's value isn't valid, or was sent with another email before. */
export async function bookOnce(
  store: IdempotencyStore,
  { once, email }: SentForm,
  book: () => Promise<BookingAnswer>,
): Promise<BookingAnswer> {
  if (!onceShape.test(once)) return book()
  const call = { scope: 'booking page', key: once, content: email.trim().toLowerCase() }
  const work = async () => {
    const answer = await book()
    const isNew = answer.kind === 'booked' && !answer.replayed
    return { status: isNew ? 200 : 409, body: JSON.stringify(answer) }
  }
  const outcome = await awaitOnce(store, call, work)
  return outcome.kind === 'answered' ? (JSON.parse(outcome.answer.body) as BookingAnswer) : book()
}
