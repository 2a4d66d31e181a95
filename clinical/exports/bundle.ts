// A bundle: one patient's records as they are at one moment, each in the very text that the API
// publishes. It is read a page at a time in one snapshot and written to a file of this machine, so
// that its size costs no memory, and only then taken into storage, when no transaction is open.
//
// What is stored leaves out the first member, the id of the job, because in live that id is not
// known before the bundle is; `opening` puts it back in front.

import { limits } from '#contract/limits.ts'
import type { Mode } from '#contract/operation.ts'
import type { Connection, Row } from '#database/pool.ts'
import { sql, type Statement } from '#database/sql.ts'
import { caseColumns } from '../cases/case.ts'
import { consentColumns } from '../consents/consent.ts'
import { fileColumns } from '../files/file.ts'
import type { Files } from '../files/files.ts'
import { bundled, type Spool } from '../storage/storage.ts'
import { orderColumns } from '../orders/order.ts'
import { patientColumns } from '../patients/patient.ts'
import { servesBytes } from '../modes.ts'
import { prescriptionColumns } from '../prescriptions/prescription.ts'
import { published } from '../pipeline/publish.ts'

export type Subject = { mode: Mode; tenant: string; organization: string; patient: string }

/** Where it lies, and the moment of which it tells. */
export type Bundle = { object: string; size: number; sha256: string; at: string }

export type Assembling = {
  /** A connection on which the subject's tenant is open. */
  connection: Connection
  files: Files
  base: string
  /** The name that the bundle will have. */
  object: string
}

export const opening = (id: string) => `{"export":"${id}",`

const pageSize = 200

/** Null when the patient is not there any more. */
export async function assemble(with_: Assembling, subject: Subject): Promise<Bundle | null> {
  const { connection, files, object } = with_
  const spool = await files.storage.spool()
  try {
    const at = await inSnapshot(connection, () => writeTo(spool, with_, subject))
    if (at === null) return null
    const file = await spool.end()
    await files.storage.take(bundled(subject.mode, object), file)
    return { object, size: file.size, sha256: file.sha256, at }
  } finally {
    await spool.discard()
  }
}

/** Everything that is read inside is of one moment. */
async function inSnapshot<T>(connection: Connection, work: () => Promise<T>): Promise<T> {
  await connection.run(sql`begin isolation level repeatable read read only`)
  try {
    return await work()
  } finally {
    // It read, and has nothing to keep.
    await connection.run(sql`commit`)
  }
}

type Item = Row & { id: string; item: string }

async function writeTo(
  spool: Spool,
  { connection, files, base, object }: Assembling,
  { mode, tenant, organization, patient }: Subject,
): Promise<string | null> {
  const [head] = await connection.run<{ at: string; item: string }>(sql`
    select iso(date_trunc('milliseconds', now())) as at, ${published(patientColumns)} as item
      from patients
     where tenant = ${tenant}::bigint and id = ${patient} and deleted_at is null`)
  if (!head) return null
  const say = (text: string) => spool.write(new TextEncoder().encode(text))
  const start = { organization, mode, created_at: head.at }
  await say(`${JSON.stringify(start).slice(1, -1)},"patient":${head.item}`)
  const list = async (name: string, from: Statement, shape: (one: Item) => string) => {
    await say(`,"${name}":[`)
    let last = ''
    for (let more = true, first = true; more; first = false) {
      const page = await connection.run<Item>(
        sql`${from} and tenant = ${tenant}::bigint and patient = ${patient} and id > ${last}
             order by id limit ${pageSize}::int`,
      )
      if (page.length > 0) await say((first ? '' : ',') + page.map(shape).join(','))
      last = page.at(-1)?.id ?? last
      more = page.length === pageSize
    }
    await say(']')
  }
  for (const [name, from] of kinds) await list(name, from, ({ item }) => item)
  const ends = Date.parse(head.at) + limits.exportHours * 3_600_000
  const encrypted = (file: string) =>
    files.tokens.encrypt({ kind: 'document', mode, tenant, file, bundle: object })
  const link = (file: string): object =>
    servesBytes(mode)
      ? {
          url: `${base}/documents/${encrypted(file)}`,
          expires_at: new Date(ends).toISOString(),
        }
      : { url: null, expires_at: null }
  await list('documents', documents, ({ id, item }) =>
    JSON.stringify({ ...JSON.parse(item), ...link(id) }),
  )
  await say('}\n')
  return head.at
}

const from = (table: Statement, columns: Statement, only = sql`true`) =>
  sql`select id, ${published(columns)} as item from ${table} where ${only}`

const attached = sql`status = 'attached'`

/** In the order in which the contract publishes them. */
const kinds: readonly [string, Statement][] = [
  ['cases', from(sql`cases`, caseColumns)],
  ['consents', from(sql`consents`, consentColumns)],
  ['files', from(sql`files`, fileColumns, attached)],
  ['prescriptions', from(sql`prescriptions`, prescriptionColumns)],
  ['orders', from(sql`orders`, orderColumns)],
]
const documents = from(sql`files`, sql`id as file, filename, mime`, attached)
