// A standalone gateway on a database that is already migrated: one of several in production.
import { outliveConnections } from '../processes/outlive.ts'
import { launchFailure } from '../processes/launch-failure.ts'
import { register, type RegisteredProcess } from '../processes/register.ts'
import { ConfigError, readConfig } from '../settings/config.ts'
import { describeIfAsked } from '../settings/describe.ts'
import { createLog } from '#http/log.ts'
import { openSecrets } from '../settings/secrets.ts'
import { startGateway } from './gateway.ts'

async function main(): Promise<void> {
  const config = readConfig()
  const { databaseUrl } = config
  if (databaseUrl === undefined) {
    throw new ConfigError(
      'DATABASE_URL is not set. The gateway needs it to run on its own; `npm start` includes a database.',
    )
  }
  const log = createLog(config.logFormat)
  outliveConnections(log)
  const secrets = openSecrets(config.dataDir)
  // Runs in parallel, because on most starts the roles are already correct.
  const checked = register('gateway', { config, databaseUrl, secrets })
  let registered: RegisteredProcess | undefined
  const started = startGateway({ config, databaseUrl, secrets, log, checked }).then(serving => {
    let stopping = false
    const stop = async () => {
      if (stopping) return
      stopping = true
      await serving.stop()
      await registered?.close()
      log.event('gateway.closed')
      log.flush()
      process.exit(0)
    }
    for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => void stop())
    return serving
  })
  const [serving] = await Promise.all([started, checked.then(done => (registered = done))])
  log.event('gateway.open', { url: serving.base, port: serving.port, auth_url: serving.urls.auth })
}

if (import.meta.main) {
  describeIfAsked(import.meta.path)
  main().catch((error: unknown) => {
    const { text, exitCode } = launchFailure(error)
    console.error(text)
    process.exit(exitCode)
  })
}
