// Prepares the database before the gateway starts.
import { createEncryption } from '#database/encryption.ts'
import { isPrivate } from '../settings/config.ts'
import { openPlatformRoles } from '../processes/peppers.ts'
import { encryptionKeysOf, peppersOf } from '../settings/credentials.ts'
import type { GatewayContext } from '../settings/context.ts'
import type { SandboxAccess } from './context.ts'
import { isLocal } from '../local/marks.ts'
import { ensureLocalClinic } from '../local/clinic.ts'
import { ensureOwner, ensureSandbox } from './sandbox.ts'
import { storedPerson } from '../local/stored.ts'

/** Runs on every start, after the migrations. Returns the sandbox to print. */
export async function prepareDatabase(context: GatewayContext): Promise<SandboxAccess | undefined> {
  const { config, databaseUrl, secrets } = context
  const peppers = peppersOf(config, secrets)
  await openPlatformRoles(databaseUrl, peppers)
  // Reads dev.json before a new key replaces the file's content.
  const stored = storedPerson(config.dataDir, 'owner')
  const sandbox = await ensureSandbox(databaseUrl, peppers, config.dataDir)
  // A start never creates people on a public server.
  if (!isPrivate(config)) return sandbox
  const encryption = createEncryption(encryptionKeysOf(config, secrets))
  const owner = await ensureOwner(databaseUrl, sandbox, { encryption, stored })
  if (!isLocal(config)) return { ...sandbox, owner }
  const { dataDir } = config
  const clinic = await ensureLocalClinic(databaseUrl, { peppers, encryption, dataDir })
  return { ...sandbox, owner, clinic }
}
