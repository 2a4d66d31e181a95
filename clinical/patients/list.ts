import { nothing, sql } from '#database/sql.ts'
import { read } from '../pipeline/handler.ts'
import { oldestOf, paging } from '../pipeline/pages.ts'
import { idAndItem } from '../pipeline/publish.ts'
import { livingPatients, patientColumns } from './patient.ts'

export const listPatients = read('listPatients', (call, input) => ({
  rows: sql`
    select ${idAndItem(patientColumns)} ${livingPatients(call)}
    ${input.external_id === undefined ? nothing : sql`and external_id = ${input.external_id}`}
    ${paging(input, { oldest: oldestOf(call, 'pat') })}`,
}))
