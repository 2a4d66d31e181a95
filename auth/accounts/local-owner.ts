// The owner that `npm start` creates for a local integration.
import type { Encryption } from '#database/encryption.ts'
import type { Connection } from '#database/pool.ts'
import { sql } from '#database/sql.ts'
import { ensureLocalPerson, type LocalAccess } from './local-person.ts'

const email = 'owner@example.com'

/** Makes the person from `ensureLocalPerson` an owner of the integration. */
export async function ensureLocalOwner(
  connection: Connection,
  encryption: Encryption,
  { integration, stored }: { integration: string; stored: LocalAccess | null },
): Promise<LocalAccess> {
  const { person, access } = await ensureLocalPerson(connection, encryption, {
    email,
    name: 'Local owner',
    stored,
  })
  await connection.run(sql`
    insert into auth.members (integration, person, role)
    values (${integration}, ${person}, 'owner')
    on conflict (integration, person) do update set role = 'owner', removed_at = null
      where members.role <> 'owner' or members.removed_at is not null`)
  return access
}
