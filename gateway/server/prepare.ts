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
import { addAccess, storedPerson } from '../local/stored.ts'

/** Runs on every start, after the migrations. Returns the sandbox to print. */
export async function prepareDatabase(context: GatewayContext): Promise<SandboxAccess | undefined> {
  await openPlatformRoles(context.databaseUrl, peppersOf(context.config, context.secrets))
  return ensureAccess(context)
}

/** Returns the same access on every start. Each part is stored in dev.json as soon as it's created,
 *  so a start that ends before the platform is ready doesn't lose it. */
export async function ensureAccess({
  config,
  databaseUrl,
  secrets,
}: Omit<GatewayContext, 'log'>): Promise<SandboxAccess> {
  const { dataDir } = config
  const peppers = peppersOf(config, secrets)
  const sandbox = await ensureSandbox(databaseUrl, peppers, dataDir)
  // A start never creates people on a public server.
  if (!isPrivate(config)) return sandbox
  const encryption = createEncryption(encryptionKeysOf(config, secrets))
  const stored = storedPerson(dataDir, 'owner')
  const owner = await ensureOwner(databaseUrl, sandbox, { encryption, stored })
  addAccess(dataDir, { owner })
  if (!isLocal(config)) return { ...sandbox, owner }
  const clinic = await ensureLocalClinic(databaseUrl, { peppers, encryption, dataDir })
  addAccess(dataDir, clinic)
  return { ...sandbox, owner, clinic }
}
