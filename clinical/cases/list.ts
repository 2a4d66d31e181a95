import { lastIdOf } from '#contract/ids.ts'
import { nothing, sql, type Value } from '#database/sql.ts'
import { read, tenantOf } from '../pipeline/handler.ts'
import { oldestOf, paging } from '../pipeline/pages.ts'
import { idAndItem } from '../pipeline/publish.ts'
import { caseColumns } from './case.ts'

const where = (column: 'status' | 'patient', value: Value | undefined) => {
  if (value === undefined) return nothing
  return column === 'status' ? sql`and status = ${value}` : sql`and patient = ${value}`
}

// An ID starts with its row's created_at, so `created_after` is a position in the primary key.
export const listCases = read('listCases', (call, input) => ({
  rows: sql`
    select ${idAndItem(caseColumns)} from cases
     where tenant = ${tenantOf(call)}
     ${where('status', input.status)} ${where('patient', input.patient)}
     ${
       input.created_after === undefined
         ? nothing
         : sql`and id > ${lastIdOf('case', Date.parse(input.created_after))}`
     }
     ${paging(input, { oldest: oldestOf(call, 'case') })}`,
}))
