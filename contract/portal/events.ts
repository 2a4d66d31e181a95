import { definePortal, developers, readers } from './row.ts'

const delivery = '/{integration}/{mode}/deliveries/{id}'
const event = '/{integration}/{mode}/events/{id}'

export const events = definePortal({
  deliveries: {
    method: 'GET',
    path: '/{integration}/{mode}/deliveries',
    title: 'Deliveries',
    roles: developers,
    group: 'Observe',
  },
  delivery: { method: 'GET', path: delivery, title: 'Delivery', roles: developers },
  redeliverDelivery: {
    method: 'POST',
    path: '/{integration}/{mode}/deliveries/{id}/redeliver',
    title: 'Deliver again',
    roles: developers,
    page: delivery,
  },
  events: {
    method: 'GET',
    path: '/{integration}/{mode}/events',
    title: 'Events',
    roles: readers,
    group: 'Observe',
  },
  event: { method: 'GET', path: event, title: 'Event', roles: readers },
  redeliverEvent: {
    method: 'POST',
    path: '/{integration}/{mode}/events/{id}/redeliver',
    title: 'Deliver an event again',
    roles: developers,
    page: event,
  },
})
