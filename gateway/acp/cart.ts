import { say } from '#content/consent.ts'
import type { Cart, Note } from './dates.ts'
import { faultsOfBuyer } from './people.ts'
import type { Named } from './read.ts'

const info = (content: string): Note => ({ type: 'info', content })

/** What an agent is told before it completes: what to ask its person, and that nothing is paid. */
export const emptyNotes: readonly Note[] = [
  info(say('ask')),
  info(
    'The call is free: complete the session with buyer.first_name and buyer.email. No payment data is asked for, and none is kept.',
  ),
  info(`${say('not_medical')} ${say('no_health')}`),
]

/** The cart of any session, as it is retrieved. */
export const emptyCart = (id: string): Cart => ({
  id,
  status: 'ready_for_payment',
  notes: emptyNotes,
})

/**
 * The cart with a person in it. Without anybody it is ready as well, because completing says who it
 * is for; with somebody it says what would be refused of them.
 */
export function echoedCart(id: string, buyer: Named | undefined): Cart {
  if (buyer === undefined) return emptyCart(id)
  const lacks = faultsOfBuyer(buyer).map(({ code, param, message }): Note => ({
    type: 'error',
    code: code === 'missing' ? code : 'invalid',
    param,
    content: message,
  }))
  const status = lacks.length > 0 ? 'not_ready_for_payment' : 'ready_for_payment'
  return { id, status, buyer: echoOf(buyer), notes: [...lacks, ...emptyNotes] }
}

/** A text without a value is no value in the protocol's own shapes. */
export const echoOf = (buyer: Named): Record<string, string> =>
  Object.fromEntries(Object.entries(buyer).filter(([, value]) => value !== ''))
