// The type of a row of the console's pages: a page, or what a form of a page does.

import type { ConsoleOperation, StaffRole } from './row.ts'

/** The parts of the console's navigation, in their order. */
export const consoleGroups = ['Care', 'Clinic'] as const

export type ConsolePage = {
  readonly method: 'GET' | 'POST'
  /** Below the origin. `{organization}` is the clinic's id. */
  readonly path: string
  /** A page's title, or for a form what it does. */
  readonly title: string
  /** Which staff members may; one of their roles suffices. */
  readonly roles: readonly StaffRole[]
  /** Hands out what it reads, as a file. */
  readonly isExport?: boolean
  /** inline: the second factor was verified in the last minutes, and the form itself asks for it;
   *  the operation behind it refuses without. fresh: the same, but a page before it asks. Every
   *  other row needs one that was verified in the session. */
  readonly factor?: 'fresh' | 'inline'
  /** The navigation group that lists the page. */
  readonly group?: (typeof consoleGroups)[number]
  /** The page above it, where its path does not say it. */
  readonly parent?: string
  /** The page that a form belongs to. */
  readonly page?: string
}

type More = Omit<ConsolePage, 'method' | 'path' | 'title' | 'page'>

/** A page below the clinic. */
export const page = (path: string, title: string, more: More): ConsolePage => ({
  method: 'GET',
  path: `/{organization}${path}`,
  title,
  ...more,
})

/** A form on a page. Default: the page at the form's own path. */
export const form = (
  path: string,
  title: string,
  { page: of = path, ...more }: More & { readonly page?: string },
): ConsolePage => ({ ...page(path, title, more), method: 'POST', page: page(of, title, more).path })

/** Who may, and with which second factor: as the operation says that the row performs. */
export const by = ({ roles, isSignature, isExport }: ConsoleOperation) => ({
  roles,
  ...(isExport && { isExport }),
  ...(isSignature && { factor: 'inline' as const }),
})
