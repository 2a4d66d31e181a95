import { siteAgent } from '#content/agent.ts'
import config from '#content/site.config.ts'
import { hybridCard } from '#contract/site/a2a.ts'
import { acpDiscovery } from '#contract/site/acp.ts'

const file = (document: object) => new Response(`${JSON.stringify(document, null, 2)}\n`)

/** The card of the site's agent for both protocol versions, at the current and the former path. */
export const agentCardFile = () => file(hybridCard(siteAgent))

/** The protocol and the address of the checkout. */
export const acpFile = () => file(acpDiscovery(config.site))
