// An installation as `npm start` creates it: its own PostgreSQL, a schema and a gateway.
import { rmSync } from 'node:fs'
import path from 'node:path'
import { issueKey, openIntegration } from '#auth/integrations.ts'
import { openPool } from '#database/pool.ts'
import { startInstalled } from '#database/testing/installed.ts'
import { quickFolder } from '#database/testing/small-disk.ts'
import { createLog } from '#http/log.ts'
import { readConfig } from '#gateway/settings/config.ts'
import { peppersOf } from '#gateway/settings/credentials.ts'
import { startGateway } from '#gateway/server/gateway.ts'
import { prepareDatabase } from '#gateway/server/prepare.ts'
import { openSecrets } from '#gateway/settings/secrets.ts'

export type Installation = Awaited<ReturnType<typeof openInstallation>>

/** A key for another integration. The other integration's sandbox is empty. */
async function newKey(url: string, pepper: string): Promise<string> {
  const pool = openPool({ url, size: 1, name: 'sandbox' })
  try {
    return await pool.use(async connection => {
      const { integration } = await openIntegration(connection, 'Another sandbox')
      const request = { integration, mode: 'test', name: 'Tests' } as const
      return (await issueKey(connection, pepper, request)).key
    })
  } finally {
    await pool.close()
  }
}

export async function openInstallation(environment: Record<string, string> = {}) {
  await using opened = new AsyncDisposableStack()
  const folder = quickFolder()
  opened.defer(() => rmSync(folder, { recursive: true, force: true }))
  const dir = path.join(folder, 'postgres')
  const database = await startInstalled({ dir, password: 'installation', durable: false })
  opened.defer(() => database.stop())
  const config = readConfig({
    PORT: '0',
    DATA_DIR: path.join(folder, 'data'),
    LOG_FORMAT: 'failures',
    ...environment,
  })
  const secrets = openSecrets(config.dataDir)
  const log = createLog(config.logFormat)
  const context = { config, databaseUrl: database.url, secrets, log }
  const sandbox = await prepareDatabase(context)
  const serving = await startGateway(context, sandbox)
  opened.defer(() => serving.stop())
  const pepper = peppersOf(config, secrets)[0]
  const kept = opened.move()
  return {
    databaseUrl: database.url,
    pepper,
    newKey: () => newKey(database.url, pepper),
    sandbox,
    serving,
    close: () => kept.disposeAsync(),
  }
}
