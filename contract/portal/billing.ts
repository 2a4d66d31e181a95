import { everyRole, page } from './row.ts'

export const billing = {
  usage: page('/usage', 'Usage and invoices', { roles: everyRole, group: 'Account' }),
  invoice: page('/usage/invoices/{id}', 'Invoice', { roles: everyRole }),
  invoicePdf: page('/usage/invoices/{id}/pdf', 'Invoice as PDF', { roles: everyRole }),
  invoiceCsv: page('/usage/invoices/{id}/csv', 'Invoice charges as CSV', {
    roles: everyRole,
  }),
}
