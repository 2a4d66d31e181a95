// The type of a row in the console's page table: a page, or one of its forms.

import type { ConsoleOperation, StaffRole } from './row.ts'

/** The console's navigation groups, in order. */
export const consoleGroups = ['Care', 'Clinic'] as const

export type ConsolePage = {
  readonly method: 'GET' | 'POST'
  /** The path under the origin. `{organization}` is the clinic's ID. */
  readonly path: string
  /** A page's title, or a form's action. */
  readonly title: string
  /** Which staff members have access; one of their roles suffices. */
  readonly roles: readonly StaffRole[]
  /** Whether the row returns a file. */
  readonly isExport?: boolean
  /** Both values require a second factor verified in the last few minutes: with `inline`, the form
   *  itself asks for the second factor, and its operation refuses without one; with `fresh`, an
   *  earlier page asks. Every other row needs a second factor verified in the session. */
  readonly factor?: 'fresh' | 'inline'
  /** The navigation group that lists the page. */
  readonly group?: (typeof consoleGroups)[number]
  /** The parent page, if the path doesn't show it. */
  readonly parent?: string
  /** The page that a form belongs to. */
  readonly page?: string
}

type More = Omit<ConsolePage, 'method' | 'path' | 'title' | 'page'>

/** A page under the clinic. */
export const page = (path: string, title: string, more: More): ConsolePage => ({
  method: 'GET',
  path: `/{organization}${path}`,
  title,
  ...more,
})

/** A form on a page; defaults to the page at the form's own path. */
export const form = (
  path: string,
  title: string,
  { page: of = path, ...more }: More & { readonly page?: string },
): ConsolePage => ({ ...page(path, title, more), method: 'POST', page: page(of, title, more).path })

/** Access and second factor, copied from the operation that the row performs. */
export const by = ({ roles, isSignature, isExport }: ConsoleOperation) => ({
  roles,
  ...(isExport && { isExport }),
  ...(isSignature && { factor: 'inline' as const }),
})
