import { definePortal, everyRole } from './row.ts'

const page = '/{integration}/{mode}/usage'

export const billing = definePortal({
  usage: {
    method: 'GET',
    path: page,
    title: 'Usage and invoices',
    roles: everyRole,
    group: 'Organization',
  },
  invoice: {
    method: 'GET',
    path: '/{integration}/{mode}/usage/invoices/{id}',
    title: 'Invoice',
    roles: everyRole,
  },
  invoicePdf: {
    method: 'GET',
    path: '/{integration}/{mode}/usage/invoices/{id}/pdf',
    title: 'Invoice as PDF',
    roles: everyRole,
  },
  invoiceCsv: {
    method: 'GET',
    path: '/{integration}/{mode}/usage/invoices/{id}/csv',
    title: 'Charges of an invoice as CSV',
    roles: everyRole,
  },
})
