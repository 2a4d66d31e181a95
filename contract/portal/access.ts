import { everyRole, form, page } from './row.ts'

export const access = {
  access: page('/access', 'Agents and devices', { roles: everyRole, group: 'Build' }),
  memberAccess: page('/access/{client}/{person}/{kind}', 'Agent or device', { roles: everyRole }),
  endAccess: form('/access/{client}/{person}/{kind}/end', 'Revoke access', {
    roles: everyRole,
    page: '/access',
  }),
}
