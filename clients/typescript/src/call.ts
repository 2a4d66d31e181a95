// A call in progress: a promise of its result and of the response around it.

import { hide } from './errors.ts'

/** A response's details, apart from the result itself. */
export type Answer = {
  readonly response: Response
  readonly requestId: string
  /** For writes only. The same on every attempt. */
  readonly idempotencyKey: string | undefined
  /** Whether this is the stored response to an earlier request with this key. */
  readonly replayed: boolean
  readonly attempts: number
}

/** A result carries its request's id where JSON and equality tests don't see it. */
export type Result<T> = T & { readonly requestId: string }

export type ApiResponse<T> = Answer & { readonly data: Result<T> }

/** Adds the request's id to a result. */
export const withRequestId = <T extends object>(data: T, requestId: string): Result<T> =>
  hide(data, { requestId }) as Result<T>

/** The request is sent when the call is created, whether or not anyone awaits it. */
export class Call<T> extends Promise<Result<T>> {
  readonly #answered: Promise<ApiResponse<T>>

  // `then` returns an ordinary promise.
  static override get [Symbol.species](): PromiseConstructor {
    return Promise
  }

  constructor(answered: Promise<ApiResponse<T>>) {
    super((resolve, reject) => void answered.then(({ data }) => resolve(data), reject))
    this.#answered = answered
  }

  /** The result together with its request id, its key and the response. */
  withResponse(): Promise<ApiResponse<T>> {
    // The returned promise reports a failure, so this one doesn't report it again.
    void this.catch(() => undefined)
    return this.#answered
  }
}
