// Consent and device pages for tests. They decide as the query specifies, through the same
// functions as the real pages, and also serve the tool server's document. `person` and
// `integration` stand in for the person's session.

import type { IncomingMessage, ServerResponse } from 'node:http'
import { allScopes } from '#contract/scopes.ts'
import { resourceMetadata, resourceMetadataPaths } from '../endpoints.ts'
import type { AuthorizationServer, OAuthCall } from '../server.ts'

export async function answerPage(
  auth: AuthorizationServer,
  request: IncomingMessage,
  response: ServerResponse,
  { requestId, address }: OAuthCall,
): Promise<void> {
  const { pathname, searchParams: query } = new URL(request.url ?? '', 'http://page.example.com')
  const call = { requestId, address, agent: request.headers['user-agent'] ?? null }
  const person = query.get('person') ?? ''
  const decision = { person, integration: query.get('integration') ?? '' }
  const decide = query.get('decide')
  const json = (status: number, body: unknown) => {
    response.writeHead(status, { 'content-type': 'application/json' })
    response.end(JSON.stringify(body))
  }
  const { issuer } = auth
  const mcp = `${issuer}/mcp`
  if (resourceMetadataPaths(mcp).includes(pathname)) {
    const documentation = 'https://docs.example.com/authentication'
    const described = { issuer, documentation, scopes: allScopes }
    return json(200, JSON.parse(resourceMetadata('mcp', mcp, described)))
  }
  if (pathname.startsWith('/consent/')) {
    const cookie = request.headers.cookie ?? null
    if (decide === null) return json(200, await auth.consents.details(cookie))
    const outcome =
      decide === 'approve'
        ? await auth.consents.approve(cookie, call, decision)
        : await auth.consents.deny(cookie, call, person)
    if (typeof outcome === 'string') return json(409, { outcome })
    return void response.writeHead(303, { location: outcome.returnTo }).end()
  }
  if (pathname !== '/device') return json(404, { error: 'no page' })
  const code = query.get('user_code') ?? ''
  if (decide === null) return json(200, await auth.devices.open(code, person))
  const outcome =
    decide === 'approve'
      ? await auth.devices.approve(code, call, decision)
      : await auth.devices.deny(code, call, person)
  return json(200, { outcome })
}
