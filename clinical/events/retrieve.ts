import { sql } from '#database/sql.ts'
import { read, tenantOf } from '../pipeline/handler.ts'
import { idAndItem } from '../pipeline/publish.ts'
import { eventColumns } from './event.ts'

export const getEvent = read('getEvent', (call, { id }) => ({
  rows: sql`
    select ${idAndItem(eventColumns(call))} from events
     where tenant = ${tenantOf(call)} and id = ${id}`,
}))
