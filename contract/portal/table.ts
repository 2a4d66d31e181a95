// The portal's table: one row for each page and each form. Routes, roles, second factor, navigation
// and the sweep over all of them are computed from the rows.
import { access } from './access.ts'
import { clients } from './clients.ts'
import { events } from './events.ts'
import { home } from './home.ts'
import { keys } from './keys.ts'
import { organization } from './organization.ts'
import { requests } from './requests.ts'
import { sandbox } from './sandbox.ts'
import { search } from './search.ts'
import { webhooks } from './webhooks.ts'

export const portalRows = {
  ...home,
  ...keys,
  ...clients,
  ...access,
  ...sandbox,
  ...requests,
  ...webhooks,
  ...events,
  ...organization,
  ...search,
} as const

export type PortalRowId = keyof typeof portalRows
export const portalRowIds = Object.keys(portalRows) as PortalRowId[]
