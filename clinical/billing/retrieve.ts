import { sql } from '#database/sql.ts'
import { readOfIntegration } from '../pipeline/handler.ts'
import { integrationTenant } from '../webhooks/endpoint.ts'
import { idAndItem } from '../pipeline/publish.ts'
import { invoiceWithCharges } from './invoice.ts'

// Invoices exist only in live mode, so in test mode every ID is a 404.
export const getInvoice = readOfIntegration('getInvoice', (_call, { id }) => ({
  rows: sql`
    select ${idAndItem(invoiceWithCharges)} from invoices
     where tenant = ${integrationTenant} and id = ${id}`,
}))
