// Whether this is a platform for one person on one machine: nothing of it is reachable from
// elsewhere, and its database is the one that `npm start` brings. Only there live mode is filled
// with synthetic patients, and everything says so. No setting switches it on: it follows from the
// absence of every setting by which others could reach the gateway.
import { isLoopback } from '#http/host-check.ts'
import company from '#content/site.config.ts'
import type { Site } from '#http/html/document.tsx'
import type { Finish } from '#http/router.ts'
import { splitUrl } from '#http/split-url.ts'
import { type Config, isPrivate } from '../settings/config.ts'

export const isLocal = (config: Config): boolean =>
  config.databaseUrl === undefined &&
  config.baseUrl === undefined &&
  isPrivate(config) &&
  config.trustedProxies.length === 0 &&
  config.allowedHosts.every(host => isLoopback(new URL(`http://${host}`).hostname))

/** The header of every answer of the API and the modules of a local platform. */
const localHeader = ['service-environment', 'local'] as const

/** The company, for pages with sessions: at their top they say that a platform is local. */
export const siteOf = (config: Config, base: string): Site => ({
  name: company.name,
  url: base,
  ...(isLocal(config) && {
    notice: 'Local: runs only on this machine. All patients are synthetic.',
  }),
})

/** Paths of the site's port that are not the site's. */
const ofClinic = /^\/(v1|preview|uploads|documents|visits)\//

/** Says in a response that the platform is local. `isMarked`: for these paths. */
export const markLocal =
  (isMarked: (path: string) => boolean = path => ofClinic.test(path)): Finish =>
  (response, request) => {
    if (isMarked(splitUrl(request.url).path)) response.headers.set(...localHeader)
    return response
  }
