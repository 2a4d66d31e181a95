// A gateway's or worker's first database steps: checks that the process's roles can log in and that
// this version supports the schema, and registers how many connections the process may open.
import { checkSchema, ownSchema } from '#database/check-schema.ts'
import { type PlatformProcess, registerProcess } from '#database/processes.ts'
import type { RoleUrls } from '#database/roles.ts'
import type { Config } from '../settings/config.ts'
import { peppersOf } from '../settings/credentials.ts'
import type { GatewayContext } from '../settings/context.ts'
import { openPlatformRoles } from './peppers.ts'
import { gatewayConnections, sumOf, workerConnections } from './connections.ts'

export type RegisteredProcess = { readonly roles: RoleUrls; readonly close: () => Promise<void> }

type Context = Pick<GatewayContext, 'config' | 'databaseUrl' | 'secrets'>

/** Throws if the process must not start. */
export async function register(
  kind: PlatformProcess['kind'],
  { config, databaseUrl, secrets }: Context,
): Promise<RegisteredProcess> {
  const roles = await openPlatformRoles(databaseUrl, peppersOf(config, secrets))
  await checkSchema(databaseUrl)
  const connections = sumOf(connectionsOf[kind](config))
  const { close } = await registerProcess(roles.test, { kind, connections, schema: ownSchema() })
  return { roles, close }
}

const connectionsOf = {
  gateway: ({ poolSize }: Config) => gatewayConnections(poolSize),
  worker: ({ workerPoolSize, metrics }: Config) =>
    workerConnections(workerPoolSize, metrics.worker !== undefined),
} as const
