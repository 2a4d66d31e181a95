// Writes all of a tenant's tables in one snapshot, as NDJSON files one after another in one object.
// Rows are read a page at a time and written to a local file, to keep memory use constant.

import type { Mode } from '#contract/operation.ts'
import {
  type ExportTable,
  exportTableNames,
  exportTables,
} from '#contract/preview/table-exports.ts'
import type { Connection, Row } from '#database/pool.ts'
import { sql, type Statement } from '#database/sql.ts'
import { caseColumns } from '../cases/case.ts'
import { consentColumns } from '../consents/consent.ts'
import { fileColumns } from '../files/file.ts'
import { messageColumns } from '../messages/message.ts'
import { orderColumns } from '../orders/order.ts'
import { patientColumns } from '../patients/patient.ts'
import { tenantNow } from '../pipeline/clock.ts'
import { published } from '../pipeline/publish.ts'
import { prescriptionColumns } from '../prescriptions/prescription.ts'
import type { Files } from '../services.ts'
import { bundleKey, type Spool } from '../storage/storage.ts'
import { visitColumns } from '../visits/visit.ts'
import { type Bundle, inSnapshot } from './bundle.ts'
import type { TableFile } from './table-export.ts'

const pageSize = 1000
/** How often to renew the claim; it's valid for thirty seconds. */
const renewMilliseconds = 10_000

type Options = {
  /** A connection set to the tenant. */
  connection: Connection
  files: Files
  /** The name to store the object under. */
  object: string
  includesIdentity: boolean
}

/** Extends the claim; returns false to stop. */
type Renew = () => Promise<boolean>

const ofPresentPatients = (table: Statement) => sql`
  exists (select from patients p
           where p.tenant = ${table}.tenant and p.id = ${table}.patient and p.deleted_at is null)`

type Source = { readonly table: Statement; readonly columns: Statement; readonly only?: Statement }

/** Each table's rows, as the API's lists show them. */
const sources: Readonly<Record<ExportTable, Source>> = {
  patients: { table: sql`patients`, columns: patientColumns, only: sql`deleted_at is null` },
  consents: {
    table: sql`consents`,
    columns: consentColumns,
    only: ofPresentPatients(sql`consents`),
  },
  files: {
    table: sql`files`,
    columns: fileColumns,
    only: sql`status = 'attached' and ${ofPresentPatients(sql`files`)}`,
  },
  cases: { table: sql`cases`, columns: caseColumns },
  messages: { table: sql`messages`, columns: messageColumns },
  prescriptions: { table: sql`prescriptions`, columns: prescriptionColumns },
  orders: { table: sql`orders`, columns: orderColumns },
  visits: { table: sql`visits`, columns: visitColumns },
}

/** The columns that replace a patient's address and date of birth. */
const withoutIdentity: Partial<Record<ExportTable, Statement>> = {
  patients: sql`, address ->> 'state' as state,
    case when date_of_birth > ${tenantNow} - interval '90 years'
         then extract(year from date_of_birth)::int end as birth_year`,
}

const itemOf = (table: ExportTable, includesIdentity: boolean): Statement => {
  const { columns } = sources[table]
  const fields: readonly string[] = exportTables[table]
  if (includesIdentity || fields.length === 0) return published(columns)
  const all = published(sql`${columns} ${withoutIdentity[table] ?? sql``}`)
  return sql`(${all}::jsonb - ${fields}::text[])::text`
}

/** Writes and stores the files; returns null if it was stopped. */
export async function writeTables(
  options: Options,
  { mode, tenant }: { mode: Mode; tenant: string },
  renew: Renew,
): Promise<Bundle | null> {
  const { connection, files, object } = options
  const spool = await files.storage.spool()
  try {
    const written = await inSnapshot(connection, async () => {
      const [now] = await connection.run<{ at: string }>(
        sql`select iso(date_trunc('milliseconds', ${tenantNow})) as at`,
      )
      const tables = await writeAll(spool, options, tenant, renew)
      return now && tables && { at: now.at, tables }
    })
    if (!written) return null
    const file = await spool.end()
    await files.storage.store(bundleKey(mode, object), file)
    return { object, size: file.size, sha256: file.sha256, ...written }
  } finally {
    await spool.discard()
  }
}

async function writeAll(
  spool: Spool,
  { connection, includesIdentity }: Options,
  tenant: string,
  renew: Renew,
): Promise<TableFile[] | null> {
  const tables: TableFile[] = []
  let renewed = performance.now()
  let start = 0
  for (const name of exportTableNames) {
    const digest = new Bun.CryptoHasher('sha256')
    let [rows, size_bytes, last, more] = [0, 0, '', true]
    while (more) {
      const page = await readPage(connection, { name, includesIdentity, tenant, last })
      const bytes = new TextEncoder().encode(page.map(({ item }) => `${item}\n`).join(''))
      await spool.write(bytes)
      digest.update(bytes)
      rows += page.length
      size_bytes += bytes.length
      last = page.at(-1)?.id ?? last
      more = page.length === pageSize
      if (performance.now() - renewed < renewMilliseconds) continue
      if (!(await renew())) return null
      renewed = performance.now()
    }
    tables.push({ name, rows, start, size_bytes, sha256: digest.digest('hex') })
    start += size_bytes
  }
  return tables
}

type Page = { name: ExportTable; includesIdentity: boolean; tenant: string; last: string }

function readPage(connection: Connection, { name, includesIdentity, tenant, last }: Page) {
  const { table, only = sql`true` } = sources[name]
  return connection.run<Row & { id: string; item: string }>(sql`
    select id, ${itemOf(name, includesIdentity)} as item from ${table}
     where tenant = ${tenant}::bigint and id > ${last} and ${only}
     order by id limit ${pageSize}::int`)
}
