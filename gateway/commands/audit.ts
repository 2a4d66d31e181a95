// `npm run audit verify`: detects changes to the audit log.
import { openPool } from '#database/pool.ts'
import { reportAudit } from './audit-report.ts'
import { readConfig } from '../settings/config.ts'
import { peppersOf } from '../settings/credentials.ts'
import { ownerUrl } from './owner-url.ts'
import { runCommand } from './run.ts'
import { openSecrets } from '../settings/secrets.ts'

const help = `Usage:
  npm run audit -- verify [--head n:signature]

Verifies every row and signature of the audit log, and prints each row that was changed, removed or
added after it was signed, and each signature that is changed or missing. The exit code is 1 if there
is any. Pass the head that an earlier run printed, or that of a log line "audit.signed", as --head to
detect that the end of the log was removed.`

async function run(args: string[]): Promise<number> {
  const [command, flag, head] = args
  const isCommand = command === 'verify' && (flag === undefined || flag === '--head')
  if (!isCommand || (flag === '--head' && !/^\d+:[0-9a-f]{64}$/.test(head ?? ''))) {
    console.log(help)
    return args.length === 0 || args.includes('--help') ? 0 : 2
  }
  const config = readConfig()
  const peppers = peppersOf(config, openSecrets(config.dataDir))
  const pool = openPool({ url: ownerUrl(config), size: 1, name: 'audit', path: 'public' })
  const isIntact = await reportAudit(pool, peppers, head ?? null, line => console.log(line))
  await pool.close()
  return isIntact ? 0 : 1
}

runCommand(run, 2)
