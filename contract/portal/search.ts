import { everyRole, page } from './row.ts'

export const search = {
  search: page('/search', 'Search', { roles: everyRole }),
}
