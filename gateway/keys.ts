// `bun run keys`: lists, mints and revokes API keys in the database of this house.
import { existsSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { keysCommand, keysHelp } from '#auth/keys-command.ts'
import { openLanes } from '#database/lanes.ts'
import { LaunchError } from '#database/launch-error.ts'
import { now } from '#database/time-and-chance.ts'
import { type Config, readConfig } from './config.ts'
import { pepperOf } from './credentials.ts'
import { openSecrets } from './secrets.ts'

/** The database that DATABASE_URL names, or the one that `npm start` runs in DATA_DIR. */
function ownerUrl(config: Config): string {
  if (config.databaseUrl !== undefined) return config.databaseUrl
  const port = path.join(config.dataDir, 'postgres.port')
  if (!existsSync(port)) {
    throw new LaunchError(
      `There is no database in ${config.dataDir} yet. Run npm start, or set DATABASE_URL.`,
    )
  }
  const password = openSecrets(config.dataDir)('databasePassword')
  return `postgres://house:${password}@127.0.0.1:${readFileSync(port, 'utf8').trim()}/house`
}

async function run(args: string[]): Promise<void> {
  if (args.length === 0 || args.includes('--help') || args[0] === 'help') {
    return console.log(keysHelp)
  }
  const config = readConfig()
  const lanes = openLanes({ url: ownerUrl(config), size: 1, name: 'keys' })
  const pepper = pepperOf(config, openSecrets(config.dataDir))
  console.log(await lanes.use(lane => keysCommand(args, { lane, pepper, now: now() })))
  await lanes.close()
}

run(process.argv.slice(2)).then(
  () => process.exit(0),
  (error: unknown) => {
    const message = error instanceof Error ? error.message : String(error)
    const isAway = error instanceof Error && /ECONNREFUSED|Connection closed/i.test(message)
    console.error(
      isAway ? 'The database does not answer. Is the house running? npm start starts it.' : message,
    )
    process.exit(1)
  },
)
