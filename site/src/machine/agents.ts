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

/** The protocol and the address of the checkout. */
export const acpFile = () => file(acpDiscovery(config.site))

/** The limit of the site's dynamic endpoints, in words. */
export const quota = `${siteLimits.ratePerWindow} requests in ${siteLimits.rateWindowSeconds} seconds`

/** Tells agents that look for a registration that none is needed. */
export function authMd(): string {
  return `# auth.md

The API of this site is anonymous. No account, key, token or OAuth flow exists for it, and none is issued. The clinical API is another one, with credentials: see the end.

## Discover

What there is: ${address('/openapi.json')} and ${address('/developers.md')}.

## Pick a method

There is one method: none. Send no Authorization header.

## Register

Not offered. For this API there is no registration, claim or revocation endpoint, and no OAuth server.

## Use

Call the endpoints directly, at most ${quota} from one IP address.

## Errors

Problems are \`application/problem+json\` (RFC 9457) with a \`code\` and a \`hint\`. 401 and 403 are never used for credentials here.

## The clinical API is another API

It lives at ${config.api}/v1, and takes API keys and access tokens.

- Discover: ${config.api}${resourceMetadataPath} (RFC 9728) names its authorization server, and a 401 there names that document. The server's endpoints, registration and revocation among them, are in its metadata (RFC 8414).
- Register: open (RFC 7591), without a secret, or use the address of a client id metadata document. PKCE with S256 is required.
- Get a token: a member of an integration agrees in the browser, for an agent (authorization code) or a device (RFC 8628). Such tokens are of test mode. Servers get theirs with client credentials; their clients are made in the portal.
- Revoke: RFC 7009.
- Tools: a tool server (MCP) over the same operations has an address of its own, and takes the same tokens: ${address('/docs/tool-server.md')}.

${address('/docs/oauth.md')} has each request. A sandbox on your own machine has all of it, and a key: ${address('/docs/quickstart.md')}. ${fill('{live}')}
`
}
