import { developers, everyRole, form, ownersOnly, page } from './row.ts'

export const settings = {
  settings: page('/settings', 'Settings', { roles: everyRole, group: 'Organization' }),
  editSettings: page('/settings/edit', 'Change the settings', {
    roles: ownersOnly,
    factor: 'fresh',
  }),
  changeSettings: form('/settings/edit', 'Change the settings', {
    roles: ownersOnly,
    factor: 'fresh',
  }),
  configuration: page('/settings/configuration', 'Configuration as JSON', { roles: developers }),
  closing: page('/settings/close', 'Close the integration', { roles: ownersOnly, factor: 'fresh' }),
  closeIntegration: form('/settings/close', 'Close the integration', {
    roles: ownersOnly,
    factor: 'fresh',
  }),
}
