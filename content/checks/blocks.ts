import type { Entry } from '../read.ts'
import { place } from './finding.ts'

/** A run of prose, or one fenced block, with a way back to its place in the file. */
export type Block = {
  kind: 'text' | 'code'
  language: string
  line: number
  text: string
  place: (offset: number) => { line: number; column: number }
}

/** Cuts a markdown body at its fences, so that rules about prose never read code. */
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

const cut = new WeakMap<Entry, Block[]>()

/** The blocks of a file, cut once: of its body, or of all of it where it has none. */
export function partsOf(entry: Entry): Block[] {
  const known = cut.get(entry)
  if (known !== undefined) return known
  const isData = /\.(yaml|json)$/.test(entry.path)
  const made = isData ? blocks(entry.source, 1) : blocks(entry.body, entry.bodyStart)
  cut.set(entry, made)
  return made
}

/** Its length is that of its line, as far as something stands there. */
export type Heading = { level: number; text: string; line: number; length: number; id: string }

const headed = new WeakMap<Entry, Heading[]>()

/** The headings of a body with the anchors the site gives them, looked for once. */
export function headings(entry: Entry): Heading[] {
  const known = headed.get(entry)
  if (known !== undefined) return known
  const made = entry.body === '' ? [] : headingsOf(entry)
  headed.set(entry, made)
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

/** GitHub's rule for anchors, which Astro follows: lower case, spaces to hyphens, marks dropped. */
export function anchor(heading: string): string {
  return heading
    .toLowerCase()
    .replace(/[^\p{L}\p{N}\s_-]/gu, '')
    .trim()
    .replace(/\s/g, '-')
}
