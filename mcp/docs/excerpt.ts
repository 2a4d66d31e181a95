// The passage from a page that a search result shows.
import { processTerm, tokenize } from '#content/ranking/terms.ts'

const excerptMax = 400

/**
 * Starts with the paragraph that contains the most terms, below the heading or, if there is no
 * heading, from the top of the page.
 */
export function excerptOf(
  markdown: string,
  heading: string | undefined,
  terms: readonly string[],
): string {
  const blocks = proseOf(sectionOf(markdown, heading))
  const scores = blocks.map(block => scoreOf(block, terms))
  const at = heading === undefined ? 0 : scores.indexOf(Math.max(...scores))
  return cut(blocks.slice(at).join(' '))
}

/** The lines below the heading, up to the next heading. */
function sectionOf(markdown: string, heading: string | undefined): string {
  const body = markdown.replace(/^---\n[\s\S]*?\n---\n/, '')
  const parts = body.replace(fences, '').split(headingLine)
  // Splitting by a group puts each heading before its text.
  const at = heading === undefined ? 1 : parts.findIndex(part => plain(part) === plain(heading))
  return parts[at + 1] ?? ''
}

export const fences = /^( *)(```+|~~~+)[\s\S]*?^\1\2[^\S\n]*$/gm
const headingLine = /^#{1,4} +(.+)$/m

/** Matches lines about the page itself, before its text. */
const aboutThePage = /^(?:> Every page is listed|Contract version: |Guide \d+ of )/

const proseOf = (section: string): string[] =>
  section
    .split(/\n(?:\s*\n)+|\n(?=[-|] )/)
    .map(block => block.trim())
    .filter(block => block !== '' && !aboutThePage.test(block) && !/^\|?[\s|:-]+$/.test(block))
    .map(plain)

/** Removes Markdown syntax. */
export const plain = (text: string): string =>
  text
    .replace(/!?\[([^\]]*)\]\([^)]*\)/g, '$1')
    .replace(/^\s*(?:[-*>]|\d+\.) +/gm, '')
    .replace(/^\| *| *\|$/gm, '')
    .replace(/\s*\|\s*/g, ': ')
    .replace(/[`*]+/g, '')
    .replace(/\s+/g, ' ')
    .trim()

function scoreOf(block: string, terms: readonly string[]): number {
  const own = new Set(tokenize(block).map(word => processTerm(word)))
  return terms.filter(term => own.has(term)).length
}

function cut(text: string): string {
  if (text.length <= excerptMax) return text
  const kept = text.slice(0, excerptMax - 1).toWellFormed()
  return `${kept.slice(0, Math.max(kept.lastIndexOf(' '), excerptMax / 2)).replace(/[,;:]$/, '')}…`
}
