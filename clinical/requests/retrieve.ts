import { sql } from '#database/sql.ts'
import { read } from '../preview/handler.ts'
import { idAndItem } from '../pipeline/publish.ts'
import { requestColumns, requestsOf } from './request.ts'

export const getRequest = read('getRequest', (call, { id }) => ({
  rows: sql`select ${idAndItem(requestColumns(call))} ${requestsOf(call)} and id = ${id}`,
}))
