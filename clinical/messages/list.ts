import { sql } from '#database/sql.ts'
import { caseFacts } from '../cases/case.ts'
import { read, tenantOf } from '../pipeline/handler.ts'
import { oldestOf, paging } from '../pipeline/pages.ts'
import { idAndItem } from '../pipeline/publish.ts'
import { messageColumns } from './message.ts'

export const listMessages = read('listMessages', (call, input) => ({
  parent: caseFacts(call, input.id),
  rows: sql`
    select ${idAndItem(messageColumns)} from messages
     where tenant = ${tenantOf(call)} and "case" = ${input.id} ${paging(input, { oldest: oldestOf(call, 'msg') })}`,
}))
