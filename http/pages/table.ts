// A module's pages as a table, with one row for each page and each form. Routes, checks, titles,
// breadcrumbs and the navigation's current page are computed from the table.
import { address } from '../html/markup.ts'

export type PageRow = {
  readonly method: 'GET' | 'POST'
  /** Relative to the origin, with the names of IDs in braces. */
  readonly path: string
  /** A page's title, or a form's action. */
  readonly title: string
  /** `person` means everyone who is signed in. If absent, only people whom the module admits can
   *  open the row. */
  readonly who?: 'anyone' | 'person'
  /** The page for people who aren't signed in. Default: sign-in. */
  readonly signedOut?: string
  /** The second factor the row needs. Modules define the values. */
  readonly factor?: string
  /** The navigation group. '' means above the groups. */
  readonly group?: string
  /** The path of the form's page. Default: the form's own path. */
  readonly page?: string
  /** The page above this one. Default: the longest path that's a prefix of this one. */
  readonly parent?: string
  /** The form fields that the URL of its page includes, so the person returns to the same page. */
  readonly keeps?: readonly string[]
  /** The form fields that are never kept or shown again. */
  readonly secrets?: readonly string[]
}

export type Query = Readonly<Record<string, string | undefined>>
type Names = Readonly<Record<string, string | undefined>>

/** A path with its names filled in; missing ones stay empty. */
export const filledPath = (path: string, names: Names): string =>
  path.replaceAll(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(names[name] ?? ''))

export type PageTable<Id extends string> = {
  readonly rows: Readonly<Record<Id, PageRow>>
  readonly ids: readonly Id[]
  /** A form's page; for a page, the page itself. */
  pageOf(id: Id): Id
  /** A page and its parents, from the top. */
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
