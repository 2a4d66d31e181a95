// Highlights the search words on the page that a result leads to. Without this script, or in a
// browser without the highlight API, the page is unchanged.
import { store, stored } from './storage.ts'

const key = 'found'

export function watchFoundWords(): void {
  addEventListener('click', ({ target }) => {
    const link = target instanceof Element ? target.closest<HTMLAnchorElement>('a[href]') : null
    const { found } = link?.dataset ?? {}
    if (link === null) return
    store('session', key, found ? `${link.pathname} ${found}` : '')
    // The link leads to a section of this page, so nothing is loaded.
    if (found && link.pathname === location.pathname) mark(found.split(' '))
  })
  const [path, ...terms] = (stored('session', key) ?? '').split(' ')
  if (path === location.pathname) mark(terms)
}

/** Loads the stemmer only on a page opened from a search. */
function mark(terms: readonly string[]): void {
  const main = document.querySelector('main')
  if (main === null || !('highlights' in CSS)) return
  void import('#content/ranking/marks.ts').then(({ foundIn }) => {
    const highlight = new Highlight()
    const found = new Set(terms)
    const texts = document.createTreeWalker(main, NodeFilter.SHOW_TEXT)
    for (let node = texts.nextNode(); node !== null; node = texts.nextNode()) {
      for (const { word, index } of foundIn(node.nodeValue ?? '', found)) {
        const range = new Range()
        range.setStart(node, index)
        range.setEnd(node, index + word.length)
        highlight.add(range)
      }
    }
    CSS.highlights.set(key, highlight)
  })
}
