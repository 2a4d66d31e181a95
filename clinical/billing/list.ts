import { sql } from '#database/sql.ts'
import { read, streamOf } from '../handler.ts'
import { paging } from '../pages.ts'
import { idAndItem } from '../publish.ts'
import { invoiceColumns } from './invoice.ts'

export const listInvoices = read('listInvoices', (call, input) => ({
  rows: sql`
    select ${idAndItem(invoiceColumns)} from invoices
     where stream = ${streamOf(call)} ${paging(input)}`,
}))
