// Creates a person for `npm start`, so a developer can use the pages right away.
import type { Encryption } from '#database/encryption.ts'
import { randomBytes } from '#database/clock.ts'
import type { Connection, Row } from '#database/pool.ts'
import { sql } from '#database/sql.ts'
import { newId } from '../ids.ts'
import { hashPassword } from './password-hashing.ts'
import { totpPurpose } from './person-store.ts'
import { newTotpSecret } from './totp.ts'

/** The credentials a person needs to sign in. */
export type LocalAccess = {
  readonly email: string
  readonly password: string
  /** The secret in base32, as authenticator apps accept it. */
  readonly totp_secret: string
}

type LocalPersonOptions = {
  readonly email: string
  readonly name: string
  /** The credentials stored by an earlier start. */
  readonly stored: LocalAccess | null
}

type PersonRow = Row & { person: string; totp_secret: string | null }

/**
 * Returns `stored` if those credentials still work in this database. Otherwise, creates or
 * restores the person with a new password and second factor. Requires the role that owns the
 * database.
 */
export async function ensureLocalPerson(
  connection: Connection,
  encryption: Encryption,
  { email, name, stored }: LocalPersonOptions,
): Promise<{ readonly person: string; readonly access: LocalAccess }> {
  const [row] = await connection.run<PersonRow>(sql`
    select p.id as person, f.totp_secret
      from auth.persons p left join auth.person_factors f on f.person = p.id
     where public.normalized_email(p.email) = ${email} and p.disabled_at is null`)
  const secret = row?.totp_secret ? encryption.open(totpPurpose(row.person), row.totp_secret) : null
  if (row !== undefined && stored?.email === email && secret === stored.totp_secret) {
    return { person: row.person, access: stored }
  }
  const access = {
    email,
    password: Buffer.from(randomBytes(15)).toString('base64url'),
    totp_secret: newTotpSecret(randomBytes),
  }
  const [found] = await connection.run<{ id: string }>(sql`
    insert into auth.persons (id, email, name) values (${newId('person')}, ${email}, ${name})
    on conflict (public.normalized_email(email)) do update set disabled_at = null
    returning id`)
  const person = found?.id ?? ''
  await connection.run(sql`
    insert into auth.person_factors (person, password_hash, totp_secret)
    values (${person}, ${await hashPassword(access.password, person)},
            ${encryption.encrypt(totpPurpose(person), access.totp_secret)})
    on conflict (person) do update
       set password_hash = excluded.password_hash, totp_secret = excluded.totp_secret,
           totp_step = null`)
  return { person, access }
}
