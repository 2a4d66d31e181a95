// The endpoint that issues client tokens, in a separate process.
import { createServer } from 'node:http'
import { createLimiters } from '#auth/oauth/limiters.ts'
import { createAuthorizationServer } from '#auth/oauth/server.ts'
import { createRateLimiter } from '#http/limits/rate-limiter.ts'
import { openPool } from '#database/pool.ts'
import { authPoolSettings } from '#auth/pool-settings.ts'

export type TokenServerSettings = {
  port: number
  database: { url: string; pepper: string }
}

function ours(issuer: string, { url, pepper }: TokenServerSettings['database']) {
  const pool = openPool({ url, size: 10, name: 'authorization server', settings: authPoolSettings })
  const policy = { policy: 'tokens', quota: Number.MAX_SAFE_INTEGER, window: 60 }
  const server = createAuthorizationServer({
    issuer,
    resources: { api: issuer, mcp: `${issuer}/mcp` },
    pool,
    peppers: [pepper],
    documentation: issuer,
    // The benchmark measures the endpoint, not its rate limit.
    limiters: { ...createLimiters(), tokens: createRateLimiter('tokens', policy) },
    consentPath: id => `/consent/${id}`,
    onError: failure => console.error(failure),
  })
  const call = { requestId: 'req_bench', address: '203.0.113.7' }
  return createServer((request, response) => void server.answer(request, response, call))
}

if (import.meta.main) {
  const { port, database } = (await Bun.stdin.json()) as TokenServerSettings
  ours(`http://127.0.0.1:${port}`, database).listen(port, '127.0.0.1')
}
