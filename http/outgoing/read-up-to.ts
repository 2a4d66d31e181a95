/** Reads a response's whole body; stops and returns null if it's longer than `bytesMax`. */
export async function readUpTo(response: Response, bytesMax: number): Promise<Uint8Array | null> {
  const reader = response.body?.getReader()
  const parts: Uint8Array[] = []
  let length = 0
  for (;;) {
    const read = await reader?.read()
    if (!read?.value) return Buffer.concat(parts)
    length += read.value.length
    if (length > bytesMax) {
      // Canceling fails harmlessly if the connection is already lost.
      await reader?.cancel().catch(() => undefined)
      return null
    }
    parts.push(read.value)
  }
}
