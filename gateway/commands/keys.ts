// `bun run keys`: lists, creates and revokes API keys in the database of this installation.
import { keysCommand, keysHelp } from '#auth/keys-command.ts'
import { openPool } from '#database/pool.ts'
import { now } from '#database/clock.ts'
import { readConfig } from '../server/config.ts'
import { peppersOf } from '../server/credentials.ts'
import { ownerUrl, errorMessage } from './owner-url.ts'
import { openSecrets } from '../server/secrets.ts'

async function run(args: string[]): Promise<void> {
  if (args.length === 0 || args.includes('--help') || args[0] === 'help') {
    return console.log(keysHelp)
  }
  const config = readConfig()
  const pool = openPool({ url: ownerUrl(config), size: 1, name: 'keys' })
  const peppers = peppersOf(config, openSecrets(config.dataDir))
  console.log(await pool.use(connection => keysCommand(args, { connection, peppers, now: now() })))
  await pool.close()
}

run(process.argv.slice(2)).then(
  () => process.exit(0),
  (error: unknown) => {
    console.error(errorMessage(error))
    process.exit(1)
  },
)
