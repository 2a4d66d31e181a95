/** Reads a response's whole body; null if it's longer, and the rest isn't read. */
export async function readUpTo(response: Response, bytesMax: number): Promise<Uint8Array | null> {
  const reader = response.body?.getReader()
  const parts: Uint8Array[] = []
  let length = 0
  for (;;) {
    const read = await reader?.read()
    if (!read?.value) return Buffer.concat(parts)
    length += read.value.length
    if (length > bytesMax) {
      // The goal was to stop reading, so a connection lost meanwhile is fine.
      await reader?.cancel().catch(() => undefined)
      return null
    }
    parts.push(read.value)
  }
}
