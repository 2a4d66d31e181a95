// The pages of the pharmacy.

import { consoleOperations } from '../console.ts'
import { by, definePages } from './page.ts'

const of = consoleOperations

export const pharmacyPages = definePages({
  orders: {
    method: 'GET',
    path: '/{organization}/orders',
    title: 'Orders',
    ...by(of.listPharmacyOrders),
    group: 'Care',
  },
})
