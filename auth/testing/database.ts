// Sets up credential tests: a database, its owner, and connections as the gateway's and
// authorization server's roles.

import { openPool } from '#database/pool.ts'
import { openModePools } from '#database/modes.ts'
import type { Statement } from '#database/sql.ts'
import { testDatabase } from '#database/testing/database.ts'
import type { KeyCreation } from '../administration.ts'
import { issueKey } from '../integrations.ts'

export const pepper = 'a pepper'

export async function openAuthDatabase() {
  const database = await testDatabase()
  const owner = openPool({ url: database.url, size: 1, name: 'owner' })
  const gateways = openModePools({ urls: database.urls, size: 1, name: 'gateway' })
  const auth = openPool({ url: database.urls.auth, size: 4, name: 'auth' })
  return {
    urls: database.urls,
    owner,
    gateways,
    auth,
    run: (statement: Statement) => owner.use(connection => connection.run(statement)),
    mint: async (request: Pick<KeyCreation, 'integration'> & Partial<KeyCreation>) =>
      (
        await owner.use(connection =>
          issueKey(connection, pepper, { mode: 'test', name: 'k', ...request }),
        )
      ).key,
    async close() {
      await Promise.all([owner, gateways.test, gateways.live, auth].map(pool => pool.close()))
      await database.close()
    },
  }
}
