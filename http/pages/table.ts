// The pages of a module as a table: one row for each page and each form. Routes, checks, titles,
// breadcrumbs and what the navigation marks are computed from it.
import { address } from '../html/markup.ts'

export type PageRow = {
  readonly method: 'GET' | 'POST'
  /** Below the origin, with the names of its ids in braces. */
  readonly path: string
  /** A page's title, or for a form what it does. */
  readonly title: string
  /** `person`: everyone who is signed in. Absent: whom the module admits. */
  readonly who?: 'anyone' | 'person'
  /** The page for people who aren't signed in. Default: sign-in. */
  readonly signedOut?: string
  /** The second factor that it needs, which the module reads. */
  readonly factor?: string
  /** The navigation group. '' means above the groups. */
  readonly group?: string
  /** The path of the page that a form belongs to; absent: its own. */
  readonly page?: string
  /** The page above this one; absent: that with the longest path which its own starts with. */
  readonly parent?: string
  /** The fields of a form that the address of its page has, so that a person comes back to it. */
  readonly keeps?: readonly string[]
}

export type Query = Readonly<Record<string, string | undefined>>
type Names = Readonly<Record<string, string | undefined>>

/** A path with its names filled in; what is missing is left empty. */
export const filledPath = (path: string, names: Names): string =>
  path.replaceAll(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(names[name] ?? ''))

export type PageTable<Id extends string> = {
  readonly rows: Readonly<Record<Id, PageRow>>
  readonly ids: readonly Id[]
  /** The page that a form stands on; of a page, the page. */
  pageOf(id: Id): Id
  /** A page below those above it, from the top. */
  trailOf(id: Id): readonly Id[]
  pathOf(id: Id, names: Names, query?: Query): string
}

export function openTable<Id extends string>(rows: Readonly<Record<Id, PageRow>>): PageTable<Id> {
  const ids = Object.keys(rows) as Id[]
  const pages = ids.filter(id => rows[id].method === 'GET' && rows[id].who === undefined)
  const pageOf = (id: Id) => {
    const { page = rows[id].path } = rows[id]
    return ids.find(one => rows[one].method === 'GET' && rows[one].path === page) ?? id
  }
  const parentOf = (id: Id) =>
    (rows[id].parent as Id | undefined) ??
    pages
      .filter(one => rows[id].path.startsWith(`${rows[one].path}/`))
      .toSorted((one, other) => rows[other].path.length - rows[one].path.length)[0]
  const trailTo = (page: Id): Id[] => {
    const parent = parentOf(page)
    return parent === undefined ? [page] : [...trailTo(parent), page]
  }
  const trails = new Map(ids.map(id => [id, trailTo(pageOf(id))]))
  return {
    rows,
    ids,
    pageOf,
    trailOf: id => trails.get(id) ?? [id],
    pathOf: (id, names, query = {}) => address(filledPath(rows[id].path, names), query),
  }
}
