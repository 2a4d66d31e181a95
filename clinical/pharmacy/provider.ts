// A pharmacy that accepts prescriptions over the network. Without a connection to one, a clinic's
// staff dispense manually, on the console's board. `http-provider.ts` is the only adapter; another
// protocol would be another value of this type.

import type { UpdateType } from '#contract/pharmacy/protocol.ts'
import type { OutgoingFailure } from '#http/outgoing/pinned-request.ts'
import type { Tracking } from '../orders/move.ts'

/** The pharmacy that a clinic's prescriptions are sent to. `secrets` lists the valid secrets,
 *  newest first. */
export type Pharmacy = {
  readonly id: string
  readonly organization: string
  readonly name: string
  readonly url: string
  readonly secrets: readonly string[]
}

/** The transmitted message, as a JSON object's text. */
export type Prescribed = {
  /** The prescription's ID: a repeated transmission has the same key, and creates no second order.
   */
  readonly key: string
  readonly data: string
}

/** Why an attempt wasn't accepted. `rejected` means the pharmacy refused, and would refuse again.
 */
export type TransmissionError =
  | OutgoingFailure
  | 'redirected'
  | 'rejected'
  | 'unavailable'
  | 'unreadable_answer'

export type Failed<Error extends string = TransmissionError> = {
  readonly error: Error
  readonly status: number | null
  /** The pharmacy's explanation of a rejection. */
  readonly detail: string | null
}

/** `reference` is the pharmacy's own name for the order. */
export type Transmitted = { readonly reference: string } | Failed

export type Update = {
  readonly type: UpdateType
  readonly timestamp: string
  readonly data: {
    readonly order: string
    readonly tracking?: Tracking | undefined
    readonly reason?: string | undefined
  }
}

export type PharmacyProvider = {
  /** Sends a prescription. May be called again with the same prescription after any outcome. */
  transmit(pharmacy: Pharmacy, prescribed: Prescribed, cut: AbortSignal): Promise<Transmitted>
}
