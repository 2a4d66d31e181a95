import { say } from '#content/consent.ts'
import config from '#content/site.config.ts'
import { cardOf, toolServers } from '#contract/mcp/servers.ts'

/** The same descriptions that the running tool servers return. */
export const servers = toolServers({ name: config.name, site: config.site, say })

/** A tool server's card, for each of its URLs. */
export const card = (server: keyof typeof servers) => () =>
  new Response(`${JSON.stringify(cardOf(servers[server], config.site), null, 2)}\n`)
