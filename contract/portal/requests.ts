import { definePortal, readers } from './row.ts'

const page = '/{integration}/{mode}/requests'

export const requests = definePortal({
  requests: { method: 'GET', path: page, title: 'Requests', roles: readers, group: 'Observe' },
  request: {
    method: 'GET',
    path: '/{integration}/{mode}/requests/{id}',
    title: 'Request',
    roles: readers,
  },
})
