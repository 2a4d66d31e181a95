import { say } from '#content/consent.ts'
import config from '#content/site.config.ts'
import { cardOf, toolServers } from '#contract/mcp/servers.ts'

/** The same descriptions as the running tool servers return. */
export const servers = toolServers({ name: config.name, site: config.site, say })

/** The card of a tool server, for each of its addresses. */
export const card = (server: keyof typeof servers) => () =>
  new Response(`${JSON.stringify(cardOf(servers[server], config.site), null, 2)}\n`)
