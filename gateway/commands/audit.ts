// `npm run admin -- audit verify`: detects changes to the audit log.
import { unknownCommand } from '#auth/operator.ts'
import { openPool } from '#database/pool.ts'
import { reportAudit } from './audit-report.ts'
import type { Command } from './command.ts'
import { readConfig } from '../settings/config.ts'
import { peppersOf } from '../settings/credentials.ts'
import { ownerUrl } from './owner-url.ts'
import { openSecrets } from '../settings/secrets.ts'

const help = `Usage:
  npm run admin -- audit verify [--head n:signature]

Verifies every row and signature of the audit log, and prints each row that was changed, removed or
added after it was signed, and each signature that is changed or missing.
--head is the head that an earlier run printed, or that of a log line "audit.signed": with it, a
removed end of the log is detected too.

The exit code is 1 if there is a finding, and 2 if the log could not be read.`

async function run(args: string[]): Promise<number> {
  const [command, flag, head] = args
  const isCommand = command === 'verify' && (flag === undefined || flag === '--head')
  if (!isCommand || (flag === '--head' && !/^\d+:[0-9a-f]{64}$/.test(head ?? '')))
    throw unknownCommand(args)
  const config = readConfig()
  const peppers = peppersOf(config, openSecrets(config.dataDir))
  const pool = openPool({ url: ownerUrl(config), size: 1, name: 'audit', path: 'public' })
  const isIntact = await reportAudit(pool, peppers, head ?? null, line => console.log(line))
  await pool.close()
  return isIntact ? 0 : 1
}

export const audit: Command = { help, run, needsWords: true, failed: 2 }
