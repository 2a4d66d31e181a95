// What is done to the files of a build when the gateway loads it.
import company from '#content/site.config.ts'
import type { Listeners } from '../origins/listeners.ts'
import { addToolServer } from '../origins/tool-server-catalog.ts'
import type { Config } from '../settings/config.ts'
import { localLinks } from '../static/local-links.ts'
import type { SigningKey } from '../signing/keys.ts'
import type { FinishFiles } from '../static/files.ts'
import { signFiles } from '../signing/signed-files.ts'

/** The origins that a build names. */
export const published = [company.site, company.api]

export function finishing(
  { baseUrl, origins }: Pick<Config, 'baseUrl' | 'origins'>,
  keys: readonly [SigningKey, ...SigningKey[]],
  { base, urls }: Pick<Listeners, 'base' | 'urls'>,
): FinishFiles {
  if (baseUrl !== undefined) {
    const [add, sign] = [
      addToolServer(origins.mcp.url, company.site),
      signFiles(keys, company.site),
    ]
    return files => sign(add(files))
  }
  const [localize, add, sign] = [
    localLinks(published, base),
    addToolServer(urls.mcp, base),
    signFiles(keys, base),
  ]
  return files => sign(add(localize(files)))
}
