import { sql } from '#database/sql.ts'
import { caseFacts } from '../cases/case.ts'
import { read, tenantOf } from '../pipeline/handler.ts'
import { oldestOf, paging } from '../pipeline/pages.ts'
import { idAndItem } from '../pipeline/publish.ts'
import { orderColumns } from './order.ts'

export const listOrders = read('listOrders', (call, input) => ({
  parent: caseFacts(call, input.id),
  rows: sql`
    select ${idAndItem(orderColumns)} from orders
     where tenant = ${tenantOf(call)} and "case" = ${input.id} ${paging(input, { oldest: oldestOf(call, 'ord') })}`,
}))
