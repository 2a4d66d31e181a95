// Text in lines of a width.

const widest = 100
const narrowest = 20

/** The text in lines of so many columns. */
export function wrapped(text: string, columns: number, indent: string): string {
  const width = Math.max(narrowest, Math.min(columns, widest) - indent.length)
  const lines: string[] = []
  let line = ''
  for (const word of text.split(/\s+/)) {
    if (line !== '' && line.length + 1 + word.length > width) {
      lines.push(line)
      line = word
    } else line = line === '' ? word : `${line} ${word}`
  }
  return [...lines, line].map(one => `${indent}${one}`).join('\n')
}

/** Words with commas between them, in lines of so many columns. */
export function filled(words: readonly string[], columns: number): string {
  const list = words.map((word, at) => (at < words.length - 1 ? `${word},` : word)).join(' ')
  return wrapped(list, columns, '  ')
}
