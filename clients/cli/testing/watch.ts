// Watches a running program's output.

export type Watched = {
  /** Resolves with the pattern's first group once the output contains it. */
  until(pattern: RegExp): Promise<string>
  /** The whole output, once the stream has ended. */
  readonly all: Promise<string>
}

export function watch(stream: ReadableStream<Uint8Array>): Watched {
  let text = ''
  let check = () => {}
  const decoder = new TextDecoder()
  const all = (async () => {
    for await (const part of stream) {
      text += decoder.decode(part, { stream: true })
      check()
    }
    return text
  })()
  return {
    all,
    until: pattern =>
      new Promise((resolve, reject) => {
        check = () => {
          const found = pattern.exec(text)
          if (found) resolve(found[1] ?? found[0])
        }
        check()
        void all.then(() => reject(new Error(`it ended without ${String(pattern)}:\n${text}`)))
      }),
  }
}
