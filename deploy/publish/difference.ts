// The difference between two texts, word by word.
import { diffArrays } from 'diff'

export type Part = { kind: 'same' | 'added' | 'removed'; text: string }

export const differ = (before: readonly string[], after: readonly string[]): Part[] =>
  diffArrays([...before], [...after]).flatMap(({ added, removed, value }) =>
    value.map(text => ({ kind: added ? 'added' : removed ? 'removed' : 'same', text })),
  )

const wordsOf = (line: string) => (line === '' ? [] : line.split(/(?<=\s)/))

/** Changed paragraphs, word by word. Paragraphs at the same position are compared. */
export function changedParagraphs(before: string, after: string): Part[][] {
  const lines = differ(before.split('\n'), after.split('\n'))
  const found: Part[][] = []
  for (let at = 0; at < lines.length;) {
    if (lines[at]?.kind === 'same') {
      at++
      continue
    }
    const end = lines.findIndex((line, index) => index >= at && line.kind === 'same')
    const run = lines.slice(at, end < 0 ? lines.length : end)
    const of = (kind: Part['kind']) => run.flatMap(each => (each.kind === kind ? each.text : []))
    const [old, now] = [of('removed'), of('added')]
    for (let index = 0; index < Math.max(old.length, now.length); index++) {
      const pair = differ(wordsOf(old[index] ?? ''), wordsOf(now[index] ?? ''))
      if (pair.some(({ kind, text }) => kind !== 'same' && text.trim() !== ''))
        found.push(joined(pair))
    }
    at += run.length
  }
  return found
}

/** Merges adjacent parts of the same kind. */
function joined(parts: readonly Part[]): Part[] {
  const all: Part[] = []
  for (const { kind, text } of parts) {
    const last = all.at(-1)
    if (last?.kind === kind) last.text += text
    else all.push({ kind, text })
  }
  return all
}

export function countWords(paragraphs: readonly Part[][]): { added: number; removed: number } {
  const count = (wanted: Part['kind']) =>
    paragraphs
      .flat()
      .filter(({ kind }) => kind === wanted)
      .reduce((sum, { text }) => sum + text.split(/\s+/).filter(Boolean).length, 0)
  return { added: count('added'), removed: count('removed') }
}
