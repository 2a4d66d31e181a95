import { sql } from '#database/sql.ts'
import { read, streamOf } from '../pipeline/handler.ts'
import { idAndItem } from '../pipeline/publish.ts'
import { eventColumns } from './event.ts'

export const getEvent = read('getEvent', (call, { id }) => ({
  rows: sql`
    select ${idAndItem(eventColumns(call))} from events
     where stream = ${streamOf(call)} and id = ${id}`,
}))
