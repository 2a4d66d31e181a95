// The pages of the pharmacy.

import { consoleOperations } from './operations.ts'
import { by, form, page } from './page.ts'

const of = consoleOperations

export const pharmacyPages = {
  orders: page('/orders', 'Orders', { ...by(of.listPharmacyOrders), group: 'Care' }),
  order: page('/orders/{id}', 'Order', by(of.readOrder)),
  ship: form('/orders/{id}/ship', 'Ship an order', { ...by(of.shipOrder), page: '/orders/{id}' }),
  deliver: form('/orders/{id}/deliver', 'Record a delivery', {
    ...by(of.deliverOrder),
    page: '/orders/{id}',
  }),
  block: form('/orders/{id}/block', 'Block an order', {
    ...by(of.blockOrder),
    page: '/orders/{id}',
  }),
  unblock: form('/orders/{id}/unblock', 'Unblock an order', {
    ...by(of.unblockOrder),
    page: '/orders/{id}',
  }),
  fail: form('/orders/{id}/fail', 'Give an order up', {
    ...by(of.failOrder),
    page: '/orders/{id}',
  }),
  resend: form('/orders/{id}/resend', 'Send an order again', {
    ...by(of.resendOrder),
    page: '/orders/{id}',
  }),
  takeOver: form('/orders/{id}/take-over', 'Do an order by hand', {
    ...by(of.takeOverOrder),
    page: '/orders/{id}',
  }),
}
