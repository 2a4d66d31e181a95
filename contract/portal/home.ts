import { definePortal, everyRole } from './row.ts'

export const home = definePortal({
  home: {
    method: 'GET',
    path: '/{integration}/{mode}',
    title: 'Home',
    roles: everyRole,
    group: '',
  },
})
