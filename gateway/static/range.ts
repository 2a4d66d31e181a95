// Serves parts of files by Range (RFC 9110, section 14): one range of the unencoded bytes, so the
// byte ranges in llms-full.txt match the response.

type Span = { readonly first: number; readonly last: number }

/** Several ranges, or text that isn't a range, select the whole file. Null means out of bounds. */
export function spanOf(range: string, size: number): Span | 'whole' | null {
  const [, from = '', to = ''] =
    /^bytes\s*=\s*(\d{0,15})\s*-\s*(\d{0,15})$/i.exec(range.trim()) ?? []
  if (from === '' && to === '') return 'whole'
  if (from === '') {
    const length = Math.min(Number(to), size)
    return length === 0 ? null : { first: size - length, last: size - 1 }
  }
  if (to !== '' && Number(to) < Number(from)) return 'whole'
  const last = to === '' ? size - 1 : Math.min(Number(to), size - 1)
  return Number(from) >= size ? null : { first: Number(from), last }
}

export const contentRange = ({ first, last }: Span, size: number) =>
  `bytes ${first}-${last}/${size}`
