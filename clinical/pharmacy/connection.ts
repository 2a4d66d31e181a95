// A clinic's connection to its pharmacy, read as the role app_pharmacy. Its secrets are encrypted
// and bound to its ID.

import type { Encryption } from '#database/encryption.ts'
import type { Connection, Row } from '#database/pool.ts'
import { sql } from '#database/sql.ts'
import type { Pharmacy } from './provider.ts'

export const secretPurpose = (pharmacy: string) => `secret of the pharmacy ${pharmacy}`

type ConnectionRow = Row & {
  id: string
  organization: string
  name: string
  url: string
  secret: string
  previous: string | null
}

/** Returns null for a connection that was ended or never existed. */
export async function readPharmacy(
  connection: Connection,
  encryption: Encryption,
  id: string,
): Promise<Pharmacy | null> {
  const [row] = await connection.run<ConnectionRow>(sql`
    select id, organization, name, url, secret,
           case when previous_secret_expires_at > clock_timestamp() then previous_secret end as previous
      from pharmacy.connections where id = ${id} and ended_at is null`)
  if (row === undefined) return null
  const secrets = [row.secret, row.previous].flatMap(sealed => {
    const opened = sealed === null ? null : encryption.open(secretPurpose(id), sealed)
    return opened === null ? [] : [opened]
  })
  if (secrets.length === 0) throw new Error('no key decrypts the secret of a pharmacy')
  const { organization, name, url } = row
  return { id, organization, name, url, secrets }
}
