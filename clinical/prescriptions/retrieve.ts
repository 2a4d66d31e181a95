import { sql } from '#database/sql.ts'
import { read, tenantOf } from '../pipeline/handler.ts'
import { idAndItem } from '../pipeline/publish.ts'
import { prescriptionColumns } from './prescription.ts'

export const getPrescription = read('getPrescription', (call, { id }) => ({
  rows: sql`
    select ${idAndItem(prescriptionColumns)} from prescriptions
     where tenant = ${tenantOf(call)} and id = ${id}`,
}))
