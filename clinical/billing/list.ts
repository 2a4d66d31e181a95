import { sql } from '#database/sql.ts'
import { readOfIntegration } from '../pipeline/handler.ts'
import { integrationTenant } from '../webhooks/endpoint.ts'
import { paging } from '../pipeline/pages.ts'
import { idAndItem } from '../pipeline/publish.ts'
import { invoiceColumns } from './invoice.ts'

export const listInvoices = readOfIntegration('listInvoices', (_call, input) => ({
  rows: sql`
    select ${idAndItem(invoiceColumns)} from invoices
     where tenant = ${integrationTenant} ${paging(input)}`,
}))
