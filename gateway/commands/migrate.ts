// `bun run migrate`: brings the database of DATABASE_URL up to date and gives its roles their
// passwords, and starts nothing. A cluster runs it once before the gateways and workers of a
// release; `npm start` does the same by itself.
import { SQL } from 'bun'
import { migrate } from '#database/migrate.ts'
import { openRoles } from '#database/roles.ts'
import { readConfig } from '../server/config.ts'
import { peppersOf, rolePasswords } from '../server/credentials.ts'
import { openSecrets } from '../server/secrets.ts'
import { ownerUrl } from './owner-url.ts'
import { runCommand } from './run.ts'

async function run(): Promise<number> {
  const config = readConfig()
  const url = ownerUrl(config)
  await using sql = new SQL({ url, max: 1, connectionTimeout: 10 })
  const { length } = await migrate(sql, console.log)
  await openRoles(url, rolePasswords(...peppersOf(config, openSecrets(config.dataDir))))
  console.log(`Applied ${length} migrations.`)
  return 0
}

runCommand(run)
