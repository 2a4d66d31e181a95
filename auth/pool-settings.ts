// Session settings for the authorization server's pool.

import { keyed } from '#database/pool.ts'

export const authPoolSettings = {
  ...keyed,
  // The tables are cached in memory. With the default cost, meant for a spinning disk, Postgres
  // reads a family's tokens with a bitmap scan and a sort, which visits dead rows each time. An
  // ordered index scan skips them.
  random_page_cost: '1.1',
}
