// Whether this platform is for one person on one machine: nothing on it is reachable from other
// machines, and it uses the database that `npm start` runs. Only such a platform fills live mode
// with synthetic patients, and marks every response as local. No setting makes a platform local;
// every platform is local unless a setting lets others reach the gateway.
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

/** The header on every response from a local platform's API and modules. */
const localHeader = ['service-environment', 'local'] as const

/** The company for pages with sessions, where a banner shows that the platform is local. */
export const siteOf = (config: Config, base: string): Site => ({
  name: company.name,
  url: base,
  email: company.email.sales,
  ...(isLocal(config) && {
    notice: 'Local: runs only on this machine. All patients are synthetic.',
  }),
})

/** Paths on the site's port that don't belong to the site. */
const ofClinic = /^\/(v1|preview|uploads|documents|visits)\//

/** Marks a response as coming from a local platform. `isMarked` selects the paths. */
export const markLocal =
  (isMarked: (path: string) => boolean = path => ofClinic.test(path)): Finish =>
  (response, request) => {
    if (isMarked(splitUrl(request.url).path)) response.headers.set(...localHeader)
    return response
  }
