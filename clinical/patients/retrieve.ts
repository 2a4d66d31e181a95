import { sql } from '#database/sql.ts'
import { read } from '../handler.ts'
import { idAndItem } from '../publish.ts'
import { livingPatients, patientColumns } from './patient.ts'

export const getPatient = read('getPatient', (call, { id }) => ({
  rows: sql`select ${idAndItem(patientColumns)} ${livingPatients(call)} and id = ${id}`,
}))
