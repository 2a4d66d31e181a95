// The endpoint that issues tokens to clients, in a process of its own: ours with its database, or
// oidc-provider as it comes, with its tokens in memory.
import { createServer } from 'node:http'
import { createLimiters } from '#auth/oauth/limiters.ts'
import { createAuthorizationServer } from '#auth/oauth/server.ts'
import { Provider } from '#auth/oauth/library/library.ts'
import { createRateLimiter } from '#http/limits/rate-limiter.ts'
import { openPool } from '#database/pool.ts'
import { authPoolSettings } from '#auth/pool-settings.ts'

export type TokenServerSettings = {
  port: number
  /** Absent: oidc-provider in memory. */
  database?: { url: string; pepper: string }
  client: { id: string; secret: string }
}

function ours(issuer: string, { url, pepper }: NonNullable<TokenServerSettings['database']>) {
  const pool = openPool({ url, size: 10, name: 'authorization server', settings: authPoolSettings })
  const policy = { policy: 'tokens', quota: Number.MAX_SAFE_INTEGER, window: 60 }
  const server = createAuthorizationServer({
    issuer,
    resources: { api: issuer, mcp: `${issuer}/mcp` },
    pool,
    peppers: [pepper],
    documentation: issuer,
    // What is measured is the endpoint, not its limit.
    limiters: { ...createLimiters(), tokens: createRateLimiter('tokens', policy) },
    consentPath: id => `/consent/${id}`,
    onError: failure => console.error(failure),
  })
  const call = { requestId: 'req_bench', address: '203.0.113.7' }
  return createServer((request, response) => void server.answer(request, response, call))
}

function inMemory(issuer: string, { id, secret }: TokenServerSettings['client']) {
  const provider = new Provider(issuer, {
    routes: { token: '/api/auth/oauth2/token' },
    features: { clientCredentials: { enabled: true }, devInteractions: { enabled: false } },
    scopes: ['patients:read'],
    clients: [
      {
        client_id: id,
        client_secret: secret,
        grant_types: ['client_credentials'],
        redirect_uris: [],
        response_types: [],
        scope: 'patients:read',
      },
    ],
  })
  return createServer(provider.callback() as Parameters<typeof createServer>[1])
}

if (import.meta.main) {
  const settings = (await Bun.stdin.json()) as TokenServerSettings
  const { port, database, client } = settings
  const issuer = `http://127.0.0.1:${port}`
  const server = database === undefined ? inMemory(issuer, client) : ours(issuer, database)
  server.listen(port, '127.0.0.1')
}
