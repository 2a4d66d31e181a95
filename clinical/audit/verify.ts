// Verifies the audit. Finds rows that were changed, removed or added after signing, seals that were
// changed or removed, a chain with its end cut off, and charges that differ from the audit.

import type { Connection, Row } from '#database/pool.ts'
import { sql } from '#database/sql.ts'
import type { Seal, Signer } from './sign.ts'
import {
  type ChargeDigests,
  type ChargeFinding,
  compareCharges,
  readCharges,
} from './verify-charges.ts'

export type Finding = ChargeFinding | AuditFinding

type AuditFinding = {
  what:
    | 'row_changed'
    | 'row_removed'
    | 'row_added'
    | 'seal_changed'
    | 'seal_missing'
    | 'end_missing'
    | 'key_unknown'
  /** The row's seq, or the seal's number. */
  where: string
}

type VerifyReport = {
  seals: number
  sealed: number
  /** Rows that aren't signed yet. */
  waiting: number
  /** The last seal. A copy stored outside the database later proves that no seals were cut off the
   *  end. */
  head: string | null
  findings: Finding[]
}

/** Identifies a seal by its number and its signature. */
const headOf = (seal: Pick<Seal, 'n' | 'signature'>): string =>
  `${seal.n}:${Buffer.from(seal.signature).toString('hex')}`

const pageRows = 5000
const pageSeals = 200

/** A seal's range of transactions. `hash` is the SHA-256 of its digests when its signature was
 *  checked. The digests are read when their first row is, and each is deleted with its row, so few
 *  are in memory at a time. */
type Span = { n: string; upper: bigint; hash: string; digests: Map<string, string> | null }

/** Reads the whole audit once. `signers` has one signer per secret that signed it. `head` is the
 *  head from an earlier run. */
export async function verifyAudit(
  connection: Connection,
  signers: readonly Signer[],
  head: string | null = null,
): Promise<VerifyReport> {
  const findings: Finding[] = []
  const { spans, last, sealed, met } = await readSeals(connection, signers, findings, head)
  if (head !== null && !met) findings.push({ what: 'end_missing', where: head.split(':')[0] ?? '' })
  const [charges, noted]: [ChargeDigests, ChargeDigests] = [
    await readCharges(connection),
    new Map(),
  ]
  const digestsOf = digestReader(connection, findings)
  const waiting = await readRows(connection, spans, findings, noted, digestsOf)
  for (const span of spans) {
    const removed = span.digests ?? (await digestsOf(span))
    for (const seq of removed.keys()) findings.push({ what: 'row_removed', where: seq })
  }
  findings.push(...(await compareCharges(connection, charges, noted)))
  return { seals: spans.length, sealed, waiting, head: last ? headOf(last) : null, findings }
}

/** Reads the seals in order and checks each signature and its link to the seal before it. */
async function readSeals(
  connection: Connection,
  signers: readonly Signer[],
  findings: Finding[],
  head: string | null,
) {
  const spans: Span[] = []
  let last: Seal | null = null
  let sealed = 0
  let foundHead = false
  for (;;) {
    const page: Seal[] = await connection.run<Row & Seal>(sql`
      select n::text, upper::text, last_seq::text, rows, digests, previous, key, signature
        from audit.signatures where n > ${last?.n ?? '0'}::bigint
       order by signatures.n limit ${pageSeals}::int`)
    for (const seal of page) {
      checkSeal(seal, last, signers, findings)
      foundHead ||= headOf(seal) === head
      sealed += seal.rows
      const { n, upper, digests } = seal
      spans.push({ n, upper: BigInt(upper), hash: hashOf(digests), digests: null })
      last = seal
    }
    if (page.length < pageSeals) return { spans, last, sealed, met: foundHead }
  }
}

function checkSeal(
  seal: Seal,
  before: Seal | null,
  signers: readonly Signer[],
  findings: Finding[],
): void {
  const expected = BigInt(before?.n ?? '0') + 1n
  const isNext = BigInt(seal.n) === expected
  if (!isNext) findings.push({ what: 'seal_missing', where: String(expected) })
  const signer = signers.find(({ key }) => key === seal.key)
  if (!signer) {
    findings.push({ what: 'key_unknown', where: seal.n })
    return
  }
  const same = Buffer.from(signer.sign(seal)).equals(seal.signature)
  const follows = Buffer.from(seal.previous).equals(before?.signature ?? new Uint8Array(0))
  if (!same || (isNext && !follows)) findings.push({ what: 'seal_changed', where: seal.n })
}

