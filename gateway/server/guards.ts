// Checks that run before every endpoint on the site's port: which hosts are served, and how to
// determine a client's address. Also the links and marks of a platform without a public address.
import { addressReader, proxyCheck } from '#http/client-address.ts'
import { linkToRequestedOrigin } from '#http/origins/requested-origin.ts'
import type { Finish } from '#http/router.ts'
import type { Listeners } from '../origins/listeners.ts'
import type { Config } from '../settings/config.ts'
import { published } from './finishing.ts'
import { createHostCheck } from '#http/host-check.ts'
import { isLocal, markLocal } from '../local/marks.ts'

/** The served hosts, and how to determine a client's address. */
export function requestGuards(config: Config, { base, hosts }: Listeners) {
  const isKnownHost = createHostCheck(base, config.allowedHosts)
  const refusalFor = (header: (name: string) => string | null) => hosts.refusalAt('site', header)
  return {
    isKnownHost,
    isAllowedHost: (host: string | null) =>
      isKnownHost(host) && refusalFor(name => (name === 'host' ? host : null)) === undefined,
    refuse: ({ headers }: Request) => refusalFor(name => headers.get(name)),
    addressOf: addressReader(config.trustedProxies),
    isTls: config.tls !== undefined,
  }
}

/** The functions that finish every response. */
export function finishOf(config: Config, listeners: Listeners): Finish[] {
  const links = linkToRequestedOrigin({
    base: listeners.base,
    published,
    // Only files support range requests.
    isFile: headers => headers.has('accept-ranges'),
    // A clinical API response may contain URLs that a developer sent.
    isOfSite: path => !path.startsWith('/v1/') && !path.startsWith('/preview/'),
    isAllowedHost: requestGuards(config, listeners).isAllowedHost,
    isTrustedProxy: proxyCheck(config.trustedProxies),
  })
  return [
    ...(config.baseUrl === undefined ? [links] : []),
    ...(isLocal(config) ? [markLocal()] : []),
  ]
}
