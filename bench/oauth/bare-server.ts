// The minimum cost of a stored token: Bun.serve, a random value, its HMAC, and one insert of the
// same row as our endpoint's. The bare server authenticates no client, writes no audit row and
// deletes nothing.
import { hashToken, mintAccessToken } from '#auth/tokens.ts'
import { pepperName } from '#auth/pepper.ts'
import { authPoolSettings } from '#auth/pool-settings.ts'
import { newId } from '#auth/ids.ts'
import { randomBytes } from '#database/clock.ts'
import { openPool } from '#database/pool.ts'
import { sql } from '#database/sql.ts'

export type BareSettings = {
  port: number
  database: { url: string; pepper: string }
  /** The clients' token families. Stored tokens go to each in turn. */
  families: readonly { id: string; client: string; integration: string }[]
}

if (import.meta.main) {
  const { port, database, families } = (await Bun.stdin.json()) as BareSettings
  const { url, pepper } = database
  const pool = openPool({ url, size: 16, name: 'bare tokens', settings: authPoolSettings })
  const name = pepperName(pepper)
  let turn = 0
  Bun.serve({
    port,
    hostname: '127.0.0.1',
    async fetch(request) {
      await request.text()
      const family = families[turn++ % families.length]
      const token = mintAccessToken('test', randomBytes(32))
      await pool.use(connection =>
        connection.run(sql`
          insert into auth.credentials (id, kind, integration, mode, name, scopes, hash, last4,
                                        expires_at, family, client, pepper)
          values (${newId('token')}, 'client', ${family?.integration ?? ''}, 'test', 'access token',
                  '{patients:read}', ${hashToken(pepper, token)}, ${token.slice(-4)},
                  clock_timestamp() + interval '1 hour', ${family?.id ?? ''}, ${family?.client ?? ''},
                  ${name})`),
      )
      const body = { access_token: token, token_type: 'Bearer', expires_in: 3600 }
      return Response.json({ ...body, scope: 'patients:read' }, { headers })
    },
  })
}

const headers = { 'cache-control': 'no-store' }
