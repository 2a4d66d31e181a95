// For the tests of callers: a database, its owner, and connections as the gateway has them.

import { openLanes } from '#database/pool.ts'
import { openPlanes } from '#database/modes.ts'
import type { Statement } from '#database/sql.ts'
import { testDatabase } from '#database/testing/database.ts'
import { issueKey, type KeyRequest } from '../integrations.ts'

export const pepper = 'a pepper'

export async function openSampleHouse() {
  const database = await testDatabase()
  const owner = openLanes({ url: database.url, size: 1, name: 'owner' })
  const gateways = openPlanes({ urls: database.urls, size: 1, name: 'gateway' })
  return {
    owner,
    gateways,
    run: (statement: Statement) => owner.use(lane => lane.run(statement)),
    mint: async (asked: Pick<KeyRequest, 'integration'> & Partial<KeyRequest>) =>
      (await owner.use(lane => issueKey(lane, pepper, { mode: 'test', name: 'k', ...asked }))).key,
    async close() {
      await Promise.all([owner, gateways.test, gateways.live].map(lanes => lanes.close()))
      await database.close()
    },
  }
}
