// What an endpoint answers, before the headers of its group are set.

/** A response, or what is quicker where an answer is a text. */
export type Answer = Response | FileAnswer

/**
 * An answer as text: the response is then made at once with the headers of its group, which costs a
 * fifth of adding them to one that is made.
 */
export type TextAnswer = {
  readonly body: string
  /** Absent: application/json. */
  readonly type?: string
  readonly status?: number
  readonly headers?: Readonly<Record<string, string>>
}

/** A file, which is opened when it is sent, and not at all for HEAD. */
export type FileAnswer = TextAnswer & {
  readonly bytes?: { readonly size: number; open(): Promise<Blob | ReadableStream<Uint8Array>> }
}
