// Database commands for credentials, clinics and billing. Each command prints its module's result.
import type { CommandContext } from '#auth/operator.ts'
import { now } from '#database/clock.ts'
import { LaunchError } from '#database/launch-error.ts'
import { openPool } from '#database/pool.ts'
import { comparePeppers } from '../processes/peppers.ts'
import { readConfig } from '../settings/config.ts'
import { peppersOf } from '../settings/credentials.ts'
import { openSecrets } from '../settings/secrets.ts'
import type { Command } from './command.ts'
import { ownerUrl } from './owner-url.ts'

type Work = (args: string[], context: CommandContext) => Promise<string>

function overCredentials(name: string, help: string, work: Work): Command {
  return { help, needsWords: true, run: args => print(name, args, work) }
}

/** Runs `work` on this installation's database and prints its result. */
export async function print(name: string, args: string[], work: Work): Promise<number> {
  const config = readConfig()
  const pool = openPool({ url: ownerUrl(config), size: 1, name })
  const peppers = peppersOf(config, openSecrets(config.dataDir))
  const printed = await pool.use(async connection => {
    if ((await comparePeppers(connection, peppers)) === 'different')
      throw new LaunchError(
        "KEY_PEPPER must match the gateways', which accept no credential created with another.",
      )
    return work(args, { connection, peppers, now: now() })
  })
  console.log(printed)
  await pool.close()
  return 0
}

export async function keys(): Promise<Command> {
  const { keysCommand, keysHelp } = await import('#auth/keys-command.ts')
  return overCredentials('keys', keysHelp, keysCommand)
}

export async function clients(): Promise<Command> {
  const { clientsCommand, clientsHelp } = await import('#auth/clients-command.ts')
  return overCredentials('clients', clientsHelp, clientsCommand)
}

export async function grants(): Promise<Command> {
  const { grantsCommand, grantsHelp } = await import('#auth/grants/grants-command.ts')
  return overCredentials('grants', grantsHelp, grantsCommand)
}

export async function billing(): Promise<Command> {
  const { billingCommand, billingHelp } = await import('#clinical/billing/billing-command.ts')
  return overCredentials('billing', billingHelp, billingCommand)
}
