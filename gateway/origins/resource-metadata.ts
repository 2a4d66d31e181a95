// What a client of the tool server reads first: which authorization server its tokens come from
// (RFC 9728). At the root and before the path of the tool server, because clients ask for either.
import { resourceMetadata, resourceMetadataPaths } from '#auth/oauth/endpoints.ts'
import type { PlainEndpoint } from '#http/router.ts'
import type { Listeners } from './listeners.ts'

export function toolServerMetadata({ urls, base }: Pick<Listeners, 'urls' | 'base'>) {
  const documentation = `${base}/docs/tool-server`
  const text = resourceMetadata('mcp', urls.mcp, { issuer: urls.auth, documentation })
  const headers = {
    'content-type': 'application/json',
    'cache-control': 'public, max-age=3600',
    // A page of any origin may be the client.
    'access-control-allow-origin': '*',
    'cross-origin-resource-policy': 'cross-origin',
  }
  return resourceMetadataPaths(urls.mcp).map((path): PlainEndpoint => ({
    path,
    answer: () => new Response(text, { headers }),
  }))
}
