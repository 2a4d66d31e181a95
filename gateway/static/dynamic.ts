import { waitingRoomPath } from '#clinical/visits/ticket.ts'
import { siteTable } from '#contract/site.ts'

/** What a 401 of the clinical API points to: among files, and none. */
export const resourcePath = '/.well-known/oauth-protected-resource'

/** Below these everything is answered by a running gateway, found or not. */
const whole = [
  'api',
  'api/.*',
  'booking/.*',
  'search',
  'v1/.*',
  // Addresses that the clinical API hands out, and what its contract and its 401 point to.
  'uploads/.*',
  'documents/.*',
  `${waitingRoomPath.slice(1)}/.*`,
  'postman/.*',
  resourcePath.slice(1).replace('.', '[.]'),
]

const ofTable = Object.values(siteTable)
  .filter(({ path }) => !path.startsWith('/api/'))
  .map(({ path }) => path.slice(1).replaceAll(/\{\w+\}/g, '[^/]+'))

/** What only a running gateway answers; every other path is a file, a redirect or missing. */
export const dynamicPaths = new RegExp(`^/(${[...new Set([...ofTable, ...whole])].join('|')})$`)
