import { sql } from '#database/sql.ts'
import { read } from '../pipeline/handler.ts'
import { idAndItem } from '../pipeline/publish.ts'
import { exportColumns, presentExports } from './export.ts'

export const getExport = read('getExport', (call, { id }, { base }) => ({
  rows: sql`select ${idAndItem(exportColumns(base))} ${presentExports(call)} and id = ${id}`,
}))

export const getPatientExport = read('getPatientExport', (call, { id, job }, { base }) => ({
  rows: sql`
    select ${idAndItem(exportColumns(base))} ${presentExports(call)}
       and id = ${job} and patient = ${id}`,
}))
