import { sql } from '#database/sql.ts'
import { read, tenantOf } from '../pipeline/handler.ts'
import { idAndItem } from '../pipeline/publish.ts'
import { visitColumns } from './visit.ts'

export const getVisit = read('getVisit', (call, { id }) => ({
  rows: sql`
    select ${idAndItem(visitColumns)} from visits where tenant = ${tenantOf(call)} and id = ${id}`,
}))
