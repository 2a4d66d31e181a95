// An endpoint's answer, before the headers of its group are set.

/** A response, or a text or file, from which a response is built faster. */
export type Answer = Response | FileAnswer

/**
 * An answer as text: its response is constructed with the headers of the group, which costs a fifth
 * of adding them to an existing response.
 */
export type TextAnswer = {
  readonly body: string
  /** Absent: application/json. */
  readonly type?: string
  readonly status?: number
  readonly headers?: Readonly<Record<string, string>>
}

/** A file, which is opened when it is sent, and never for HEAD. */
export type FileAnswer = TextAnswer & {
  readonly bytes?: { readonly size: number; open(): Promise<Blob | ReadableStream<Uint8Array>> }
}
