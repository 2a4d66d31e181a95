// Session settings of the pool of the authorization server.

import { keyed } from '#database/pool.ts'

export const authPoolSettings = {
  ...keyed,
  // The pages are in memory. Priced as on a turning disk, the tokens of a family are read by a
  // bitmap and sorted, which visits dead rows again each time; an index in its order skips them.
  random_page_cost: '1.1',
}
