import { sql } from '#database/sql.ts'
import { read, streamOf } from '../handler.ts'
import { idAndItem } from '../publish.ts'
import { caseColumns } from './case.ts'

export const getCase = read('getCase', (call, { id }) => ({
  rows: sql`
    select ${idAndItem(caseColumns)} from cases where stream = ${streamOf(call)} and id = ${id}`,
}))
