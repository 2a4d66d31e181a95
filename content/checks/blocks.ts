import type { Entry } from '../entry.ts'
import { place } from '../finding.ts'

/** A run of prose or one fenced block, with a function that finds positions in the file. */
export type Block = {
  kind: 'text' | 'code'
  language: string
  line: number
  text: string
  place: (offset: number) => { line: number; column: number }
}

/** Splits a Markdown body at its fences, so prose rules never read code. */
function blocks(body: string, firstLine: number): Block[] {
  const found: Block[] = []
  const fenced = /^(`{3,}|~{3,})([^\n]*)\n([\s\S]*?)^\1[ \t]*$/gm
  let end = 0
  let [line, counted] = [firstLine, 0]
  const push = (kind: Block['kind'], text: string, start: number, language: string) => {
    line += linesIn(body, counted, start)
    counted = start
    found.push({
      kind,
      language,
      line,
      text,
      place: offset => place(body, start + offset, firstLine),
    })
  }
  for (const hit of body.matchAll(fenced)) {
    push('text', body.slice(end, hit.index), end, '')
    push('code', hit[0], hit.index, (hit[2] ?? '').trim())
    end = hit.index + hit[0].length
  }
  push('text', body.slice(end), end, '')
  return found
}

function linesIn(text: string, from: number, to: number): number {
  let count = 0
  for (let at = text.indexOf('\n', from); at >= 0 && at < to; at = text.indexOf('\n', at + 1))
    count += 1
  return count
}

/** A Markdown file's front matter, whose title and description are checked too. */
export function headOf(entry: Entry): Block {
  const [text = ''] = /^---\r?\n[\s\S]*?\n---/.exec(entry.source) ?? []
  return { kind: 'text', language: '', line: 1, text, place: offset => place(text, offset, 1) }
}

/** The positions of fences not closed before the next fence, or at all. */
export function unclosedFences(entry: Entry): { line: number; column: number }[] {
  return partsOf(entry).flatMap(part => {
    if (part.kind === 'text') {
      const open = /^(?:`{3,}|~{3,})/m.exec(part.text)
      return open === null ? [] : [part.place(open.index)]
    }
    const [marks = ''] = /^(?:`+|~+)/.exec(part.text) ?? []
    const another = new RegExp(`^${marks}[\\w\`~]`, 'm')
    return another.test(part.text.slice(marks.length)) ? [{ line: part.line, column: 1 }] : []
  })
}

const blocksOf = new WeakMap<Entry, Block[]>()

/** The blocks of a body, or of the whole file if it has none. Cached. */
export function partsOf(entry: Entry): Block[] {
  const known = blocksOf.get(entry)
  if (known !== undefined) return known
  const isData = /\.(yaml|json)$/.test(entry.path)
  const made = isData ? blocks(entry.source, 1) : blocks(entry.body, entry.bodyStart)
  blocksOf.set(entry, made)
  return made
}

/** `length` is the line's length without trailing spaces. */
export type Heading = { level: number; text: string; line: number; length: number; id: string }

const headingsByEntry = new WeakMap<Entry, Heading[]>()

/** A body's headings with their anchors on the site. Cached. */
export function headings(entry: Entry): Heading[] {
  const known = headingsByEntry.get(entry)
  if (known !== undefined) return known
  const made = entry.body === '' ? [] : headingsOf(entry)
  headingsByEntry.set(entry, made)
  return made
}

function headingsOf(entry: Entry): Heading[] {
  return partsOf(entry)
    .filter(block => block.kind === 'text')
    .flatMap(block =>
      [...block.text.matchAll(/^(#{1,6})[ \t]+(.+?)[ \t]*$/gm)].map(hit => {
        const text = hit[2] ?? ''
        const level = (hit[1] ?? '').length
        const { line } = block.place(hit.index)
        return { level, text, line, length: hit[0].trimEnd().length, id: anchor(text) }
      }),
    )
}

/** GitHub's rule for anchors, which Astro follows: lowercase, spaces to hyphens, punctuation
 *  dropped. */
export function anchor(heading: string): string {
  return heading
    .toLowerCase()
    .replace(/[^\p{L}\p{N}\s_-]/gu, '')
    .trim()
    .replace(/\s/g, '-')
}
