// All modules' listeners, one port each, and their hosts and URLs.
import { ownOrigin, type OwnOrigin } from '#http/origins/own-origin.ts'
import type { PlainEndpoint, RouterOptions } from '#http/router.ts'
import { baseUrlOf, type Config } from '../settings/config.ts'
import { listen } from './listen.ts'
import { isLocal, markLocal } from '../local/marks.ts'
import { type Guard, guardOf } from './guard.ts'
import { type Hosts, openHosts } from './hosts.ts'
import { moduleRouter } from './module-router.ts'
import { listenForNode, type NodeListener } from './node-listener.ts'
import { type ModuleName, moduleNames, type ModuleUrls, moduleUrls } from '../settings/origins.ts'

export type Listeners = {
  readonly site: ReturnType<typeof listen>
  /** Listens with node:http. */
  readonly auth: NodeListener
  /** The public origin of the site and the API, and the other modules' public URLs. */
  readonly base: string
  readonly urls: ModuleUrls
  readonly hosts: Hosts
  readonly own: Readonly<Record<ModuleName, OwnOrigin>>
  readonly guards: Readonly<Record<ModuleName, Guard>>
  serveModules(parts: ServedModules): void
  /** Keeps serving, but tells each client to open its next connection elsewhere. */
  leave(): void
  /** Resolves when running requests have finished, or immediately with `now`. */
  stop(now?: boolean): Promise<unknown>
}

type ServedModules = Pick<RouterOptions, 'addressOf' | 'newRequestId' | 'log' | 'onError'> & {
  readonly modules: Readonly<Record<OurModule, ServedModule>>
}

/** A module that our router serves. */
export type ServedModule = {
  readonly endpoints: readonly PlainEndpoint[]
  readonly groups?: RouterOptions['groups']
  /** Handles every other path; if absent, nothing is served there. */
  readonly fallback?: RouterOptions['fallback']
}

const ourModules = ['mcp', 'portal', 'console'] as const
type OurModule = (typeof ourModules)[number]

/** Opens every port first, because links and host checks use all the port numbers. */
export async function openListeners(config: Config): Promise<Listeners> {
  const { host, origins, tls } = config
  const isSecure = (url: string | undefined) =>
    tls !== undefined || url?.startsWith('https:') === true
  const site = listen(host, config.port, tls, isSecure(config.baseUrl))
  const auth = await listenForNode(host, origins.auth.port, tls, isSecure(origins.auth.url))
  const open = (name: OurModule) =>
    listen(host, origins[name].port, tls, isSecure(origins[name].url))
  const ours = { mcp: open('mcp'), portal: open('portal'), console: open('console') }
  const all = [site, auth, ...Object.values(ours)]
  const ports = {
    site: site.port,
    auth: auth.port,
    mcp: ours.mcp.port,
    portal: ours.portal.port,
    console: ours.console.port,
  }
  const base = baseUrlOf(config, site.port)
  const urls = moduleUrls(origins, ports)
  const hosts = openHosts({ base, urls, ports })
  const own = forEach(name => ownOrigin(urls[name], name))
  const guards = forEach(name => guardOf(name, hosts, own[name]))
  return {
    site,
    auth,
    base,
    urls,
    hosts,
    own,
    guards,
    serveModules({ modules, ...parts }) {
      for (const name of ourModules) {
        const guard = guards[name]
        const router = moduleRouter({
          finish: isLocal(config) ? [markLocal(() => true)] : [],
          ...parts,
          guard,
          base,
          isTls: tls !== undefined,
          ...modules[name],
        })
        ours[name].serve(router)
      }
    },
    leave() {
      for (const each of all) each.leave()
    },
    stop: now => Promise.all(all.map(each => each.stop(now))),
  }
}

const forEach = <T>(make: (name: ModuleName) => T) =>
  Object.fromEntries(moduleNames.map(name => [name, make(name)])) as Record<ModuleName, T>
