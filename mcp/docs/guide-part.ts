// A guide's section: its heading and text, up to the next heading that isn't below it. Sections
// have the same anchors as on the page.
import { fences, plain } from './excerpt.ts'

type Section = { readonly level: number; readonly anchor: string; readonly start: number }

export const anchorsIn = (markdown: string): string[] =>
  sectionsIn(markdown).map(({ anchor }) => anchor)

export function sectionOf(markdown: string, anchor: string): string | undefined {
  const sections = sectionsIn(markdown)
  const at = sections.findIndex(section => section.anchor === anchor)
  const [section, ...after] = at < 0 ? [] : sections.slice(at)
  const next = section && after.find(({ level }) => level <= section.level)
  return section && `${markdown.slice(section.start, next?.start).trimEnd()}\n`
}

/** Blanks code blocks first, because a line of code may look like a heading. */
function sectionsIn(markdown: string): Section[] {
  const prose = markdown.replace(fences, block => block.replace(/[^\n]/g, ' '))
  const seen = new Map<string, number>()
  return [...prose.matchAll(/^(#{2,4}) +(.+)$/gm)].map(
    ({ 1: marks = '', 2: title = '', index }) => {
      const name = nameOf(title)
      const before = seen.get(name) ?? 0
      seen.set(name, before + 1)
      const anchor = before === 0 ? name : `${name}-${before}`
      return { level: marks.length, anchor, start: index }
    },
  )
}

/** Computes a heading's ID like the site does. */
const nameOf = (title: string) =>
  plain(title)
    .toLowerCase()
    .replace(/[^\p{L}\p{N}\p{M}\s_-]/gu, '')
    .replaceAll(' ', '-')
