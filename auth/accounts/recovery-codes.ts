// Ten recovery codes to keep on paper. Each works once in place of the second factor. The database
// stores an HMAC of each code.
import { crockford } from '#contract/ids.ts'
import type { ConnectionPool } from '#database/pool.ts'
import { sql, type Statement } from '#database/sql.ts'
import { hashArray, hashesOf, pepperName, type Peppers } from '../pepper.ts'
import { decide, type OwnAct } from './own-acts.ts'
import { actOf } from '../act.ts'

const count = 10

/** The codes as shown, and the arguments that store them. */
export type NewRecoveryCodes = { readonly codes: readonly string[]; readonly stored: Statement }

const hashed = (person: string, code: string) => `recovery code of ${person}: ${code}`

/** Creates codes of four groups of four characters, which are 80 random bits. */
export function newRecoveryCodes(
  peppers: Peppers,
  person: string,
  random: (count: number) => Uint8Array,
): NewRecoveryCodes {
  const codes = Array.from({ length: count }, () =>
    Array.from(random(16), byte => crockford.charAt(byte & 31))
      .join('')
      .replaceAll(/(.{4})(?=.)/g, '$1-'),
  )
  const hashes = codes.map(code => hashesOf(peppers, hashed(person, plain(code)))[0])
  return { codes, stored: sql`${hashArray(hashes)}, ${pepperName(peppers[0])}` }
}

/** Normalizes a code for hashing: removes dashes, and turns letters that look like digits into
 *  those digits. */
const plain = (code: string): string =>
  code
    .normalize('NFKC')
    .toLowerCase()
    .replaceAll(/[\s-]/g, '')
    .replaceAll('o', '0')
    .replaceAll(/[il]/g, '1')

export const isRecoveryCode = (text: string): boolean =>
  /^[0-9a-hjkmnp-tv-z]{16}$/.test(plain(text))

export const replaceRecoveryCodes = (
  pool: ConnectionPool,
  person: string,
  { stored }: NewRecoveryCodes,
  act: OwnAct,
) => decide(pool, sql`auth.replace_recovery_codes(${person}, ${stored}, ${actOf(act)})`)

/** Uses up a code; returns whether it was valid and unused. */
export async function useRecoveryCode(
  pool: ConnectionPool,
  peppers: Peppers,
  { person, code }: { person: string; code: string },
  act: OwnAct,
): Promise<boolean> {
  const hashes = hashArray(hashesOf(peppers, hashed(person, plain(code))))
  return (
    (await decide(pool, sql`auth.use_recovery_code(${person}, ${hashes}, ${actOf(act)})`)) === null
  )
}
