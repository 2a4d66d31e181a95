// Session settings for the authorization server's pool.

import { keyed } from '#database/pool.ts'

export const authPoolSettings = {
  ...keyed,
  // The pages are in memory. With the default cost, meant for a spinning disk, a family's tokens
  // are read through a bitmap and sorted, which visits dead rows each time; an index in order skips
  // them.
  random_page_cost: '1.1',
}
