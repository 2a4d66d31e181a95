import { sql } from '#database/sql.ts'
import { read, streamOf } from '../pipeline/handler.ts'
import { idAndItem } from '../pipeline/publish.ts'
import { visitColumns } from './visit.ts'

export const getVisit = read('getVisit', (call, { id }) => ({
  rows: sql`
    select ${idAndItem(visitColumns)} from visits where stream = ${streamOf(call)} and id = ${id}`,
}))
