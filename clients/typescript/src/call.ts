// A call in progress: a promise of its result that can also return the response.

import { hide } from './errors.ts'

/** Response details other than the result. */
export type Answer = {
  readonly response: Response
  readonly requestId: string
  /** Writes only. Every attempt of a call uses the same key. */
  readonly idempotencyKey: string | undefined
  /** Whether this is the stored response to an earlier request with this key. */
  readonly replayed: boolean
  readonly attempts: number
}

/**
 * A result. Its request ID is in a non-enumerable property, which JSON and equality checks ignore.
 */
export type Result<T> = T & { readonly requestId: string }

export type ApiResponse<T> = Answer & { readonly data: Result<T> }

export const withRequestId = <T extends object>(data: T, requestId: string): Result<T> =>
  hide(data, { requestId }) as Result<T>

/** Sends its request immediately, even if nothing awaits the call. */
export class Call<T> extends Promise<Result<T>> {
  readonly #answered: Promise<ApiResponse<T>>

  // Makes `then` return an ordinary promise.
  static override get [Symbol.species](): PromiseConstructor {
    return Promise
  }

  constructor(answered: Promise<ApiResponse<T>>) {
    super((resolve, reject) => void answered.then(({ data }) => resolve(data), reject))
    this.#answered = answered
  }

  /** The result, with its request ID, idempotency key and response. */
  withResponse(): Promise<ApiResponse<T>> {
    // The returned promise rejects on failure, so this promise must not report an unhandled
    // rejection.
    void this.catch(() => undefined)
    return this.#answered
  }
}
