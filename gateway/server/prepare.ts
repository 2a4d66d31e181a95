// Prepares the database before the gateway starts.
import { openRoles } from '#database/roles.ts'
import { pepperOf, rolePasswords } from './credentials.ts'
import type { GatewayContext, SandboxAccess } from './context.ts'
import { ensureSandbox } from './sandbox.ts'

/** Runs at every start, after the migrations; returns the sandbox to print. */
export async function prepareDatabase(context: GatewayContext): Promise<SandboxAccess | undefined> {
  const { config, databaseUrl, secrets } = context
  const pepper = pepperOf(config, secrets)
  await openRoles(databaseUrl, rolePasswords(pepper))
  return ensureSandbox(databaseUrl, pepper, config.dataDir)
}
