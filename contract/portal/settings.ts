import { definePortal, developers, everyRole, ownersOnly } from './row.ts'

const page = '/{integration}/{mode}/settings'

export const settings = definePortal({
  settings: {
    method: 'GET',
    path: page,
    title: 'Settings',
    roles: everyRole,
    group: 'Organization',
  },
  editSettings: {
    method: 'GET',
    path: '/{integration}/{mode}/settings/edit',
    title: 'Change the settings',
    roles: ownersOnly,
    factor: 'fresh',
  },
  changeSettings: {
    method: 'POST',
    path: '/{integration}/{mode}/settings/edit',
    title: 'Change the settings',
    roles: ownersOnly,
    factor: 'fresh',
  },
  configuration: {
    method: 'GET',
    path: '/{integration}/{mode}/settings/configuration',
    title: 'Configuration as JSON',
    roles: developers,
  },
  closing: {
    method: 'GET',
    path: '/{integration}/{mode}/settings/close',
    title: 'Close the integration',
    roles: ownersOnly,
    factor: 'fresh',
  },
  closeIntegration: {
    method: 'POST',
    path: '/{integration}/{mode}/settings/close',
    title: 'Close the integration',
    roles: ownersOnly,
    factor: 'fresh',
  },
})
