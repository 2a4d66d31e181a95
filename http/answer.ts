// An endpoint's response, before its group's headers are set.

/** A response, or the text or file that the group builds a response from, because building a
 *  response is faster than adding headers to an existing one. */
export type Answer = Response | FileAnswer

/**
 * A response as text. Constructing a response with the group's headers takes a fifth of the time of
 * adding the headers to an existing response.
 */
export type TextAnswer = {
  readonly body: string
  /** Default: application/json. */
  readonly type?: string
  readonly status?: number
  readonly headers?: Readonly<Record<string, string>>
}

/** A file, opened only when it's sent and never for HEAD. */
export type FileAnswer = TextAnswer & {
  readonly bytes?: { readonly size: number; open(): Promise<Blob | ReadableStream<Uint8Array>> }
}
