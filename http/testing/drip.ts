/** An endless body with one chunk every 50 ms, like a slow peer's. */
export const drip = (chunk: string): ReadableStream<Uint8Array> =>
  new ReadableStream({
    async pull(controller) {
      await Bun.sleep(50)
      controller.enqueue(new TextEncoder().encode(chunk))
    },
  })
