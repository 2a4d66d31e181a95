// How the commands of an operator run.
import type { CommandContext } from '#auth/operator.ts'
import { now } from '#database/clock.ts'
import { LaunchError } from '#database/launch-error.ts'
import { openPool } from '#database/pool.ts'
import { readConfig } from '../settings/config.ts'
import { comparePeppers } from '../processes/peppers.ts'
import { peppersOf } from '../settings/credentials.ts'
import { openSecrets } from '../settings/secrets.ts'
import { ownerUrl } from './owner-url.ts'

/** Runs a command with the arguments of the process, and exits with the code that it returns;
 *  `failed` after an error, whose message is printed. */
export function runCommand(run: (args: string[]) => Promise<number>, failed = 1): void {
  run(process.argv.slice(2)).then(
    code => process.exit(code),
    (error: unknown) => {
      console.error(messageOf(error))
      process.exit(failed)
    },
  )
}

type CredentialsCommand = {
  readonly name: string
  readonly help: string
  /** Returns what to print. */
  run(args: string[], context: CommandContext): Promise<string>
}

/** Runs a command over the credentials in the database of this installation. */
export function runCredentialsCommand({ name, help, run }: CredentialsCommand): void {
  runCommand(async args => {
    if (args.length === 0 || args.includes('--help') || args[0] === 'help') {
      console.log(help)
      return 0
    }
    const config = readConfig()
    const pool = openPool({ url: ownerUrl(config), size: 1, name })
    const peppers = peppersOf(config, openSecrets(config.dataDir))
    const printed = await pool.use(async connection => {
      if ((await comparePeppers(connection, peppers)) === 'different')
        throw new LaunchError(
          'KEY_PEPPER must be the one that the gateways have: they accept no credential under another.',
        )
      return run(args, { connection, peppers, now: now() })
    })
    console.log(printed)
    await pool.close()
    return 0
  })
}

/** The message of a failure, or that the database does not respond. */
function messageOf(error: unknown): string {
  const message = error instanceof Error ? error.message : String(error)
  const isAway = error instanceof Error && /ECONNREFUSED|Connection closed/i.test(message)
  return isAway
    ? 'The database does not respond. Is the service running? npm start starts it.'
    : message
}
