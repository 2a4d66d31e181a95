// Links the first search results to the section with the answer, as `/search` does. Fetches pages
// once typing pauses, so the browser already has a page when it's opened.
import type { RankedLink } from '#content/ranking/rank.ts'
import { bestSection, parseSections, type Sections } from '#content/ranking/sections.ts'
import { element } from './element.ts'

const ledMax = 5
const pauseMs = 200

const pages = new Map<string, Promise<Sections>>()

/** A page's sections. A page that can't be loaded has none, and the next search tries it again. */
function sectionsOf(url: string): Promise<Sections> {
  const known = pages.get(url)
  if (known !== undefined) return known
  const loaded = fetch(url, { headers: { accept: 'text/html' } }).then(async answer => {
    if (!answer.ok) throw new Error(`${url} responded with ${answer.status}`)
    return parseSections(await answer.text())
  })
  pages.set(url, loaded)
  return loaded.catch(() => {
    pages.delete(url)
    return parseSections('')
  })
}

/** `options` are the elements of `links`, in the same order. */
export async function leadToSections(
  links: readonly RankedLink[],
  options: readonly HTMLAnchorElement[],
  isCurrent: () => boolean,
): Promise<void> {
  await new Promise(resolve => setTimeout(resolve, pauseMs))
  if (!isCurrent()) return
  const lead = async ({ url, found }: RankedLink, option: HTMLAnchorElement | undefined) => {
    const section = bestSection(url, await sectionsOf(url), found)
    if (section === null || option === undefined || !isCurrent()) return
    option.href = section.url
    option.querySelector('b')?.after(element('span', {}, `In “${section.heading}”`))
  }
  await Promise.all(links.slice(0, ledMax).map((link, at) => lead(link, options[at])))
}
