import { sql } from '#database/sql.ts'
import { eventColumns } from './event.ts'
import { read, tenantOf } from '../pipeline/handler.ts'
import { oldestOf, paging } from '../pipeline/pages.ts'
import { idAndItem } from '../pipeline/publish.ts'
import { caseFacts } from '../cases/case.ts'

export const listCaseEvents = read('listCaseEvents', (call, input) => ({
  parent: caseFacts(call, input.id),
  rows: sql`
    select ${idAndItem(eventColumns(call))} from events
     where tenant = ${tenantOf(call)} and resource_id = ${input.id}
     ${paging(input, { oldest: oldestOf(call, 'evt') })}`,
}))
