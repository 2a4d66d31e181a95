// The difference between two texts, word by word.

export type Part = { kind: 'same' | 'added' | 'removed'; text: string }

/** A diff by longest common subsequence. */
export function differ(before: readonly string[], after: readonly string[]): Part[] {
  let [start, ends] = [0, 0]
  const most = Math.min(before.length, after.length)
  while (start < most && before[start] === after[start]) start++
  while (ends < most - start && before.at(-1 - ends) === after.at(-1 - ends)) ends++
  const [old, now] = [before, after].map(each => each.slice(start, each.length - ends))
  const same = (text: string): Part => ({ kind: 'same', text })
  return [
    ...after.slice(0, start).map(same),
    ...between(old ?? [], now ?? []),
    ...after.slice(after.length - ends).map(same),
  ]
}

/** Texts that would need more comparisons are reported as removed and added as a whole. */
const cellsMax = 4_000_000

function between(old: readonly string[], now: readonly string[]): Part[] {
  const part = (kind: Part['kind']) => (text: string) => ({ kind, text })
  if (old.length * now.length > cellsMax)
    return [...old.map(part('removed')), ...now.map(part('added'))]
  const width = now.length + 1
  // The length of the longest common subsequence from each pair of positions on.
  const common = new Uint32Array((old.length + 1) * width)
  for (let row = old.length - 1; row >= 0; row--) {
    for (let at = now.length - 1; at >= 0; at--) {
      const cell = row * width + at
      common[cell] =
        old[row] === now[at]
          ? (common[cell + width + 1] ?? 0) + 1
          : Math.max(common[cell + width] ?? 0, common[cell + 1] ?? 0)
    }
  }
  const parts: Part[] = []
  let [row, at] = [0, 0]
  while (row < old.length || at < now.length) {
    const cell = row * width + at
    if (row < old.length && at < now.length && old[row] === now[at]) {
      parts.push({ kind: 'same', text: now[at] ?? '' })
      row++
      at++
    } else if (
      at === now.length ||
      (row < old.length && (common[cell + width] ?? 0) >= (common[cell + 1] ?? 0))
    )
      parts.push({ kind: 'removed', text: old[row++] ?? '' })
    else parts.push({ kind: 'added', text: now[at++] ?? '' })
  }
  return parts
}

const wordsOf = (line: string) => (line === '' ? [] : line.split(/(?<=\s)/))

/** The paragraphs that changed, each as its words. Paragraphs at the same position are compared. */
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

/** Adjacent parts of one kind as one part. */
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
