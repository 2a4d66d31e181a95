// The type of a row of the portal: a page, or what a form of a page does.
import type { Mode } from '../operation.ts'
import type { MemberRole } from '../scopes.ts'

/** The parts of the portal's navigation, in their order. */
export const navigationGroups = ['Build', 'Observe', 'Account'] as const

export type PortalRow = {
  readonly method: 'GET' | 'POST'
  /** Below the origin. `{integration}` is the integration's id, `{mode}` is test or live. */
  readonly path: string
  /** A page's title, or for a form what it does. */
  readonly title: string
  /** Which members may. A page shows others why they may not. */
  readonly roles: readonly MemberRole[]
  /** Fewer in live mode; empty: it exists in test mode only. */
  readonly liveRoles?: readonly MemberRole[]
  /** A developer may in live mode too while an owner allows it. */
  readonly isAllowable?: boolean
  /** The second factor that it needs: proved in the session, or within the last five minutes. In
   *  live mode every form that needs one needs a fresh one. */
  readonly factor?: 'proven' | 'fresh'
  /** Where the navigation lists the page; '': above its groups. */
  readonly group?: (typeof navigationGroups)[number] | ''
  /** The page that a form belongs to. */
  readonly page?: string
}

export const rolesIn = (
  { roles, liveRoles }: Pick<PortalRow, 'roles' | 'liveRoles'>,
  mode: Mode,
): readonly MemberRole[] => (mode === 'live' ? (liveRoles ?? roles) : roles)

type Membership = { readonly role: MemberRole; readonly mayChangeLive: boolean }

/** Whether a row is open to a member in a mode. */
export const isOpenTo = (row: PortalRow, mode: Mode, { role, mayChangeLive }: Membership) =>
  rolesIn(row, mode).includes(role) ||
  (row.isAllowable === true && mayChangeLive && row.roles.includes(role))

type More = Omit<PortalRow, 'method' | 'path' | 'title' | 'page'>

/** A page below the integration and its mode. */
export const page = (path: string, title: string, more: More): PortalRow => ({
  method: 'GET',
  path: `/{integration}/{mode}${path}`,
  title,
  ...more,
})

/** A form on a page. Default: the page at the form's own path. */
export const form = (
  path: string,
  title: string,
  { page: of = path, ...more }: More & { readonly page?: string },
): PortalRow => ({ ...page(path, title, more), method: 'POST', page: page(of, title, more).path })

export const everyRole = ['owner', 'developer', 'billing', 'viewer'] as const
export const developers = ['owner', 'developer'] as const
export const readers = ['owner', 'developer', 'viewer'] as const
export const ownersOnly = ['owner'] as const
