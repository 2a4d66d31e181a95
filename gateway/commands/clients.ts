// `bun run clients`: lists, creates and revokes OAuth clients and their secrets.
import { clientsCommand, clientsHelp } from '#auth/clients-command.ts'
import { openPool } from '#database/pool.ts'
import { readConfig } from '../server/config.ts'
import { peppersOf } from '../server/credentials.ts'
import { ownerUrl, errorMessage } from './owner-url.ts'
import { openSecrets } from '../server/secrets.ts'

async function run(args: string[]): Promise<void> {
  if (args.length === 0 || args.includes('--help') || args[0] === 'help') {
    return console.log(clientsHelp)
  }
  const config = readConfig()
  const pool = openPool({ url: ownerUrl(config), size: 1, name: 'clients' })
  const peppers = peppersOf(config, openSecrets(config.dataDir))
  console.log(await pool.use(connection => clientsCommand(args, { connection, peppers })))
  await pool.close()
}

run(process.argv.slice(2)).then(
  () => process.exit(0),
  (error: unknown) => {
    console.error(errorMessage(error))
    process.exit(1)
  },
)
