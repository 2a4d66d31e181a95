import { nothing, sql } from '#database/sql.ts'
import { read } from '../handler.ts'
import { paging } from '../pages.ts'
import { idAndItem } from '../publish.ts'
import { livingPatients, patientColumns } from './patient.ts'

export const listPatients = read('listPatients', (call, input) => ({
  rows: sql`
    select ${idAndItem(patientColumns)} ${livingPatients(call)}
    ${input.external_id === undefined ? nothing : sql`and external_id = ${input.external_id}`}
    ${paging(input)}`,
}))
