// The documents that a tool server's client reads first: the resource metadata (RFC 9728), which
// names the authorization server, and the server card (SEP-2127). The metadata is served both at
// the root and before the tool server's path, because clients request either.
import company from '#content/site.config.ts'
import { resourceMetadata, resourceMetadataPaths } from '#auth/oauth/endpoints.ts'
import { clinicalCard, serverCardType, serverCardUrl } from '#contract/tools/server.ts'
import { toolScopes } from '#contract/tools/listing.ts'
import { preflightHeaders } from '#http/headers.ts'
import type { PlainEndpoint } from '#http/router.ts'
import type { Listeners } from './listeners.ts'

export function toolServerMetadata({ urls, base }: Pick<Listeners, 'urls' | 'base'>) {
  const metadata = resourceMetadata('mcp', urls.mcp, {
    issuer: urls.auth,
    documentation: `${base}/docs/tool-server`,
    scopes: toolScopes,
  })
  const card = `${JSON.stringify(clinicalCard(company, urls.mcp, base), null, 2)}\n`
  // The client may be a page on any origin.
  const open = {
    'access-control-allow-origin': '*',
    'cross-origin-resource-policy': 'cross-origin',
  }
  const headers = { ...open, 'cache-control': 'public, max-age=3600' }
  // The protocol's libraries send the protocol's version in a header, and such a header triggers a
  // CORS preflight.
  const preflight = () =>
    new Response(null, {
      status: 204,
      headers: { ...open, ...preflightHeaders('GET, HEAD, OPTIONS') },
    })
  const document = (path: string, text: string, type: string): PlainEndpoint => ({
    path,
    answer: ({ method }) =>
      method === 'OPTIONS'
        ? preflight()
        : new Response(text, { headers: { ...headers, 'content-type': type } }),
  })
  return [
    ...resourceMetadataPaths(urls.mcp).map(path => document(path, metadata, 'application/json')),
    document(new URL(serverCardUrl(urls.mcp)).pathname, card, serverCardType),
  ]
}
