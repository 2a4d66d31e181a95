import { say } from '#content/consent.ts'
import type { Cart, Note } from './session-body.ts'
import { faultsOfBuyer } from './people.ts'
import type { SentBuyer } from './read.ts'

const info = (content: string): Note => ({ type: 'info', content })

/** Messages for an agent before the agent completes the session: what to ask the person, and that
 *  the call is free. */
export const emptyNotes: readonly Note[] = [
  info(say('ask')),
  info(say('stated')),
  info(
    'The call is free: complete the session with buyer.first_name and buyer.email. No payment data is requested, and none is stored.',
  ),
  info(`${say('not_medical')} ${say('no_health')}`),
]

/** The cart when a session is retrieved. */
export const emptyCart = (id: string): Cart => ({
  id,
  status: 'ready_for_payment',
  notes: emptyNotes,
})

/**
 * The cart with the buyer from an update. Without a buyer, it's ready, because the completion
 * request includes one. With a buyer, it lists the errors that completion would return.
 */
export function echoedCart(id: string, buyer: SentBuyer | undefined): Cart {
  if (buyer === undefined) return emptyCart(id)
  const errors = faultsOfBuyer(buyer).map(({ code, param, message }): Note => ({
    type: 'error',
    code: code === 'missing' ? code : 'invalid',
    param,
    content: message,
  }))
  const status = errors.length > 0 ? 'not_ready_for_payment' : 'ready_for_payment'
  return { id, status, buyer: echoOf(buyer), notes: [...errors, ...emptyNotes] }
}

/** The protocol's schemas don't allow empty strings. */
export const echoOf = (buyer: SentBuyer): Record<string, string> =>
  Object.fromEntries(Object.entries(buyer).filter(([, value]) => value !== ''))
