import { developers, form, page, readers } from './row.ts'

export const events = {
  deliveries: page('/deliveries', 'Deliveries', { roles: developers, group: 'Observe' }),
  delivery: page('/deliveries/{id}', 'Delivery', { roles: developers }),
  redeliverDelivery: form('/deliveries/{id}/redeliver', 'Redeliver', {
    roles: developers,
    page: '/deliveries/{id}',
  }),
  redeliverDeliveries: form('/deliveries/redeliver', 'Redeliver deliveries', {
    roles: developers,
    page: '/deliveries',
  }),
  events: page('/events', 'Events', { roles: readers, group: 'Observe' }),
  event: page('/events/{id}', 'Event', { roles: readers }),
  redeliverEvent: form('/events/{id}/redeliver', 'Redeliver event', {
    roles: developers,
    page: '/events/{id}',
  }),
}
