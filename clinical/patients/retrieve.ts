import { sql } from '#database/sql.ts'
import { read } from '../pipeline/handler.ts'
import { idAndItem } from '../pipeline/publish.ts'
import { livingPatients, patientColumns } from './patient.ts'

export const getPatient = read('getPatient', (call, { id }) => ({
  rows: sql`select ${idAndItem(patientColumns)} ${livingPatients(call)} and id = ${id}`,
}))
