/** The whole body of an answer; null when it is longer, and the rest is not read. */
export async function readUpTo(response: Response, bytesMax: number): Promise<Uint8Array | null> {
  const reader = response.body?.getReader()
  const parts: Uint8Array[] = []
  let length = 0
  for (;;) {
    const read = await reader?.read()
    if (!read?.value) return Buffer.concat(parts)
    length += read.value.length
    if (length > bytesMax) {
      // A connection that is lost meanwhile is what was wanted.
      await reader?.cancel().catch(() => undefined)
      return null
    }
    parts.push(read.value)
  }
}
