// The sandbox integration that `npm start` creates, so developers can call the API immediately.
import { issueKey, openIntegration } from '#auth/integrations.ts'
import { hashArray, hashesOf, type Peppers } from '#auth/pepper.ts'
import { ensureLocalOwner } from '#auth/accounts/local-owner.ts'
import type { LocalAccess } from '#auth/accounts/local-person.ts'
import type { Encryption } from '#database/encryption.ts'
import { type Connection, openPool, type Row } from '#database/pool.ts'
import { sql } from '#database/sql.ts'
import { addAccess, storedKey } from '../local/stored.ts'
import type { SandboxAccess } from './context.ts'

const sandboxName = 'My sandbox'

type SandboxRow = Row & { integration: string; organization: string }

/** Returns the same access on every start. The key is stored only in dev.json. */
export async function ensureSandbox(
  ownerUrl: string,
  peppers: Peppers,
  dataDir: string,
): Promise<SandboxAccess> {
  const pool = openPool({ url: ownerUrl, size: 1, name: 'sandbox' })
  try {
    return await pool.use(async connection => {
      const key = storedKey(dataDir, 'test')
      const owner = key === null ? null : await ownerOf(connection, hashesOf(peppers, key))
      if (key !== null && owner) return { key, ...owner }
      const access = await createAccess(connection, peppers[0])
      addAccess(dataDir, access)
      return access
    })
  } finally {
    await pool.close()
  }
}

/** The key's integration in this database, if the key is valid. */
async function ownerOf(
  connection: Connection,
  hashes: readonly Uint8Array[],
): Promise<Omit<SandboxAccess, 'key' | 'owner'> | null> {
  const [row] = await connection.run<SandboxRow>(sql`
    select i.id as integration, o.id as organization
      from auth.credentials k
      join auth.integrations i on i.id = k.integration
      join auth.organizations o on o.sandbox_of = i.id
     where k.hash = any (${hashArray(hashes)}) and k.revoked_at is null and i.suspended_at is null
       and (k.expires_at is null or k.expires_at > now())`)
  return row ? { integration: row.integration, organization: row.organization } : null
}

async function createAccess(connection: Connection, pepper: string): Promise<SandboxAccess> {
  const [row] = await connection.run<SandboxRow>(sql`
    select i.id as integration, o.id as organization
      from auth.integrations i join auth.organizations o on o.sandbox_of = i.id
     where i.name = ${sandboxName} and i.suspended_at is null order by i.id limit 1`)
  const { integration, organization } = row ?? (await openIntegration(connection, sandboxName))
  const { key } = await issueKey(connection, pepper, {
    integration,
    mode: 'test',
    name: 'npm start',
  })
  return { key, integration, organization }
}

/** The owner of the sandbox's integration: the same person on every start. The password is stored
 *  only in dev.json. */
export async function ensureOwner(
  ownerUrl: string,
  { integration }: Pick<SandboxAccess, 'integration'>,
  { encryption, stored }: { encryption: Encryption; stored: LocalAccess | null },
): Promise<LocalAccess> {
  const pool = openPool({ url: ownerUrl, size: 1, name: 'local owner' })
  try {
    return await pool.use(connection =>
      ensureLocalOwner(connection, encryption, { integration, stored }),
    )
  } finally {
    await pool.close()
  }
}
