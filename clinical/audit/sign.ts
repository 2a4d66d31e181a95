// Signs the audit. Each batch gets a seal, which signs the digests of the batch's rows and the
// previous seal's signature, with a key that isn't in the database. verify.ts verifies the chain.
// Decided in docs/decisions/0020-sign-the-audit-in-batches.md.

import type { Connection, Row } from '#database/pool.ts'
import { sql } from '#database/sql.ts'

/** A row in audit.seals. Numbers that may exceed 2^53 are text. */
export type Seal = {
  n: string
  upper: string
  last_seq: string
  rows: number
  digests: Uint8Array
  previous: Uint8Array
  key: string
  signature: Uint8Array
}

/** Signs with a secret; `key` identifies the secret without revealing it. */
export type Signer = {
  readonly key: string
  sign(seal: Omit<Seal, 'key' | 'signature'>): Uint8Array
}

const rowsMax = 10_000
const nothing = new Uint8Array(0)

export function signerOf(secret: string): Signer {
  const key = new Bun.CryptoHasher('sha256').update(`name of ${secret}`).digest('hex').slice(0, 8)
  return {
    key,
    sign({ n, upper, last_seq, rows, digests, previous }) {
      const header = JSON.stringify([n, upper, last_seq, rows, key])
      return new Bun.CryptoHasher('sha256', secret)
        .update(`${header}\n`)
        .update(previous)
        .update(digests)
        .digest()
    },
  }
}

type Pending = Row & Pick<Seal, 'upper' | 'last_seq' | 'rows' | 'digests'>

/** Signs the next batch of finished rows; returns the new seal, or null when no row was waiting or
 *  another worker signed the batch first. */
export async function signOnce(connection: Connection, signer: Signer): Promise<Seal | null> {
  // The column is qualified, because a bare `n` is the output column, which is text and sorts '9'
  // after '10'.
  const [last] = await connection.run<Row & Seal>(sql`
    select n::text, upper::text, last_seq::text, signature from audit.signatures
     order by signatures.n desc limit 1`)
  const lower = last?.upper ?? '0'
  const lastSeq = last?.last_seq ?? '0'
  const [pending] = await connection.run<Pending>(sql`
    select upper::text, last_seq::text, rows, digests
      from audit.unsigned_entries(${lower}::text::xid8, ${lastSeq}::bigint, ${rowsMax}::int)`)
  if (!pending || pending.rows === 0) return null
  const n = String(BigInt(last?.n ?? '0') + 1n)
  const unsigned = { ...pending, n, previous: last?.signature ?? nothing }
  const seal = { ...unsigned, key: signer.key, signature: signer.sign(unsigned) }
  const made = await connection.run(sql`
    insert into audit.signatures (n, upper, last_seq, rows, digests, previous, key, signature)
    values (${seal.n}::bigint, ${seal.upper}::text::xid8, ${seal.last_seq}::bigint,
            ${seal.rows}::int, ${seal.digests}, ${seal.previous}, ${seal.key}, ${seal.signature})
    on conflict (n) do nothing returning n`)
  return made.length > 0 ? seal : null
}
