// Restores a line's words from the words that a shell passes.

/** Joins quoted words, because bash splits at every space, even inside quotes. */
export function joined(words: readonly string[]): string[] {
  const all: string[] = []
  let open = ''
  for (const word of words) {
    if (open) all.push(`${all.pop() ?? ''} ${word}`)
    else all.push(word)
    const quote = open || (/["']/.exec(word)?.[0] ?? '')
    const isOdd = quote !== '' && (word.split(quote).length - 1) % 2 === 1
    if (isOdd) open = open ? '' : quote
  }
  return all
}
