import { everyRole, page } from './row.ts'

export const home = {
  home: page('', 'Home', { roles: everyRole, group: '' }),
}
