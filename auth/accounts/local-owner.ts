// The person that `npm start` creates, so that the pages can be used at once on one machine.
import type { Encryption } from '#database/encryption.ts'
import { randomBytes } from '#database/clock.ts'
import type { Connection, Row } from '#database/pool.ts'
import { sql } from '#database/sql.ts'
import { newId } from '../ids.ts'
import { hashPassword, totpPurpose } from './person-store.ts'
import { newTotpSecret } from './totp.ts'

/** What a person needs to sign in. */
export type LocalOwner = {
  readonly email: string
  readonly password: string
  /** In base32, as an authenticator app takes it. */
  readonly totp_secret: string
}

const email = 'owner@example.com'

type OwnerRow = Row & { person: string; totp_secret: string | null }

/**
 * An owner of the integration: the stored one if it is still that of this database, else the same
 * person with a new password and a new second factor. Needs the role that owns the database.
 */
export async function ensureLocalOwner(
  connection: Connection,
  encryption: Encryption,
  { integration, stored }: { integration: string; stored: LocalOwner | null },
): Promise<LocalOwner> {
  const [row] = await connection.run<OwnerRow>(sql`
    select p.id as person, f.totp_secret
      from auth.persons p
      join auth.members m on m.person = p.id and m.removed_at is null and m.integration = ${integration}
      left join auth.person_factors f on f.person = p.id
     where lower(p.email) = ${email} and p.disabled_at is null`)
  const secret = row?.totp_secret ? encryption.open(totpPurpose(row.person), row.totp_secret) : null
  if (stored !== null && secret === stored.totp_secret) return stored
  return create(connection, encryption, integration)
}

async function create(
  connection: Connection,
  encryption: Encryption,
  integration: string,
): Promise<LocalOwner> {
  const owner = {
    email,
    password: Buffer.from(randomBytes(15)).toString('base64url'),
    totp_secret: newTotpSecret(randomBytes),
  }
  const [found] = await connection.run<{ id: string }>(sql`
    insert into auth.persons (id, email, name)
    values (${newId('person')}, ${email}, 'Local owner')
    on conflict (lower(email)) do update set disabled_at = null
    returning id`)
  const person = found?.id ?? ''
  await connection.run(sql`
    with member as (
      insert into auth.members (integration, person, role) values (${integration}, ${person}, 'owner')
      on conflict (integration, person) do update set role = 'owner', removed_at = null
    )
    insert into auth.person_factors (person, password_hash, totp_secret)
    values (${person}, ${await hashPassword(owner.password)},
            ${encryption.encrypt(totpPurpose(person), owner.totp_secret)})
    on conflict (person) do update
       set password_hash = excluded.password_hash, totp_secret = excluded.totp_secret,
           totp_step = null`)
  return owner
}
