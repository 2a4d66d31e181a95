// The pages for the pharmacy.

import { consoleOperations } from './operations.ts'
import { by, form, page } from './page.ts'

const of = consoleOperations

export const pharmacyPages = {
  orders: page('/orders', 'Orders', { ...by(of.listPharmacyOrders), group: 'Care' }),
  order: page('/orders/{id}', 'Order', by(of.readOrder)),
  orderLabel: page('/orders/{id}/label', 'Label', by(of.readOrder)),
  packingSlip: page('/orders/{id}/packing-slip', 'Packing slip', by(of.readOrder)),
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
  fail: form('/orders/{id}/fail', 'Mark an order as failed', {
    ...by(of.failOrder),
    page: '/orders/{id}',
  }),
  resend: form('/orders/{id}/resend', 'Send an order again', {
    ...by(of.resendOrder),
    page: '/orders/{id}',
  }),
  takeOver: form('/orders/{id}/take-over', 'Fill an order yourself', {
    ...by(of.takeOverOrder),
    page: '/orders/{id}',
  }),
}
