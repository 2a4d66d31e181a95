import { consentVersion, say } from '#content/consent.ts'
import { confirmationOf, dryRunNotice } from '#booking/confirmation.ts'
import type { Booking, BookingAnswer, BookingService } from '#booking/booking-service.ts'
import { awaitOnce } from '#booking/idempotency/await-once.ts'
import type { Answer, IdempotencyStore } from '#booking/idempotency/store.ts'
import { echoOf } from './cart.ts'
import type { Cart } from './session-body.ts'
import { type CheckoutRequest, type Decided, isBeingCompleted, isCompleted } from './decided.ts'
import { buyerOf, faultOf, faultsOfBuyer, isDryRun } from './people.ts'
import { consentIn, faultsOfLines, type SentBuyer, readBuyer, readMore } from './read.ts'
import { consentRefused, expectFaults } from './refusals.ts'

type Parts = {
  readonly bookingService: BookingService
  readonly idempotencyStore: IdempotencyStore
  readonly dryRunStore: IdempotencyStore
}

/**
 * Books the call for the person in the body. A session is completed for one person: a repeated
 * request for that person gets the same response, with any key, and a request for someone else is
 * refused.
 */
export async function complete(
  { bookingService, idempotencyStore, dryRunStore }: Parts,
  request: CheckoutRequest,
): Promise<Decided> {
  const { body, id } = request
  const consent = consentIn(body)
  if (consent === false) return consentRefused
  const { buyer = {}, faults } = readBuyer(body)
  const missing = faultsOfBuyer(buyer).filter(
    ({ param }) => !faults.some(each => each.param === param),
  )
  const [first, ...more] = [...faults, ...missing, ...faultsOfLines(body, false)]
  if (first !== undefined) return expectFaults([first, ...more])
  const session = { scope: 'acp session', key: id, content: personOf(buyer) }
  const store = isDryRun(body) ? dryRunStore : idempotencyStore
  const before = (await idempotencyStore.find(session)) ?? (await store.find(session))
  if (before?.kind === 'answered') return JSON.parse(before.answer.body) as Decided
  if (before?.kind === 'conflict') return isCompleted
  const work = () => booked(bookingService, request, buyer, consent)
  const outcome = await awaitOnce(store, session, work)
  if (outcome.kind === 'conflict') return isCompleted
  if (outcome.kind === 'answered') return JSON.parse(outcome.answer.body) as Decided
  return isBeingCompleted(outcome.retrySeconds)
}

async function booked(
  bookingService: BookingService,
  { body, id, request }: CheckoutRequest,
  buyer: SentBuyer,
  consent: ReturnType<typeof consentIn>,
): Promise<Answer> {
  const { company, note } = readMore(body)
  const agent = request.headers.get('user-agent')
  const answer = await bookingService.book({
    buyer: buyerOf(buyer, company),
    via: {
      protocol: 'acp',
      agent,
      address: request.address,
      wording: consentVersion,
      ...(consent === undefined ? {} : { consent }),
    },
    ...(note === undefined ? {} : { note }),
  })
  const decided = decidedOn(answer, id, buyer)
  return { status: 'code' in decided ? decided.status : 200, body: JSON.stringify(decided) }
}

/** Identifies the person within a session. The booking service normalizes addresses separately. */
const personOf = ({ email = '' }: SentBuyer) => email.trim().toLowerCase()

function decidedOn(answer: BookingAnswer, id: string, buyer: SentBuyer): Decided {
  if (answer.kind === 'invalid') {
    const [first, ...more] = answer.faults.map(faultOf)
    if (first !== undefined) return expectFaults([first, ...more])
  }
  if (answer.kind !== 'booked' && answer.kind !== 'dry_run') {
    throw new Error(`The booking service returned ${answer.kind} for a request without a time.`)
  }
  const cart = completedCart(id, buyer, answer.booking)
  if (answer.kind === 'booked') return { cart }
  const notes = [...cart.notes, { type: 'info' as const, content: dryRunNotice }]
  return { cart: { ...cart, notes }, isDryRun: true }
}

function completedCart(id: string, buyer: SentBuyer, booking: Booking): Cart {
  return {
    id,
    status: 'completed',
    buyer: echoOf(buyer),
    notes: [
      { type: 'info', content: confirmationOf(buyerOf(buyer), booking) },
      { type: 'info', content: say('stated') },
    ],
    order: { id: booking.id, url: booking.url, confirmed: booking.status === 'confirmed' },
  }
}
