import { sql } from '#database/sql.ts'
import { read, tenantOf } from '../pipeline/handler.ts'
import { idAndItem } from '../pipeline/publish.ts'
import { caseColumns } from './case.ts'

export const getCase = read('getCase', (call, { id }) => ({
  rows: sql`
    select ${idAndItem(caseColumns)} from cases where tenant = ${tenantOf(call)} and id = ${id}`,
}))
