// The docs pages in reading order, from the first guide to the last error.
import { referenceHome, scopesPath, tryPath } from '#content/reference.ts'
import { guides, references, text } from '../catalog.ts'
import { once } from '../render/once.ts'

/** A page's data for navigation. */
export type DocsPage = { path: string; label: string; group: string }

/** The page that checks a signature in the browser. The page belongs to the webhooks guide. */
const signaturePage = (): DocsPage => ({
  path: text('check-a-signature').path,
  label: 'Check a signature',
  group: 'Tools',
})
/** The reference pages outside any of its groups. */
export const referenceWays: readonly DocsPage[] = [
  { path: referenceHome, label: 'Overview', group: '' },
  { path: scopesPath, label: 'Scopes', group: '' },
  { path: tryPath, label: 'Try it in the browser', group: '' },
]

const guidePages = once((): DocsPage[] => [
  ...guides().map(({ path, nav, group }) => ({ path, label: nav, group })),
  signaturePage(),
])

/** The guides under their sidebar headings. */
export const guideGroups = once(() =>
  [...new Set(guidePages().map(({ group }) => group))].map(group => ({
    group,
    pages: guidePages().filter(page => page.group === group),
  })),
)

const inOrder = once((): DocsPage[] => [
  ...guidePages(),
  ...references().map(({ path, label, group }) => ({ path, label, group })),
])

export type Neighbors = { before: DocsPage | undefined; after: DocsPage | undefined }

/** The pages before and after a docs page. */
export function neighborsOf(path: string): Neighbors {
  const all = inOrder()
  const at = all.findIndex(page => page.path === path)
  if (at < 0) throw new Error(`${path} is not a docs page`)
  return { before: all[at - 1], after: all[at + 1] }
}

/** Everything that navigation shows about the docs, as one text. When the text changes, pages
 *  that show it are rendered again. */
export const docsMenu = (): string => menu().text

const menu = once(() => ({ text: JSON.stringify(inOrder()) }))
