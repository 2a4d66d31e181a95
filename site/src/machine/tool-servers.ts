import { say } from '#content/consent.ts'
import config from '#content/site.config.ts'
import { cardOf, toolServers } from '#contract/mcp/servers.ts'

/** Tool descriptions, identical to the running tool servers'. */
export const servers = toolServers({ name: config.name, site: config.site, say })

/** A tool server's card, for each of its URLs. */
export const card = (server: keyof typeof servers) => () =>
  new Response(`${JSON.stringify(cardOf(servers[server], config.site), null, 2)}\n`)
