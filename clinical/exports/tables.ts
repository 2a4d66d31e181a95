// Requests and reads exports of all tables. The worker writes their files (write-tables.ts).

import { minuteMilliseconds } from '#contract/moments.ts'
import { limits } from '#contract/limits.ts'
import { sql } from '#database/sql.ts'
import { clock, idAt, tenantNow } from '../pipeline/clock.ts'
import { tenantOf } from '../pipeline/handler.ts'
import { paging } from '../pipeline/pages.ts'
import { idAndItem, published } from '../pipeline/publish.ts'
import { read, write } from '../preview/handler.ts'
import { presentTableExports, tableExportColumns, type TableFile } from './table-export.ts'

/** A unique index allows one pending export, so the second of two concurrent requests is decided
 *  again. */
export const createTableExport = write('createTableExport', {
  wakesWorkers: true,
  facts: call => sql`select id ${presentTableExports(call)} and status = 'pending'`,
  decide: (call, { include_identity = false }, pending: { id: string } | null) => {
    if (pending) {
      throw call.refuse('invalid_transition', {
        detail: 'Another table export is pending.',
        hint: 'Poll GET /preview/exports/tables/{id} until it is completed, then try again. Its ID is in resource.',
        members: {
          resource: { type: 'export', id: pending.id },
          current_status: 'pending',
          allowed_from: ['completed', 'failed'],
        },
      })
    }
    return { id: call.mint('export', 0), include_identity }
  },
  write: (call, { id, include_identity }) => sql`
    ${clock(call, 1, sql`go`)},
    changed as (
      insert into exports (tenant, id, status, include_identity, nightly, created_at)
      select ${tenantOf(call)}, ${idAt(id)}, 'pending', ${include_identity}::boolean, false, c.at
        from clock c
          on conflict do nothing
      returning id, ${published(tableExportColumns)} as answer
    )`,
})

export const listTableExports = read('listTableExports', (call, input) => ({
  rows: sql`
    select ${idAndItem(tableExportColumns)} ${presentTableExports(call)} ${paging(input)}`,
}))

type ExportRow = { id: string; tables: (TableFile & { url: string | null })[]; present: boolean }

export const getTableExport = read('getTableExport', (call, { id }, { base, files }) => ({
  rows: sql`
    select ${idAndItem(sql`${tableExportColumns},
             coalesce(tables, '[]') as tables, expires_at > ${tenantNow} as present`)}
      ${presentTableExports(call)} and id = ${id}`,
  answer: item => {
    const { tables, present, ...found } = JSON.parse(item) as ExportRow
    const { mode, tenant } = call.principal
    const expires = call.realNow + limits.tableLinkMinutes * minuteMilliseconds
    const linkTo = (table: TableFile['name']) => {
      const token = { kind: 'table', mode, tenant, export: id, table, expires } as const
      return `${base}/documents/${files.tokens.encrypt(token)}`
    }
    const shown = tables.map(({ name, rows, size_bytes, sha256 }) => {
      const url = present ? linkTo(name) : null
      return { name, rows, size_bytes, sha256, url }
    })
    return JSON.stringify({ ...found, tables: shown })
  },
}))
