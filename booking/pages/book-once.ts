// Books once for a form that was sent twice, such as by a double click. The form carries a random
// value that only its visitor has, so a client that sends the value again gets the first response,
// with the link to the call. Anyone else who sends the same address learns nothing.
import type { BookingAnswer } from '../booking-service.ts'
import type { IdempotencyStore } from '../idempotency/store.ts'

type SentForm = { readonly once: string; readonly email: string }

/** A booking takes a few milliseconds, so a waiting request polls often. */
const waitMilliseconds = 20
const waitMillisecondsMax = 3000

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
  for (let waited = 0; waited < waitMillisecondsMax; waited += waitMilliseconds) {
    const outcome = await store.once(call, work)
    if (outcome.kind === 'answered') return JSON.parse(outcome.answer.body) as BookingAnswer
    if (outcome.kind === 'conflict') break
    await Bun.sleep(waitMilliseconds)
  }
  return book()
}
