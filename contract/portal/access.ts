import { definePortal, everyRole } from './row.ts'

const page = '/{integration}/{mode}/access'
const one = '/{integration}/{mode}/access/{client}/{person}/{kind}'

export const access = definePortal({
  access: {
    method: 'GET',
    path: page,
    title: 'Agents and devices',
    roles: everyRole,
    group: 'Build',
  },
  memberAccess: { method: 'GET', path: one, title: 'Agent or device', roles: everyRole },
  endAccess: {
    method: 'POST',
    path: '/{integration}/{mode}/access/{client}/{person}/{kind}/end',
    title: 'End access',
    roles: everyRole,
    page,
  },
})
