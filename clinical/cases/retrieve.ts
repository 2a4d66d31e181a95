import { sql } from '#database/sql.ts'
import { read, streamOf } from '../pipeline/handler.ts'
import { idAndItem } from '../pipeline/publish.ts'
import { caseColumns } from './case.ts'

export const getCase = read('getCase', (call, { id }) => ({
  rows: sql`
    select ${idAndItem(caseColumns)} from cases where stream = ${streamOf(call)} and id = ${id}`,
}))
