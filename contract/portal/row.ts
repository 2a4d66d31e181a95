// The type of a portal row: a page, or one of its forms.
import type { Mode } from '../operation.ts'
import type { MemberRole } from '../scopes.ts'

/** The portal's navigation groups, in order. */
export const navigationGroups = ['Build', 'Observe', 'Account'] as const

export type PortalRow = {
  readonly method: 'GET' | 'POST'
  /** The path under the origin. `{integration}` is the integration's ID, `{mode}` is test or live.
   */
  readonly path: string
  /** A page's title, or a form's action. */
  readonly title: string
  /** Which members have access. Other members see an explanation. */
  readonly roles: readonly MemberRole[]
  /** Replaces `roles` in live mode; empty if the row exists only in test mode. */
  readonly liveRoles?: readonly MemberRole[]
  /** Whether an owner can give developers access in live mode. */
  readonly isAllowable?: boolean
  /** The second factor that the row needs: verified in the session (`proven`), or within the last
   *  five minutes (`fresh`). In live mode, every form that needs a second factor needs a fresh
   *  one. */
  readonly factor?: 'proven' | 'fresh'
  /** The navigation group that lists the page. '' means above the groups. */
  readonly group?: (typeof navigationGroups)[number] | ''
  /** The parent page, if the path doesn't show it. */
  readonly parent?: string
  /** The page that a form belongs to. */
  readonly page?: string
  /** The form fields that are never kept or shown again. */
  readonly secrets?: readonly string[]
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

/** A page under the integration and its mode. */
export const page = (path: string, title: string, more: More): PortalRow => ({
  method: 'GET',
  path: `/{integration}/{mode}${path}`,
  title,
  ...more,
})

/** A form on a page; defaults to the page at the form's own path. */
export const form = (
  path: string,
  title: string,
  { page: of = path, ...more }: More & { readonly page?: string },
): PortalRow => ({ ...page(path, title, more), method: 'POST', page: page(of, title, more).path })

export const everyRole = ['owner', 'developer', 'billing', 'viewer'] as const
export const developers = ['owner', 'developer'] as const
export const readers = ['owner', 'developer', 'viewer'] as const
export const ownersOnly = ['owner'] as const
