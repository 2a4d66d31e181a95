import { sql } from '#database/sql.ts'
import { read, tenantOf } from '../pipeline/handler.ts'
import { idAndItem } from '../pipeline/publish.ts'
import { orderColumns } from './order.ts'

export const getOrder = read('getOrder', (call, { id }) => ({
  rows: sql`
    select ${idAndItem(orderColumns)} from orders where tenant = ${tenantOf(call)} and id = ${id}`,
}))
