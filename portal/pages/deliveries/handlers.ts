// Handlers for the deliveries pages.
import { redeliverDelivery, showDelivery } from './delivery.tsx'
import { redeliverDeliveries } from './redeliver.tsx'
import { showDeliveries } from './list.tsx'

export const deliveryHandlers = {
  deliveries: showDeliveries,
  delivery: showDelivery,
  redeliverDelivery,
  redeliverDeliveries,
}
