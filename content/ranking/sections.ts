// Finds the page section that answers a question best, using the served page, so its anchor exists.
import { termsIn } from './terms.ts'

/** A section as shown in results: its heading, and its URL on this site. */
type SectionLink = { readonly heading: string; readonly url: string }

/** A page's sections; the first section is the introduction. */
export type Sections = {
  places: readonly { heading: string; anchor: string | null }[]
  /** The terms of the page's title. */
  title: ReadonlySet<string>
  /** A term's weight in the sections that have it. */
  counts: ReadonlyMap<string, readonly Count[]>
}
type Count = { at: number; score: number }

/** The number of pages to cache. A parsed page takes about thirty kilobytes. */
const cachedMax = 512

export type FindSection = (url: string, terms: readonly string[]) => SectionLink | null

/** Finds sections in a build's files, and keeps the parsed pages. */
export function sectionFinder(read: (path: string) => string | undefined): FindSection {
  const cache = new Map<string, Sections>()
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
 * Returns null if the page's introduction fits best, or if the page has no headings. Terms in the
 * page's title apply to every section, so the other terms decide. Without other terms, the
 * introduction fits best.
 */
export function bestSection(
  url: string,
  { places, title, counts }: Sections,
  terms: readonly string[],
): SectionLink | null {
  if (terms.every(term => title.has(term))) return null
  const scores = places.map(() => 0)
  for (const term of terms) {
    const weight = title.has(term) ? 0.25 : 1
    for (const { at, score } of counts.get(term) ?? [])
      scores[at] = (scores[at] ?? 0) + weight * score
  }
  // If sections tie, the first section wins.
  const highest = Math.max(...scores) - 1e-9
  const best = places[scores.findIndex(score => score >= highest)]
  if (best === undefined || best.anchor === null) return null
  return { heading: best.heading, url: `${url}#${best.anchor}` }
}

const heading = /<h([2-4])\b[^>]*\bid="([^"]+)"[^>]*>([\s\S]*?)<\/h\1>/g

/** The page's introduction, and each section up to its next heading at any level. */
export function parseSections(html: string): Sections {
  const main = (/<main[^>]*>([\s\S]*)<\/main>/.exec(html)?.[1] ?? '').replace(
    // Removes the links at the end of an article, because links to other pages don't answer
    // anything.
    /<h2\b[^>]*\bid="read-next"[\s\S]*|<(nav|script|style|svg|button)\b[\s\S]*?<\/\1>|<a class="anchor"[^>]*>[^<]*<\/a>/g,
    ' ',
  )
  const starts = [...main.matchAll(heading)]
  const [, title = ''] = /<h1[^>]*>([\s\S]*?)<\/h1>/.exec(main) ?? []
  const places = [
    { heading: '', anchor: null, text: textOf(main.slice(0, starts[0]?.index)) },
    ...starts.map(({ 0: all, 1: _level, 2: anchor = '', 3: inner = '', index }, at) => ({
      heading: textOf(inner),
      anchor,
      text: textOf(main.slice(index + all.length, starts[at + 1]?.index)),
    })),
  ]
  const counts = new Map<string, Count[]>()
  for (const [at, { heading, text }] of places.entries()) {
    for (const [term, score] of scoresOf(heading, text)) {
      const all = counts.get(term) ?? []
      counts.set(term, all)
      all.push({ at, score })
    }
  }
  return {
    places: places.map(({ heading, anchor }) => ({ heading, anchor })),
    title: new Set(termsIn(textOf(title))),
    counts,
  }
}

/** As in BM25, each further occurrence counts less. A term in the heading counts once more. */
function scoresOf(heading: string, text: string): Map<string, number> {
  const counts = new Map<string, number>()
  for (const term of termsIn(text)) counts.set(term, (counts.get(term) ?? 0) + 1)
  const scores = new Map([...counts].map(([term, count]) => [term, count / (count + 1.2)]))
  for (const term of new Set(termsIn(heading))) scores.set(term, (scores.get(term) ?? 0) + 1)
  return scores
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
