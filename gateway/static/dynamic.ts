import { waitingRoomPath } from '#clinical/visits/ticket.ts'
import { resourceMetadataPath } from '#contract/oauth.ts'
import { siteTable } from '#contract/site/table.ts'
import { cardPaths, signaturePaths } from './signed-paths.ts'

/** The paths below /.well-known/ that only a running gateway answers. */
export const gatewayWellKnown = [resourceMetadataPath, ...signaturePaths]

export const statusPath = '/status'

/** The archive of `npm run proof`, a file of the installation and not of the build. */
export const proofPath = '/proof.zip'

/**
 * Files of the build to which a running gateway adds: the measured state, and a signature. Without
 * one, the built file is the answer.
 */
export const completedPaths: readonly string[] = [statusPath, ...cardPaths]

/** Every path that matches, also with a slash at its end, is answered by a running gateway, also
 *  with 404. */
const gatewayPaths = [
  'api',
  'api/.*',
  'booking/.+',
  'search',
  proofPath.slice(1).replace('.', '[.]'),
  'v1/.*',
  'preview/.*',
  // URLs in answers of the clinical API, and those that its contract and its 401 name.
  'uploads/.*',
  'documents/.*',
  `${waitingRoomPath.slice(1)}/.*`,
  'postman/.*',
  ...gatewayWellKnown.map(path => path.slice(1).replaceAll('.', '[.]')),
]

const endpointPaths = Object.values(siteTable)
  .filter(({ path }) => !path.startsWith('/api/'))
  .map(({ path }) => path.slice(1).replaceAll(/\{\w+\}/g, '[^/]+'))

/** Paths that only a running gateway answers; every other path is a file, a redirect or missing. */
export const dynamicPaths = new RegExp(
  `^/(${[...new Set([...endpointPaths, ...gatewayPaths])].join('|')})/?$`,
)
