import { sql } from '#database/sql.ts'
import { caseFacts } from '../cases/case.ts'
import { read, streamOf } from '../pipeline/handler.ts'
import { paging } from '../pipeline/pages.ts'
import { idAndItem } from '../pipeline/publish.ts'
import { messageColumns } from './message.ts'

export const listMessages = read('listMessages', (call, input) => ({
  parent: caseFacts(call, input.id),
  rows: sql`
    select ${idAndItem(messageColumns)} from messages
     where stream = ${streamOf(call)} and "case" = ${input.id} ${paging(input)}`,
}))
