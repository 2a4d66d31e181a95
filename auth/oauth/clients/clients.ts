// Converts clients to the library's format.

import { isId } from '#contract/ids.ts'
import type { Connection, Row } from '#database/pool.ts'
import { sql } from '#database/sql.ts'
import { isSecureLoopback } from './redirect-uris.ts'

type ClientRow = Row & {
  kind: 'confidential' | 'registered'
  name: string
  scopes: string[] | null
  metadata: { redirect_uris?: string[]; grant_types?: string[]; scope?: string }
  secrets: string[]
}

/** The library requires a secret, which the database doesn't have, because secrets are stored and
 *  compared as HMACs. */
const noSecret = 'kept as an HMAC'

export async function findClient(connection: Connection, id: string) {
  if (!isId('cli', id)) return undefined
  const [found] = await connection.run<ClientRow>(sql`
    select c.kind, c.name, c.scopes, c.metadata, array(
             select encode(s.hash, 'hex') from auth.client_secrets s
              where s.client = c.id and s.revoked_at is null
                and (s.expires_at is null or s.expires_at > now())) as secrets
      from auth.clients c left join auth.integrations i on i.id = c.integration
     where c.id = ${id} and c.revoked_at is null and i.suspended_at is null`)
  if (found === undefined) return undefined
  const payload = found.kind === 'confidential' ? confidential(id, found) : registered(id, found)
  return { payload, secretHashes: found.secrets }
}

const confidential = (id: string, { name, scopes }: ClientRow) => ({
  client_id: id,
  client_name: name,
  client_secret: noSecret,
  token_endpoint_auth_method: 'client_secret_basic',
  grant_types: ['client_credentials'],
  response_types: [],
  redirect_uris: [],
  scope: (scopes ?? []).join(' '),
})

function registered(id: string, { name, metadata }: ClientRow) {
  const { redirect_uris = [], grant_types = [] } = metadata
  return {
    client_id: id,
    client_name: name,
    token_endpoint_auth_method: 'none',
    // Native clients may use any loopback port. The library accepts https at loopback only for web
    // clients.
    application_type: redirect_uris.some(isSecureLoopback) ? 'web' : 'native',
    grant_types,
    response_types: grant_types.includes('authorization_code') ? ['code'] : [],
    redirect_uris,
    ...(metadata.scope === undefined ? {} : { scope: metadata.scope }),
  }
}
