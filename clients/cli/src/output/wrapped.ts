// Wraps text to a width.

const widest = 100
const narrowest = 20

/** A description as help shows it: `List cases`. */
export const headline = (text: string): string =>
  text.charAt(0).toUpperCase() + text.slice(1).replace(/\.$/, '')

/** An option's headline. A list of values keeps its lowercase. */
export const optionHeadline = (text: string): string =>
  /^[a-z_]+(?: \||[,…])/.test(text) ? text : headline(text)

/** Wraps text into lines of at most `columns`. */
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

/** Wraps comma-separated words into lines of at most `columns`. */
export function filled(words: readonly string[], columns: number): string {
  const list = words.map((word, at) => (at < words.length - 1 ? `${word},` : word)).join(' ')
  return wrapped(list, columns, '  ')
}
