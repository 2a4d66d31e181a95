// Finds what was done to the audit behind its back: a row changed, removed or added after it was
// sealed, a seal changed or taken out, an end cut off.

import type { Connection, Row } from '#database/pool.ts'
import { sql } from '#database/sql.ts'
import type { Seal, Signer } from './sign.ts'

export type Finding = {
  what:
    | 'row_changed'
    | 'row_removed'
    | 'row_added'
    | 'seal_changed'
    | 'seal_missing'
    | 'end_missing'
    | 'key_unknown'
  /** The row's seq, or the seal's n. */
  where: string
}

export type Verified = {
  seals: number
  sealed: number
  /** Rows that no seal covers yet. */
  waiting: number
  /** The last seal, to keep somewhere else: it shows later that no end was cut off. */
  head: string | null
  findings: Finding[]
}

/** A seal told apart from any other: its number and its signature. */
const headOf = (seal: Pick<Seal, 'n' | 'signature'>): string =>
  `${seal.n}:${Buffer.from(seal.signature).toString('hex')}`

const pageRows = 5000
const pageEncryptions = 200

type Span = { n: string; upper: bigint; digests: Map<string, string> }

/** Reads the whole audit once. `head` is that of an earlier run, if one was kept. */
export async function verifyAudit(
  connection: Connection,
  signer: Signer,
  head: string | null = null,
): Promise<Verified> {
  const findings: Finding[] = []
  const { spans, last, sealed, met } = await readEncryptedWith(connection, signer, findings, head)
  if (head !== null && !met) findings.push({ what: 'end_missing', where: head.split(':')[0] ?? '' })
  const waiting = await readRows(connection, spans, findings)
  for (const { digests } of spans) {
    for (const seq of digests.keys()) findings.push({ what: 'row_removed', where: seq })
  }
  return { seals: spans.length, sealed, waiting, head: last ? headOf(last) : null, findings }
}

/** The seals in order, each judged by its signature and by the one before it. */
async function readEncryptedWith(
  connection: Connection,
  signer: Signer,
  findings: Finding[],
  head: string | null,
) {
  const spans: Span[] = []
  let last: Seal | null = null
  let sealed = 0
  let met = false
  for (;;) {
    const page: Seal[] = await connection.run<Row & Seal>(sql`
      select n::text, upper::text, last_seq::text, rows, digests, previous, key, signature
        from audit.signatures where n > ${last?.n ?? '0'}::bigint
       order by signatures.n limit ${pageEncryptions}::int`)
    for (const seal of page) {
      judge(seal, last, signer, findings)
      met ||= headOf(seal) === head
      sealed += seal.rows
      spans.push({ n: seal.n, upper: BigInt(seal.upper), digests: digestsOf(seal.digests) })
      last = seal
    }
    if (page.length < pageEncryptions) return { spans, last, sealed, met }
  }
}

function judge(seal: Seal, before: Seal | null, signer: Signer, findings: Finding[]): void {
  const expected = BigInt(before?.n ?? '0') + 1n
  const isNext = BigInt(seal.n) === expected
  if (!isNext) findings.push({ what: 'seal_missing', where: String(expected) })
  if (seal.key !== signer.key) {
    findings.push({ what: 'key_unknown', where: seal.n })
    return
  }
  const same = Buffer.from(signer.sign(seal)).equals(seal.signature)
  const follows = Buffer.from(seal.previous).equals(before?.signature ?? new Uint8Array(0))
  if (!same || (isNext && !follows)) findings.push({ what: 'seal_changed', where: seal.n })
}

/** What a seal keeps of its rows: digest by seq. */
function digestsOf(bytes: Uint8Array): Map<string, string> {
  const all = Buffer.from(bytes)
  const digests = new Map<string, string>()
  for (let at = 0; at + 16 <= all.length; at += 16) {
    digests.set(String(all.readBigInt64BE(at)), all.toString('hex', at + 8, at + 16))
  }
  return digests
}

/** Strikes each row that is as it was sealed from its seal; what is left there afterwards is gone.
 *  Answers how many rows wait for a seal. */
async function readRows(
  connection: Connection,
  spans: Span[],
  findings: Finding[],
): Promise<number> {
  let waiting = 0
  let seq = '0'
  for (;;) {
    const page: { seq: string; xid: string; leaf: Uint8Array }[] = await connection.run<
      Row & { seq: string; xid: string; leaf: Uint8Array }
    >(sql`
      select seq::text, xid::text, audit.entry_digest(e) as leaf from audit.entries e
       where seq > ${seq}::bigint order by e.seq limit ${pageRows}::int`)
    for (const row of page) {
      const span = spanOf(spans, BigInt(row.xid))
      if (!span) {
        waiting++
        continue
      }
      const kept = span.digests.get(row.seq)
      const digest = Buffer.from(row.leaf).toString('hex', 8)
      span.digests.delete(row.seq)
      if (kept === undefined) findings.push({ what: 'row_added', where: row.seq })
      else if (kept !== digest) findings.push({ what: 'row_changed', where: row.seq })
    }
    seq = page.at(-1)?.seq ?? seq
    if (page.length < pageRows) return waiting
  }
}

/** The first seal whose end lies after the transaction. */
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
