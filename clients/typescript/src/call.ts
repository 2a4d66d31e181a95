// A call that is under way: a promise of its result, and of the answer around it.

import { hide } from './errors.ts'

/** The details of a response, besides the result itself. */
export type Answer = {
  readonly response: Response
  readonly requestId: string
  /** For writes only. The same on every attempt. */
  readonly idempotencyKey: string | undefined
  /** Whether the answer is the stored one of an earlier request with this key. */
  readonly replayed: boolean
  readonly attempts: number
}

/** A result carries the id of its request where neither JSON nor an equality test sees it. */
export type Result<T> = T & { readonly requestId: string }

export type Answered<T> = Answer & { readonly data: Result<T> }

/** Adds the id of its request to a result. */
export const withRequestId = <T extends object>(data: T, requestId: string): Result<T> =>
  hide(data, { requestId }) as Result<T>

/** The call is sent when it is made, whether or not anyone waits for it. */
export class Call<T> extends Promise<Result<T>> {
  readonly #answered: Promise<Answered<T>>

  // `then` returns an ordinary promise.
  static override get [Symbol.species](): PromiseConstructor {
    return Promise
  }

  constructor(answered: Promise<Answered<T>>) {
    super((resolve, reject) => void answered.then(({ data }) => resolve(data), reject))
    this.#answered = answered
  }

  /** The result together with its request id, its key and the response. */
  withResponse(): Promise<Answered<T>> {
    // A failure is reported by what is returned here, and not a second time by this promise.
    void this.catch(() => undefined)
    return this.#answered
  }
}