const hashOf = (bytes: Uint8Array) => Bun.SHA256.hash(bytes, 'hex')

type DigestReader = (span: Span) => Promise<Map<string, string>>

/** Reads the digests of a seal's rows again, by seq, a page of seals at a time. */
function digestReader(connection: Connection, findings: Finding[]): DigestReader {
  let page = new Map<string, Uint8Array>()
  return async ({ n, hash }) => {
    if (!page.has(n)) {
      const seals = await connection.run<Row & Pick<Seal, 'n' | 'digests'>>(sql`
        select n::text, digests from audit.signatures where n >= ${n}::bigint
         order by signatures.n limit ${pageSeals}::int`)
      page = new Map(seals.map(seal => [seal.n, seal.digests]))
    }
    const all = Buffer.from(page.get(n) ?? '')
    if (hashOf(all) !== hash) findings.push({ what: 'seal_changed', where: n })
    const digests = new Map<string, string>()
    for (let at = 0; at + 16 <= all.length; at += 16) {
      digests.set(String(all.readBigInt64BE(at)), all.toString('hex', at + 8, at + 16))
    }
    return digests
  }
}

/** Who did what, according to the row's current columns. */
export type Described = {
  seq: string
  at: string
  surface: string
  action: string
  actor: string | null
  person: string | null
  client: string | null
}

/** Returns the rows named in findings that still exist. */
export const describeRows = (connection: Connection, seqs: readonly string[]) =>
  connection.run<Row & Described>(sql`
    select seq::text, to_char(at at time zone 'utc', 'YYYY-MM-DD"T"HH24:MI:SS"Z"') as at, surface,
           action, actor, person, client
      from audit.entries where seq = any (${seqs}::text[]::bigint[])`)

type AuditRow = Row & { seq: string; xid: string; leaf: Uint8Array; charge: string | null }

/** Removes each row's digest from its seal; digests that remain belong to removed rows. Also
 *  collects the charge digests in rows. Returns how many rows aren't signed yet. */
async function readRows(
  connection: Connection,
  spans: Span[],
  findings: Finding[],
  charges: ChargeDigests,
  digestsOf: DigestReader,
): Promise<number> {
  let waiting = 0
  let seq = '0'
  for (;;) {
    const page: AuditRow[] = await connection.run<AuditRow>(sql`
      select seq::text, xid::text, audit.entry_digest(e) as leaf,
             case when surface = 'billing' then target || ' ' || (to_jsonb(e) ->> 'shape') end as charge
        from audit.entries e
       where seq > ${seq}::bigint order by e.seq limit ${pageRows}::int`)
    for (const row of page) {
      const [id, digest] = row.charge?.split(' ') ?? []
      if (id !== undefined && digest !== undefined) charges.set(id, digest)
      const span = spanOf(spans, BigInt(row.xid))
      if (!span) {
        waiting++
        continue
      }
      span.digests ??= await digestsOf(span)
      const sealedDigest = span.digests.get(row.seq)
      const leaf = Buffer.from(row.leaf).toString('hex', 8)
      span.digests.delete(row.seq)
      if (sealedDigest === undefined) findings.push({ what: 'row_added', where: row.seq })
      else if (sealedDigest !== leaf) findings.push({ what: 'row_changed', where: row.seq })
    }
    seq = page.at(-1)?.seq ?? seq
    if (page.length < pageRows) return waiting
  }
}

/** Returns the first seal that includes or follows transaction `xid`. */
function spanOf(spans: readonly Span[], xid: bigint): Span | undefined {
  let low = 0
  let high = spans.length
  while (low < high) {
    const middle = (low + high) >> 1
    if ((spans[middle]?.upper ?? 0n) > xid) high = middle
    else low = middle + 1
  }
  return spans[low]
}
