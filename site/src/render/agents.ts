import { siteAgent } from '#content/agent.ts'
import config from '#content/site.config.ts'
import { hybridCard } from '#contract/site/a2a.ts'
import { acpDiscovery } from '#contract/site/acp.ts'

const file = (document: object) => new Response(`${JSON.stringify(document, null, 2)}\n`)

/** The card of the site's agent, for callers of either version, at today's path and the older. */
export const agentCardFile = () => file(hybridCard(siteAgent))

/** What the checkout speaks, and where. */
export const acpFile = () => file(acpDiscovery(config.site))
