// A person's second factors: an authenticator app, and passkeys. Once a person has a factor, they
// always keep at least one.
import type { Encryption } from '#database/encryption.ts'
import type { ConnectionPool, Row } from '#database/pool.ts'
import { sql } from '#database/sql.ts'
import { decide, type OwnAct } from './own-acts.ts'
import { totpPurpose } from './person-store.ts'
import type { NewRecoveryCodes } from './recovery-codes.ts'
import { stepOfCode } from './totp.ts'
import { actOf } from '../act.ts'

export type Passkey = {
  readonly id: string
  readonly name: string
  readonly created_at: string
  readonly last_used_at: string | null
}

export type Factors = {
  readonly hasTotp: boolean
  /** The encrypted secret, compared before it's replaced. */
  readonly totpSecret: string | null
  readonly passkeys: readonly Passkey[]
  readonly recoveryCodesLeft: number
}

type FactorsRow = Row & { totp_secret: string | null; passkeys: Passkey[]; codes: number }

export async function listFactors(pool: ConnectionPool, person: string): Promise<Factors> {
  const [row] = await pool.use(connection =>
    connection.run<FactorsRow>(sql`
      select f.totp_secret,
             (select coalesce(json_agg(json_build_object('id', k.id, 'name', k.name,
                       'created_at', iso(k.created_at), 'last_used_at', iso(k.last_used_at))
                       order by k.created_at, k.id), '[]')
                from auth.passkeys k where k.person = f.person) as passkeys,
             (select count(*)::int from auth.recovery_codes c
               where c.person = f.person and c.used_at is null) as codes
        from auth.person_factors f where f.person = ${person}`),
  )
  const totpSecret = row?.totp_secret ?? null
  return {
    hasTotp: totpSecret !== null,
    totpSecret,
    passkeys: row?.passkeys ?? [],
    recoveryCodesLeft: row?.codes ?? 0,
  }
}

export const hasFactor = ({ hasTotp, passkeys }: Factors): boolean => hasTotp || passkeys.length > 0

type Enrolment = {
  readonly person: string
  /** The encrypted secret that the new secret replaces. */
  readonly older: string | null
  /** The secret, in base32. */
  readonly secret: string
  readonly code: string
  /** Null keeps the person's current factors. */
  readonly recoveryCodes: NewRecoveryCodes | null
}

/** Adds an authenticator app once a code proves that it has the secret. Uses up the code. */
export async function setTotp(
  { pool, encryption, now }: { pool: ConnectionPool; encryption: Encryption; now(): number },
  { person, older, secret, code, recoveryCodes }: Enrolment,
  act: OwnAct,
) {
  const step = stepOfCode(secret, code, now())
  if (step === null) return 'wrong_code'
  const stored = recoveryCodes?.stored ?? sql`null::bytea[], null::text`
  return decide(
    pool,
    sql`auth.set_totp(${person}, ${older}::text, ${encryption.encrypt(totpPurpose(person), secret)},
      ${step}::bigint, ${stored}, ${actOf(act)})`,
  )
}

/** A null `passkey` means the authenticator app. */
export const removeFactor = (
  pool: ConnectionPool,
  { person, passkey }: { person: string; passkey: string | null },
  act: OwnAct,
) => decide(pool, sql`auth.remove_factor(${person}, ${passkey}::text, ${actOf(act)})`)
