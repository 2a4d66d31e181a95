import MiniSearch from 'minisearch'
import { processTerm, type SearchDocument, searchOptions } from '#content/search.ts'

export type SearchPage = {
  url: string
  title: string
  description: string
  questions: string[]
  text: string
}

const titleWeight = 3
const questionWeight = 2

/**
 * One field of text in which a title and the questions a page answers count more by standing there
 * more often.
 */
export function searchDocument(page: SearchPage): SearchDocument {
  const prose = page.text.replace(/^(`{3,})[\s\S]*?^\1\s*$/gm, ' ').replace(/\]\([^)]*\)/g, '] ')
  const text = [
    ...Array<string>(titleWeight).fill(page.title),
    ...Array<string>(questionWeight).fill(page.questions.join(' ')),
    page.description,
    prose,
  ].join('\n')
  return { url: page.url, title: page.title, description: page.description, text }
}

/** The index as text. Pages go in by address, so the same pages give the same bytes. */
export function searchIndex(pages: SearchPage[]): string {
  const index = new MiniSearch({ ...searchOptions, processTerm: rememberedTerm })
  index.addAll(pages.map(searchDocument).sort((a, b) => a.url.localeCompare(b.url)))
  return JSON.stringify(index)
}

const remembered = new Map<string, string | null>()

/** A site says the same words on every page, and a stem takes longer than a look. */
function rememberedTerm(term: string): string | null {
  const known = remembered.get(term)
  if (known !== undefined) return known
  const made = processTerm(term)
  remembered.set(term, made)
  return made
}
