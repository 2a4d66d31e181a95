// Prepares a build's files when the gateway loads it.
import company from '#content/site.config.ts'
import type { Listeners } from '../origins/listeners.ts'
import { addToolServer } from '../origins/tool-server-catalog.ts'
import type { Config } from '../settings/config.ts'
import { localLinks } from '../static/local-links.ts'
import type { SigningKey } from '../signing/keys.ts'
import type { FinishFiles } from '../static/files.ts'
import { signFiles } from '../signing/signed-files.ts'

/** An installation's origins with the default ports, as in the examples. */
const exampleOrigins = { api: 'http://localhost:3000', auth: 'http://localhost:3001' }

/** The origins in a build's files. */
export const published = [company.site, company.api]

export function finishing(
  { baseUrl, origins }: Pick<Config, 'baseUrl' | 'origins'>,
  keys: readonly [SigningKey, ...SigningKey[]],
  { base, urls }: Pick<Listeners, 'base' | 'urls'>,
): FinishFiles {
  const isLocal = baseUrl === undefined
  const site = isLocal ? base : company.site
  const auth = isLocal ? urls.auth : origins.auth.url
  const portal = isLocal ? urls.portal : origins.portal.url
  const addresses = new Map(
    [
      ...(isLocal ? published.map(origin => [origin, base] as const) : []),
      [exampleOrigins.api, baseUrl ?? base] as const,
      [exampleOrigins.auth, auth] as const,
      [company.auth, auth] as const,
      [company.portal, portal] as const,
    ].filter((pair): pair is [string, string] => pair[0] !== null && pair[1] !== undefined),
  )
  const localize = localLinks(addresses)
  const add = addToolServer(isLocal ? urls.mcp : origins.mcp.url, site)
  const sign = signFiles(keys, site)
  return files => sign(add(localize(files)))
}
