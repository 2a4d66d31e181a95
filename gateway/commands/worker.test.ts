// The worker process: supervised by the gateway, restarted after a crash, and stopped with it.
import { afterAll, beforeAll, expect, test } from 'bun:test'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { SQL } from 'bun'
import { type Embedded, startEmbedded } from '#database/embedded/server.ts'
import { migrate } from '#database/migrate.ts'
import { environmentFor } from '../server/config.ts'
import { createLog } from '#http/log.ts'
import { superviseWorker } from '../server/worker-supervisor.ts'
import { until } from '#http/testing/until.ts'

let folder = ''
let database: Embedded
let owner: SQL
beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'worker-'))
  // PostgreSQL runs as another account when this runs as root, and must reach its files.
  Bun.spawnSync(['chmod', '755', folder])
  const dir = path.join(folder, 'postgres')
  database = await startEmbedded({ dir, password: 'worker', durable: false })
  owner = new SQL({ url: database.url, max: 1 })
  await migrate(owner)
}, 60_000)
afterAll(async () => {
  await owner.close()
  await database.stop()
  await rm(folder, { recursive: true, force: true })
})

const isRunning = (pid: number) => {
  try {
    return process.kill(pid, 0)
  } catch {
    return false
  }
}

/** The worker's sessions that listen for wake-ups: two when it is ready. */
async function listeners(): Promise<number> {
  const [row] = await owner`
    select count(*)::int as open from pg_stat_activity
     where usename like 'app\_worker\_%' and application_name like 'worker listener%'`
  return row.open
}

test('worker: a killed worker is restarted, and none is left after shutdown', async () => {
  const environment = environmentFor({
    DATABASE_URL: database.url,
    DATA_DIR: folder,
    KEY_PEPPER: 'a pepper that only this test knows',
    LOG_FORMAT: 'json',
  })
  const lines: string[] = []
  const log = createLog('json', text => void lines.push(...text.trimEnd().split('\n')))
  const worker = superviseWorker(environment, log)
  await until(async () => (await listeners()) === 2)
  const first = worker.pid ?? 0
  process.kill(first, 'SIGKILL')
  await until(() => worker.pid !== undefined && worker.pid !== first)
  const second = worker.pid ?? 0
  await until(async () => (await listeners()) === 2)
  await worker.stop()
  expect([isRunning(first), isRunning(second), worker.pid]).toEqual([false, false, undefined])
  log.flush()
  const died = lines.map(line => JSON.parse(line)).filter(line => line.event === 'worker.exited')
  expect(died).toMatchObject([{ signal: 'SIGKILL' }])
}, 60_000)

test('worker: exits when its supervisor is gone', async () => {
  await until(async () => (await listeners()) === 0)
  const program = path.join(import.meta.dir, '../server/worker-supervisor.ts')
  const script = `import { superviseWorker } from ${JSON.stringify(program)}
    import { createLog } from ${JSON.stringify(path.join(import.meta.dir, '../../http/log.ts'))}
    import { environmentFor } from ${JSON.stringify(path.join(import.meta.dir, '../server/config.ts'))}
    superviseWorker(environmentFor({}), createLog('json'))`
  const supervisor = Bun.spawn([process.execPath, '-e', script], {
    stdout: 'ignore',
    stderr: 'inherit',
    env: environmentFor({
      DATABASE_URL: database.url,
      DATA_DIR: folder,
      KEY_PEPPER: 'a pepper that only this test knows',
    }),
  })
  await until(async () => (await listeners()) === 2)
  supervisor.kill('SIGKILL')
  await until(async () => (await listeners()) === 0)
}, 60_000)
