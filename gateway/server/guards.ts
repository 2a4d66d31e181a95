// What stands before every endpoint of the site's port: which hosts are served, how a client's
// address is read, and the links and marks of a platform without a public address.
import { addressReader, proxyCheck } from '#http/client-address.ts'
import { linkToRequestedOrigin } from '#http/origins/requested-origin.ts'
import type { Router } from '#http/router.ts'
import type { Listeners } from '../origins/listeners.ts'
import type { Config } from '../settings/config.ts'
import { published } from './finishing.ts'
import { describeFailure } from '#database/describe-failure.ts'
import { createHostCheck } from '#http/host-check.ts'
import type { Log } from '#http/log.ts'
import { isLocal, markingLocal } from '../local/marks.ts'

/** Which hosts are served, and how a client's address is read. */
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

function linkingRouter(app: Router, config: Config, listeners: Listeners): Router {
  const { base } = listeners
  return linkToRequestedOrigin(app, {
    base,
    published,
    // Files, and nothing else, answer to ranges.
    isFile: headers => headers.has('accept-ranges'),
    // An answer of the clinical API may hold an address that a developer sent.
    isOfSite: path => !path.startsWith('/v1/') && !path.startsWith('/preview/'),
    isAllowedHost: requestGuards(config, listeners).isAllowedHost,
    isTrustedProxy: proxyCheck(config.trustedProxies),
  })
}

export function routerOf(app: Router, config: Config, listeners: Listeners): Router {
  const router = config.baseUrl === undefined ? linkingRouter(app, config, listeners) : app
  return isLocal(config) ? markingLocal(router) : router
}

/** Logs a failure that a request was answered for. */
export const requestFailure = (log: Log) => (failure: unknown, id: string) =>
  log.event('request.failed', { request_id: id, ...describeFailure(failure) })
