/** An endless body of chunks, one every 50 ms, as a slow peer sends it. */
export const drip = (chunk: string): ReadableStream<Uint8Array> =>
  new ReadableStream({
    async pull(controller) {
      await Bun.sleep(50)
      controller.enqueue(new TextEncoder().encode(chunk))
    },
  })
