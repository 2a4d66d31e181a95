// `bun run audit verify`: whether anything was done to the audit behind its back.
import { openPool } from '#database/pool.ts'
import { reportAudit } from './audit-report.ts'
import { readConfig } from '../server/config.ts'
import { pepperOf } from '../server/credentials.ts'
import { ownerUrl, saidOf } from './owner-url.ts'
import { openSecrets } from '../server/secrets.ts'

const help = `Usage:
  bun run audit verify [--head n:signature]

Reads the whole audit and every seal, and names each row that was changed, removed or added after it
was sealed, and each seal that was changed or is missing. Ends with 1 when there is any. The head it
prints, or a line "audit.signed" of an old log, shows later that no end was cut off: give it as --head.`

async function run(args: string[]): Promise<number> {
  const [command, flag, head] = args
  const isCommand = command === 'verify' && (flag === undefined || flag === '--head')
  if (!isCommand || (flag === '--head' && !/^\d+:[0-9a-f]{64}$/.test(head ?? ''))) {
    console.log(help)
    return args.length === 0 || args.includes('--help') ? 0 : 2
  }
  const config = readConfig()
  const pepper = pepperOf(config, openSecrets(config.dataDir))
  const pool = openPool({ url: ownerUrl(config), size: 1, name: 'audit', path: 'public' })
  const isSound = await reportAudit(pool, pepper, head ?? null, line => console.log(line))
  await pool.close()
  return isSound ? 0 : 1
}

run(process.argv.slice(2)).then(
  code => process.exit(code),
  (error: unknown) => {
    console.error(saidOf(error))
    process.exit(2)
  },
)
