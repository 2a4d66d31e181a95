import { sql } from '#database/sql.ts'
import { read, tenantOf } from '../pipeline/handler.ts'
import { paging } from '../pipeline/pages.ts'
import { idAndItem } from '../pipeline/publish.ts'
import { invoiceColumns } from './invoice.ts'

export const listInvoices = read('listInvoices', (call, input) => ({
  rows: sql`
    select ${idAndItem(invoiceColumns)} from invoices
     where tenant = ${tenantOf(call)} ${paging(input)}`,
}))
