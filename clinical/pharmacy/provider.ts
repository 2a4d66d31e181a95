// A pharmacy that takes prescriptions over the network. A clinic without a connection to one has
// none: its staff dispense by hand, on the board of the console. `http-provider.ts` is the one
// adapter; another protocol is another value of this type.

import type { UpdateType } from '#contract/pharmacy/protocol.ts'
import type { OutgoingFailure } from '#http/outgoing/pinned-request.ts'
import type { Tracking } from '../orders/move.ts'

/** The destination of a clinic's prescriptions. The secrets are the valid ones, newest first. */
export type Pharmacy = {
  readonly id: string
  readonly organization: string
  readonly name: string
  readonly url: string
  readonly secrets: readonly string[]
}

/** The transmitted message, as the text of a JSON object. */
export type Prescribed = {
  /** The prescription: a repeated transmission has the same, and makes no second order. */
  readonly key: string
  readonly data: string
}

/** Why an attempt was not accepted. `rejected`: the pharmacy refused, and would refuse it again. */
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

/** `reference`: the pharmacy's own name of the order. */
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
  /** Sends a prescription. It may be called again with the same one after any outcome. */
  transmit(pharmacy: Pharmacy, prescribed: Prescribed, cut: AbortSignal): Promise<Transmitted>
}
