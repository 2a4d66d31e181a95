// `npm run admin -- audit verify`: detects changes to the audit log.
import { parseArgs } from 'node:util'
import { CommandFault, unknownCommand } from '#auth/operator.ts'
import { openPool } from '#database/pool.ts'
import { reportAudit } from './audit-report.ts'
import type { Command } from './command.ts'
import { readConfig } from '../settings/config.ts'
import { peppersOf } from '../settings/credentials.ts'
import { ownerUrl } from './owner-url.ts'
import { openSecrets } from '../settings/secrets.ts'

const help = `Usage:
  npm run admin -- audit verify [--head n:signature]

Verifies every row and signature in the audit log. Prints each row that was changed, removed or
added after signing, and each changed or missing signature.
--head is the head from an earlier run or an "audit.signed" log line. With it, rows removed from the
end of the log are detected too.

The exit code is 1 if anything was found, and 2 if the log couldn't be read.`

async function run(args: string[]): Promise<number> {
  const options = { head: { type: 'string' } } as const
  const { values, positionals } = parseArgs({ args, options, allowPositionals: true })
  const { head } = values
  if (positionals.join(' ') !== 'verify') throw unknownCommand(positionals)
  if (head !== undefined && !/^\d+:[0-9a-f]{64}$/.test(head))
    throw new CommandFault(
      `--head must be a number, a colon and 64 hex digits, as an earlier run printed it after "Head", not "${head}".`,
    )
  const config = readConfig()
  const peppers = peppersOf(config, openSecrets(config.dataDir))
  const pool = openPool({ url: ownerUrl(config), size: 1, name: 'audit', path: 'public' })
  const isIntact = await reportAudit(pool, peppers, head ?? null, line => console.log(line))
  await pool.close()
  return isIntact ? 0 : 1
}

export const audit: Command = { help, run, needsWords: true, failed: 2 }
