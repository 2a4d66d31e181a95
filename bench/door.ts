// The front door as gateway/main.ts composes it, over a site of the bench's own making: a page of
// exactly 20 KB, an index of exactly 100 articles. Every bench that needs neither uses the gateway
// itself. Its settings come by standard input, because they hold passwords.
import { readFileSync } from 'node:fs'
import path from 'node:path'
import { openHouse } from '#clinical/house.ts'
import { addressReader } from '#gateway/address.ts'
import { createApp } from '#gateway/app.ts'
import { loadAsk } from '#gateway/content/ask.ts'
import { hostList } from '#gateway/hosts.ts'
import { createLog } from '#gateway/log.ts'
import { contentRoutes } from '#gateway/plugin.ts'
import { loadSite } from '#gateway/site/static.ts'

export type DoorSettings = {
  port: number
  /** A built site, with its index at catalog/search.json. */
  site: string
  /** Never asked for anything unless a clinical path is. */
  urls: { test: string; live: string }
  pepper: string
  poolSize: number
  rateLimit: number
}

function open(settings: DoorSettings): void {
  const base = `http://localhost:${settings.port}`
  const search = readFileSync(path.join(settings.site, 'catalog', 'search.json'), 'utf8')
  const log = createLog('json')
  const app = createApp({
    house: openHouse({
      ...settings,
      base,
      alarm: failure => log.event('call.failed', { message: String(failure) }),
    }),
    isOurs: hostList(base, []),
    addressOf: addressReader([]),
    documents: new Map(),
    content: contentRoutes({ site: loadSite(settings.site), ask: loadAsk(search) }),
    log,
  })
  Bun.serve({ port: settings.port, hostname: '127.0.0.1', fetch: app })
}

if (import.meta.main) open(await Bun.stdin.json())
