import { sql } from '#database/sql.ts'
import { read, tenantOf } from '../pipeline/handler.ts'
import { oldestOf, paging } from '../pipeline/pages.ts'
import { livingPatients } from '../patients/patient.ts'
import { idAndItem } from '../pipeline/publish.ts'
import { consentColumns } from './consent.ts'

export const listConsents = read('listConsents', (call, input) => {
  const parent = sql`select 1 ${livingPatients(call)} and id = ${input.id}`
  return {
    parent,
    rows: sql`
      select ${idAndItem(consentColumns)} from consents
       where tenant = ${tenantOf(call)} and patient = ${input.id} and exists (${parent})
       ${paging(input, { oldest: oldestOf(call, 'cons') })}`,
  }
})
