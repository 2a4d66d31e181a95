import { waitingRoomPath } from '#clinical/visits/ticket.ts'
import { resourceMetadataPath } from '#contract/oauth.ts'
import { siteTable } from '#contract/site/table.ts'
import { cardPaths, signaturePaths } from './signed-paths.ts'

/** Paths under /.well-known/ that only a running gateway serves. */
export const gatewayWellKnown = [resourceMetadataPath, ...signaturePaths]

export const statusPath = '/status'

/** The archive from `npm run proof`, which belongs to the installation rather than the build. */
export const proofPath = '/proof.zip'

/**
 * Build files that a running gateway adds to: the measured status, and a signature. Without a
 * gateway, the built file is served.
 */
export const completedPaths: readonly string[] = [statusPath, ...cardPaths]

/** A running gateway handles every matching path, even with a trailing slash or with 404. */
const gatewayPaths = [
  'api',
  'api/.*',
  'booking/.+',
  'search',
  proofPath.slice(1).replace('.', '[.]'),
  'v1/.*',
  'preview/.*',
  // URLs in clinical API responses, including in its contract and its 401.
  'uploads/.*',
  'documents/.*',
  `${waitingRoomPath.slice(1)}/.*`,
  'postman/.*',
  ...gatewayWellKnown.map(path => path.slice(1).replaceAll('.', '[.]')),
]

const endpointPaths = Object.values(siteTable)
  .filter(({ path }) => !path.startsWith('/api/'))
  .map(({ path }) => path.slice(1).replaceAll(/\{\w+\}/g, '[^/]+'))

/** Paths that only a running gateway handles. Every other path is a file, a redirect or missing. */
export const dynamicPaths = new RegExp(
  `^/(${[...new Set([...endpointPaths, ...gatewayPaths])].join('|')})/?$`,
)
