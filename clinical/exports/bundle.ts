// A bundle: one patient's records in one snapshot, each in the exact text the API publishes. It's
// read a page at a time, written to a local file to keep memory use constant, and moved to storage
// after the transaction.
//
// The stored bundle lacks its first field, the export's ID, because a live export has no ID until
// its bundle exists; `bundleStart` adds it at download.

import { hourMilliseconds } from '#contract/moments.ts'
import { limits } from '#contract/limits.ts'
import type { Mode } from '#contract/operation.ts'
import type { Connection, Row } from '#database/pool.ts'
import { sql, type Statement } from '#database/sql.ts'
import { caseColumns } from '../cases/case.ts'
import { consentColumns } from '../consents/consent.ts'
import { fileColumns } from '../files/file.ts'
import { bundleKey, type Spool } from '../storage/storage.ts'
import { orderColumns } from '../orders/order.ts'
import { patientColumns } from '../patients/patient.ts'
import { servesBytes } from '../modes.ts'
import { prescriptionColumns } from '../prescriptions/prescription.ts'
import { tenantNow } from '../pipeline/clock.ts'
import { published } from '../pipeline/publish.ts'
import type { Files } from '../services.ts'
import type { TableFile } from './table-export.ts'

type Subject = { mode: Mode; tenant: string; organization: string; patient: string }

/** The stored object and the snapshot's timestamp. */
export type Bundle = {
  object: string
  size: number
  sha256: string
  at: string
  /** Each table's position in an export of all tables. */
  tables?: readonly TableFile[]
}

type AssembleOptions = {
  /** A connection set to the subject's tenant. */
  connection: Connection
  files: Files
  base: string
  /** The name to store the object under. */
  object: string
}

export const bundleStart = (id: string) => `{"export":"${id}",`

const pageSize = 200

/** Assembles and stores a bundle; returns null if the patient was deleted. */
export async function assemble(options: AssembleOptions, subject: Subject): Promise<Bundle | null> {
  const { connection, files, object } = options
  const spool = await files.storage.spool()
  try {
    const at = await inSnapshot(connection, () => writeTo(spool, options, subject))
    if (at === null) return null
    const file = await spool.end()
    await files.storage.store(bundleKey(subject.mode, object), file)
    return { object, size: file.size, sha256: file.sha256, at }
  } finally {
    await spool.discard()
  }
}

/** Runs `work` in one read-only snapshot. */
export async function inSnapshot<T>(connection: Connection, work: () => Promise<T>): Promise<T> {
  await connection.run(sql`begin isolation level repeatable read read only`)
  try {
    return await work()
  } finally {
    // The transaction is read-only, so commit and rollback are the same.
    await connection.run(sql`commit`)
  }
}

type Item = Row & { id: string; item: string }

async function writeTo(
  spool: Spool,
  { connection, files, base, object }: AssembleOptions,
  { mode, tenant, organization, patient }: Subject,
): Promise<string | null> {
  const [head] = await connection.run<{ at: string; item: string }>(sql`
    select iso(date_trunc('milliseconds', ${tenantNow})) as at, ${published(patientColumns)} as item
      from patients
     where tenant = ${tenant}::bigint and id = ${patient} and deleted_at is null`)
  if (!head) return null
  const append = (text: string) => spool.write(new TextEncoder().encode(text))
  const start = { organization, mode, created_at: head.at }
  await append(`${JSON.stringify(start).slice(1, -1)},"patient":${head.item}`)
  const list = async (name: string, from: Statement, shape: (one: Item) => string) => {
    await append(`,"${name}":[`)
    let last = ''
    for (let more = true, first = true; more; first = false) {
      const page = await connection.run<Item>(
        sql`${from} and tenant = ${tenant}::bigint and patient = ${patient} and id > ${last}
             order by id limit ${pageSize}::int`,
      )
      if (page.length > 0) await append((first ? '' : ',') + page.map(shape).join(','))
      last = page.at(-1)?.id ?? last
      more = page.length === pageSize
    }
    await append(']')
  }
  for (const [name, from] of kinds) await list(name, from, ({ item }) => item)
  const expires = Date.parse(head.at) + limits.exportHours * hourMilliseconds
  const encrypted = (file: string) =>
    files.tokens.encrypt({ kind: 'document', mode, tenant, file, bundle: object })
  const link = (file: string): object =>
    servesBytes(mode)
      ? {
          url: `${base}/documents/${encrypted(file)}`,
          expires_at: new Date(expires).toISOString(),
        }
      : { url: null, expires_at: null }
  await list('documents', documents, ({ id, item }) =>
    JSON.stringify({ ...JSON.parse(item), ...link(id) }),
  )
  await append('}\n')
  return head.at
}

const from = (table: Statement, columns: Statement, only = sql`true`) =>
  sql`select id, ${published(columns)} as item from ${table} where ${only}`

const attached = sql`status = 'attached'`

/** The record kinds, in the contract's order. */
const kinds: readonly [string, Statement][] = [
  ['cases', from(sql`cases`, caseColumns)],
  ['consents', from(sql`consents`, consentColumns)],
  ['files', from(sql`files`, fileColumns, attached)],
  ['prescriptions', from(sql`prescriptions`, prescriptionColumns)],
  ['orders', from(sql`orders`, orderColumns)],
]
const documents = from(sql`files`, sql`id as file, filename, mime`, attached)
