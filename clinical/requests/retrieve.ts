import { sql } from '#database/sql.ts'
import { read } from '../preview/handler.ts'
import { idAndItem } from '../pipeline/publish.ts'
import { requestDetails, requestsOf } from './request.ts'

export const getRequest = read('getRequest', (call, { id }) => ({
  rows: sql`select ${idAndItem(requestDetails(call))} ${requestsOf(call)} and id = ${id}`,
}))
