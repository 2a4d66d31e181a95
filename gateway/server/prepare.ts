// What must be in the database before the door opens.
import { openRoles } from '#database/roles.ts'
import { pepperOf, rolePasswords } from './credentials.ts'
import type { GatewayContext, SandboxAccess } from './context.ts'
import { ensureSandbox } from './sandbox.ts'

/** Called at every start, after the migrations; answers the sandbox to print, once there is one. */
export async function prepareDatabase(context: GatewayContext): Promise<SandboxAccess | undefined> {
  const { config, databaseUrl, secrets } = context
  const pepper = pepperOf(config, secrets)
  await openRoles(databaseUrl, rolePasswords(pepper))
  return ensureSandbox(databaseUrl, pepper, config.dataDir)
}
