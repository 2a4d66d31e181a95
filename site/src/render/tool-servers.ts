import { say } from '#content/consent.ts'
import config from '#content/site.config.ts'
import { cardOf, toolServers } from '#contract/mcp/servers.ts'

/** What the running servers say of themselves, from the same place. */
export const servers = toolServers({ name: config.name, site: config.site, say })

/** The card of one of them, for each of its addresses. */
export const card = (server: keyof typeof servers) => () =>
  new Response(`${JSON.stringify(cardOf(servers[server], config.site), null, 2)}\n`)
