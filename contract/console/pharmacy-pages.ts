// The pages of the pharmacy.

import { consoleOperations } from './operations.ts'
import { by, definePages } from './page.ts'

const of = consoleOperations
const order = '/{organization}/orders/{id}'

export const pharmacyPages = definePages({
  orders: {
    method: 'GET',
    path: '/{organization}/orders',
    title: 'Orders',
    ...by(of.listPharmacyOrders),
    group: 'Care',
  },
  order: { method: 'GET', path: order, title: 'Order', ...by(of.readOrder) },
  ship: {
    method: 'POST',
    path: '/{organization}/orders/{id}/ship',
    title: 'Ship an order',
    ...by(of.shipOrder),
    page: order,
  },
  deliver: {
    method: 'POST',
    path: '/{organization}/orders/{id}/deliver',
    title: 'Record a delivery',
    ...by(of.deliverOrder),
    page: order,
  },
  block: {
    method: 'POST',
    path: '/{organization}/orders/{id}/block',
    title: 'Block an order',
    ...by(of.blockOrder),
    page: order,
  },
  unblock: {
    method: 'POST',
    path: '/{organization}/orders/{id}/unblock',
    title: 'Unblock an order',
    ...by(of.unblockOrder),
    page: order,
  },
  fail: {
    method: 'POST',
    path: '/{organization}/orders/{id}/fail',
    title: 'Give an order up',
    ...by(of.failOrder),
    page: order,
  },
  resend: {
    method: 'POST',
    path: '/{organization}/orders/{id}/resend',
    title: 'Send an order again',
    ...by(of.resendOrder),
    page: order,
  },
  takeOver: {
    method: 'POST',
    path: '/{organization}/orders/{id}/take-over',
    title: 'Do an order by hand',
    ...by(of.takeOverOrder),
    page: order,
  },
})
