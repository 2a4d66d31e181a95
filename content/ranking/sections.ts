// Which section of a page answers a question best, from the page that is served, so that its anchor
// exists.
import { processTerm, tokenize } from './terms.ts'

/** A section as an answer names it: its heading, and its address on this site. */
type SectionLink = { readonly heading: string; readonly url: string }

export type Section = { heading: string; anchor: string | null; title: Counts; text: Counts }
type Counts = ReadonlyMap<string, number>

/** A parsed page has some thirty kilobytes. */
const cachedMax = 512

export type FindSection = (url: string, terms: readonly string[]) => SectionLink | null

/** Finds sections in the files of a build, and keeps the pages that it parsed. */
export function sectionFinder(read: (path: string) => string | undefined): FindSection {
  const cache = new Map<string, Section[]>()
  const sectionsOf = (url: string) => {
    const known = cache.get(url)
    if (known !== undefined) return known
    const made = parseSections(read(url === '/' ? '/index.html' : `${url}.html`) ?? '')
    const [oldest] = cache.keys()
    if (cache.size === cachedMax && oldest !== undefined) cache.delete(oldest)
    cache.set(url, made)
    return made
  }
  return (url, terms) => bestSection(url, sectionsOf(url), terms)
}

/**
 * Null where the beginning of the page fits best, or the page has no headings. Terms of the page's
 * title are about all of it, so the others decide; without any, the beginning is the answer.
 */
export function bestSection(
  url: string,
  [first, ...sections]: readonly Section[],
  terms: readonly string[],
): SectionLink | null {
  if (first === undefined) return null
  const [common, own] = [
    terms.filter(term => first.title.has(term)),
    terms.filter(term => !first.title.has(term)),
  ]
  if (own.length === 0) return null
  const scored = [{ ...first, title: none }, ...sections].map(section => ({
    section,
    score: scoreOf(section, own) + scoreOf(section, common) / 4,
  }))
  // Of equal sections the first: the sort is stable.
  const [best] = scored.toSorted((one, other) => other.score - one.score)
  if (best === undefined || best.score === 0 || best.section.anchor === null) return null
  return { heading: best.section.heading, url: `${url}#${best.section.anchor}` }
}

const none: Counts = new Map()

/** As in BM25, each further occurrence counts less. A term of the heading counts once more. */
const scoreOf = ({ title, text }: Section, terms: readonly string[]) =>
  terms.reduce((sum, term) => {
    const count = text.get(term) ?? 0
    return sum + count / (count + 1.2) + (title.has(term) ? 1 : 0)
  }, 0)

const heading = /<h([2-4])\b[^>]*\bid="([^"]+)"[^>]*>([\s\S]*?)<\/h\1>/g

/** The beginning of the page, and each section to its next heading of any level. */
export function parseSections(html: string): Section[] {
  const main = (/<main[^>]*>([\s\S]*)<\/main>/.exec(html)?.[1] ?? '').replace(
    /<(nav|script|style|svg|button)\b[\s\S]*?<\/\1>|<a class="anchor"[^>]*>[^<]*<\/a>/g,
    ' ',
  )
  const starts = [...main.matchAll(heading)]
  const textTo = (from: number, at: number) => countsOf(textOf(main.slice(from, starts[at]?.index)))
  const [, title = ''] = /<h1[^>]*>([\s\S]*?)<\/h1>/.exec(main) ?? []
  const first = { heading: '', anchor: null, title: countsOf(textOf(title)), text: textTo(0, 0) }
  const sections = starts.map((start, at): Section => {
    const [all, , anchor = '', inner = ''] = start
    const title = textOf(inner)
    const text = textTo(start.index + all.length, at + 1)
    return { heading: title, anchor, title: countsOf(title), text }
  })
  return [first, ...sections]
}

const entities: Readonly<Record<string, string>> = {
  '&amp;': '&',
  '&lt;': '<',
  '&gt;': '>',
  '&quot;': '"',
  '&#39;': "'",
  '&#x27;': "'",
}

const textOf = (html: string) =>
  html
    .replace(/<\/?(a|code|em|strong|span|wbr)\b[^>]*>/g, '')
    .replace(/<[^>]+>/g, ' ')
    .replace(/&#?\w+;/g, entity => entities[entity] ?? ' ')
    .replace(/\s+/g, ' ')
    .trim()

function countsOf(text: string): Counts {
  const counts = new Map<string, number>()
  for (const word of tokenize(text)) {
    const term = processTerm(word)
    if (term !== null) counts.set(term, (counts.get(term) ?? 0) + 1)
  }
  return counts
}
