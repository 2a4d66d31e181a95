// `npm run admin -- encryption`: records how the operator encrypts disks and backups. The database
// can't check disks and backups, so live mode requires a person's statement, and every statement is
// stored.
import { parseArgs } from 'node:util'
import { CommandFault } from '#auth/operator.ts'
import { openPool } from '#database/pool.ts'
import { readConfig } from '../settings/config.ts'
import {
  listEncryptionStatements,
  stateEncryption,
  type EncryptionStatement,
} from '#auth/operators/encryption-statements.ts'
import type { Command } from './command.ts'
import { ownerUrl } from './owner-url.ts'

const example = `  npm run admin -- encryption --volume="LUKS2, AES-256, key in the cloud provider's KMS" \\
    --backups="age, key in the office safe" --by="Mia Chen, head of infrastructure"`

const help = `Usage:
  npm run admin -- encryption
  npm run admin -- encryption --volume="…" --backups="…" --by="…"

Records how PostgreSQL's volume and the backups are encrypted, and who confirmed it. Live mode
requires this. Each statement is kept with its date, and members can read the latest on the portal's
Go live page. Without options, lists the statements.

${example}`

async function run(args: string[]): Promise<number> {
  const text = { type: 'string' } as const
  const { values } = parseArgs({ args, options: { volume: text, backups: text, by: text } })
  const pool = openPool({ url: ownerUrl(readConfig()), size: 1, name: 'encryption' })
  try {
    await pool.use(async connection => {
      if (args.length > 0) await stateEncryption(connection, checked(values))
      const statements = await listEncryptionStatements(connection)
      for (const statement of statements) show(statement)
      if (statements.length === 0)
        console.log(`No statements yet. Live mode requires one:\n\n${example}`)
    })
  } finally {
    await pool.close()
  }
  return 0
}

type EncryptionOptions = { volume?: string; backups?: string; by?: string }

function checked({ volume = '', backups = '', by = '' }: EncryptionOptions) {
  for (const [name, value, least] of [
    ['volume', volume, 10],
    ['backups', backups, 10],
    ['by', by, 2],
  ] as const) {
    if (value.length >= least && value.length <= 500) continue
    throw new CommandFault(`--${name} must have ${least} to 500 characters.`)
  }
  return { volume, backups, by }
}

const show = ({ stated_at: at, stated_by: by, volume, backups }: EncryptionStatement) =>
  console.log(`${at}  ${by}\n  volume   ${volume}\n  backups  ${backups}`)

export const encryption: Command = { help, run }
