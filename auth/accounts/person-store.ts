// Finds the people who sign in, and verifies their passwords (argon2id) and authenticator codes.
// Pages and sessions use only the interface. Decided in
// docs/decisions/0096-keep-accounts-in-our-own-tables.md.

import type { Encryption } from '#database/encryption.ts'
import type { ConnectionPool, Row } from '#database/pool.ts'
import { sql } from '#database/sql.ts'
import { hashOfNobody, isPassword } from './password-hashing.ts'
import { stepOfCode } from './totp.ts'

export type Person = { readonly id: string; readonly email: string; readonly name: string }

export type PersonStore = {
  /** Finds the person with this address and password. Returns null after the same time for a wrong
   *  password as for an unknown address. `line` is the hashing line that the request waits in. */
  findByPassword(email: string, password: string, line?: string): Promise<Person | null>
  /** Whether the person has an authenticator app or a passkey. */
  hasSecondFactor(person: string): Promise<boolean>
  /** Whether a code is from the person's second factor. Each code is accepted once. */
  useCode(person: string, code: string): Promise<boolean>
}

type Options = {
  /** Connects as app_auth. */
  pool: ConnectionPool
  encryption: Encryption
  now(): number
  /** A hash that no password matches. Verifying against it for an unknown address takes as long as
   *  for a known address. */
  unknown?: string | undefined
}

/** The encryption context. It keeps the secret from decrypting in another person's row. */
export const totpPurpose = (person: string) => `totp ${person}`

type CodeParts = Pick<Options, 'pool' | 'encryption' | 'now'>

/** Whether a code is from the person's authenticator app. Each code is accepted once. */
export async function useAppCode(
  { pool, encryption, now }: CodeParts,
  person: string,
  code: string,
): Promise<boolean> {
  const [row] = await pool.use(connection =>
    connection.run<Pick<FactorRow, 'totp_secret'>>(sql`
      select f.totp_secret from auth.person_factors f join auth.persons p on p.id = f.person
       where f.person = ${person} and p.disabled_at is null`),
  )
  const encrypted = row?.totp_secret ?? null
  const secret = encrypted === null ? null : encryption.open(totpPurpose(person), encrypted)
  const step = secret === null ? null : stepOfCode(secret, code, now())
  if (step === null) return false
  // Compare-and-set: if two requests use the same code, the second changes no row.
  const used = await pool.use(connection =>
    connection.run(sql`
      update auth.person_factors set totp_step = ${step}
       where person = ${person} and totp_secret = ${encrypted}
         and (totp_step is null or totp_step < ${step})
      returning person`),
  )
  return used.length === 1
}

type FactorRow = Row & Person & { password_hash: string; totp_secret: string | null }

export function openPersonStore({
  pool,
  encryption,
  now,
  unknown = hashOfNobody,
}: Options): PersonStore {
  return {
    async findByPassword(email, password, line = 'unknown') {
      const [row] = await pool.use(connection =>
        connection.run<FactorRow>(sql`
          select p.id, p.email, p.name, f.password_hash
            from auth.persons p join auth.person_factors f on f.person = p.id
           where public.normalized_email(p.email) = public.normalized_email(${email}) and p.disabled_at is null`),
      )
      const fits = await isPassword(password, row?.password_hash ?? unknown, line)
      return row && fits ? { id: row.id, email: row.email, name: row.name } : null
    },
    async hasSecondFactor(person) {
      const rows = await pool.use(connection =>
        connection.run(sql`
          select from auth.person_factors f join auth.persons p on p.id = f.person
           where f.person = ${person} and p.disabled_at is null
             and (f.totp_secret is not null
                  or exists (select from auth.passkeys k where k.person = f.person))`),
      )
      return rows.length === 1
    },
    useCode: (person, code) => useAppCode({ pool, encryption, now }, person, code),
  }
}
