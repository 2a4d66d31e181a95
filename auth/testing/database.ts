// For the tests of callers: a database, its owner, and connections as the gateway has them.

import { openPool } from '#database/pool.ts'
import { openModePools } from '#database/modes.ts'
import type { Statement } from '#database/sql.ts'
import { testDatabase } from '#database/testing/database.ts'
import { issueKey, type KeyRequest } from '../integrations.ts'

export const pepper = 'a pepper'

export async function openAuthDatabase() {
  const database = await testDatabase()
  const owner = openPool({ url: database.url, size: 1, name: 'owner' })
  const gateways = openModePools({ urls: database.urls, size: 1, name: 'gateway' })
  return {
    owner,
    gateways,
    run: (statement: Statement) => owner.use(connection => connection.run(statement)),
    mint: async (asked: Pick<KeyRequest, 'integration'> & Partial<KeyRequest>) =>
      (
        await owner.use(connection =>
          issueKey(connection, pepper, { mode: 'test', name: 'k', ...asked }),
        )
      ).key,
    async close() {
      await Promise.all([owner, gateways.test, gateways.live].map(pool => pool.close()))
      await database.close()
    },
  }
}
