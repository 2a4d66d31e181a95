import { developers, everyRole, form, ownersOnly, page } from './row.ts'

export const settings = {
  settings: page('/settings', 'Settings', { roles: everyRole, group: 'Account' }),
  editSettings: page('/settings/edit', 'Edit settings', {
    roles: ownersOnly,
    factor: 'fresh',
  }),
  changeSettings: form('/settings/edit', 'Edit settings', {
    roles: ownersOnly,
    factor: 'fresh',
  }),
  configuration: page('/settings/configuration', 'Configuration', { roles: developers }),
  closing: page('/settings/close', 'Close account', { roles: ownersOnly, factor: 'fresh' }),
  closeIntegration: form('/settings/close', 'Close account', {
    roles: ownersOnly,
    factor: 'fresh',
  }),
}
