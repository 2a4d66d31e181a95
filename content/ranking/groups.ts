import { basePaths } from '../paths.ts'
import { isReference, problemPath } from '../reference.ts'
import type { RankedLink } from './rank.ts'

/** Links to one kind of page, best first. */
export type Group<Link = RankedLink> = { readonly name: string; readonly links: readonly Link[] }

const kinds: readonly { name: string; has(path: string): boolean }[] = [
  { name: 'Errors', has: path => path.startsWith(problemPath('')) },
  { name: 'API reference', has: isReference },
  { name: 'Guides', has: path => /^\/docs(\/|$)/.test(path) },
  {
    name: 'Articles',
    has: path => [basePaths.articles, basePaths.comparisons].some(base => path.startsWith(base)),
  },
  { name: 'Pages', has: () => true },
]

const kindOf = ({ url }: { readonly url: string }) => kinds.find(({ has }) => has(url))?.name ?? ''

/** Ranked links by kind of page: the best link's kind first, and at most `most` per kind. */
export function groupLinks<Link extends { readonly url: string }>(
  links: readonly Link[],
  most: number,
): Group<Link>[] {
  return [...Map.groupBy(links, kindOf)].map(([name, all]) => ({ name, links: all.slice(0, most) }))
}
