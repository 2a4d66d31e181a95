import { siteAgent } from '#content/agent.ts'
import { fill } from '#content/fill.ts'
import config from '#content/site.config.ts'
import { siteLimits } from '#contract/limits.ts'
import { resourceMetadataPath } from '#contract/oauth.ts'
import { hybridCard } from '#contract/site/a2a.ts'
import { acpDiscovery } from '#contract/site/acp.ts'
import { address } from './markdown-version.ts'

const file = (document: object) => new Response(`${JSON.stringify(document, null, 2)}\n`)

/** The card of the site's agent for both protocol versions, at the current and the former path. */
export const agentCardFile = () => file(hybridCard(siteAgent))

/** The checkout's protocol and URL. */
export const acpFile = () => file(acpDiscovery(config.site))

/** The rate limit of the site's dynamic endpoints, in words. */
export const quota = `${siteLimits.ratePerWindow} requests in ${siteLimits.rateWindowSeconds} seconds`

/** Tells agents that look for registration that none is needed. */
export function authMd(): string {
  return `# auth.md

This site's API is anonymous. It has no accounts, keys, tokens or OAuth. The clinical API is separate and uses credentials; see the end.

## Discover

See ${address('/openapi.json')} and ${address('/developers.md')}.

## Pick a method

No authentication. Don't send an Authorization header.

## Register

Not available. This API has no registration, claim or revocation endpoint, and no OAuth server.

## Use

Call the endpoints directly, at most ${quota} from one IP address.

## Errors

Problems are \`application/problem+json\` (RFC 9457) with a \`code\` and a \`hint\`. This API never returns 401 or 403 for credentials.

## The clinical API is separate

It's at ${config.api}/v1 and takes API keys and access tokens.

- Discover: ${config.api}${resourceMetadataPath} (RFC 9728) names its authorization server, and a 401 links to that document. The server's metadata (RFC 8414) lists its endpoints, including registration and revocation.
- Register: open (RFC 7591), without a secret, or use the URL of a Client ID Metadata Document. PKCE with S256 is required.
- Get a token: a teammate approves an agent (authorization code) or a device (RFC 8628) in the browser. These tokens work in test mode. Servers use client credentials; create their clients in the portal.
- Revoke: RFC 7009.
- Tools: an MCP server for the same operations has its own URL and takes the same tokens: ${address('/docs/tool-server.md')}.

${address('/docs/oauth.md')} has each request. A local sandbox includes all of this, plus a key: ${address('/docs/quickstart.md')}. ${fill('{live}')}
`
}
