// `npm run admin -- emergency`: shows a clinic's live rows to an operator, with another person's
// approval.
import { createInterface } from 'node:readline'
import { openPersonStore } from '#auth/accounts/person-store.ts'
import { emergencyCommand, emergencyHelp, statementsOf } from '#auth/operators/emergency-command.ts'
import { now } from '#database/clock.ts'
import { createEncryption } from '#database/encryption.ts'
import { openPool } from '#database/pool.ts'
import { readConfig } from '../settings/config.ts'
import { encryptionKeysOf } from '../settings/credentials.ts'
import type { Command } from './command.ts'
import { ownerUrl } from './owner-url.ts'
import { openSecrets } from '../settings/secrets.ts'

async function run(args: string[]): Promise<number> {
  const config = readConfig()
  const url = ownerUrl(config)
  const pool = openPool({ url, size: 1, name: 'emergency' })
  const people = openPool({ url, size: 1, name: 'emergency' })
  const encryption = createEncryption(encryptionKeysOf(config, openSecrets(config.dataDir)))
  try {
    await pool.use(connection =>
      emergencyCommand(args, {
        connection,
        people: openPersonStore({ pool: people, encryption, now }),
        ownerUrl: url,
        input: () => statementsOf(createInterface({ input: process.stdin })),
        print: line => console.log(line),
        complain: line => console.error(line),
      }),
    )
  } finally {
    await Promise.all([pool.close(), people.close()])
  }
  return 0
}

export const emergency: Command = { help: emergencyHelp, run, needsWords: true }
