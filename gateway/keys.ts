// `bun run keys`: lists, creates and revokes API keys in the database of this installation.
import { keysCommand, keysHelp } from '#auth/keys-command.ts'
import { openLanes } from '#database/lanes.ts'
import { now } from '#database/time-and-chance.ts'
import { readConfig } from './config.ts'
import { pepperOf } from './credentials.ts'
import { ownerUrl, saidOf } from './owner-url.ts'
import { openSecrets } from './secrets.ts'

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
    console.error(saidOf(error))
    process.exit(1)
  },
)
