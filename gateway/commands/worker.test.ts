// The worker process: the gateway supervises it, restarts it after a crash, and stops it on
// shutdown.
import { afterAll, beforeAll, expect, test } from 'bun:test'
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { SQL } from 'bun'
import { issueKey, openIntegration } from '#auth/integrations.ts'
import { rivera } from '#clinical/testing/call.ts'
import { authority, openReceiver } from '#http/testing/receiver.ts'
import { freePort } from '#database/embedded/postmaster.ts'
import type { Embedded } from '#database/embedded/server.ts'
import { startInstalled } from '#database/testing/installed.ts'
import { openPool } from '#database/pool.ts'
import { sampleCatalog } from '../testing/catalog.ts'
import { sampleIndex } from '../testing/search-index.ts'
import { writeSampleSite } from '../testing/site.ts'
import { environmentFor } from '../settings/config.ts'
import { createLog } from '#http/log.ts'
import { superviseWorker } from '../server/worker-supervisor.ts'
import { until } from '#http/testing/until.ts'

let folder = ''
let database: Embedded
let owner: SQL
beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'worker-'))
  // As root, we run PostgreSQL under another account, and that account needs its files.
  Bun.spawnSync(['chmod', '755', folder])
  const dir = path.join(folder, 'postgres')
  database = await startInstalled({ dir, password: 'worker', durable: false })
  owner = new SQL({ url: database.url, max: 1 })
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

/** The number of the worker's sessions that listen for wake-ups; a ready worker has two. */
async function listeners(): Promise<number> {
  const [row] = await owner`
    select count(*)::int as open from pg_stat_activity
     where usename like 'app\_worker\_%' and application_name like 'worker listener%'`
  return row.open
}

test('worker: a killed worker is restarted, and no worker remains after shutdown', async () => {
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
    import { environmentFor } from ${JSON.stringify(path.join(import.meta.dir, '../settings/config.ts'))}
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

type Span = { name: string; traceId: string; attributes: { key: string; value: object }[] }

/** An OTLP receiver and a webhook receiver. */
function openReceivers() {
  const texts: string[] = []
  const collector = Bun.serve({
    port: 0,
    hostname: '127.0.0.1',
    async fetch(request) {
      texts.push(await request.text())
      return Response.json({})
    },
  })
  const receiver = openReceiver(() => new Response('ok'), authority.sign('127.0.0.1'))
  const spans = () =>
    texts
      .flatMap(text => JSON.parse(text).resourceSpans as { scopeSpans: { spans: Span[] }[] }[])
      .flatMap(({ scopeSpans }) => scopeSpans.flatMap(scope => scope.spans))
      .map(({ name, traceId, attributes }) => ({
        name,
        traceId,
        ...Object.fromEntries(attributes.map(({ key, value }) => [key, Object.values(value)[0]])),
      }))
  const stop = () => Promise.all([collector.stop(true), receiver.stop()])
  return { collector, receiver, texts, spans, stop }
}

test('worker: a gateway write and its delivery are spans in a collector, found by event ID', async () => {
  const { collector, receiver, texts, spans, stop } = openReceivers()
  const ca = path.join(folder, 'receivers.pem')
  await writeFile(ca, authority.cert)
  const pepper = 'a pepper that only this test knows'
  const pool = openPool({ url: database.url, size: 1, name: 'traces' })
  const { integration } = await pool.use(connection => openIntegration(connection, 'Traces'))
  const { key } = await pool.use(connection =>
    issueKey(connection, pepper, { integration, mode: 'test', name: 'traces' }),
  )
  await pool.close()
  const site = writeSampleSite()
  const files = { ...sampleCatalog(1), 'catalog/search.json': sampleIndex() }
  for (const [name, text] of Object.entries(files)) {
    await mkdir(path.dirname(path.join(site, name)), { recursive: true })
    await writeFile(path.join(site, name), text)
  }
  const port = await freePort()
  const env = {
    ...Object.fromEntries(otherPorts.map(name => [name, '0'])),
    DATABASE_URL: database.url,
    DATA_DIR: folder,
    KEY_PEPPER: pepper,
    LOG_FORMAT: 'json',
    SITE_DIR: site,
    PORT: String(port),
    WEBHOOK_ALLOW: '127.0.0.1',
    WEBHOOK_CA: ca,
    OTEL_EXPORTER_OTLP_ENDPOINT: `http://127.0.0.1:${collector.port}`,
  }
  const root = path.join(import.meta.dir, '../..')
  const log = path.join(folder, 'lines.log')
  const started = ['server/main.ts', 'commands/worker.ts'].map(program =>
    Bun.spawn([process.execPath, path.join(root, 'gateway', program)], {
      cwd: root,
      stdout: Bun.file(log),
      stderr: 'ignore',
      env,
    }),
  )
  const base = `http://127.0.0.1:${port}`
  // The worker's metrics respond before it handles signals.
  await until(async () => (await readFile(log, 'utf8')).includes('gateway.open'))
  const traceId = '0af7651916cd43dd8448eb211c80319c'
  const post = async (to: string, body: object) => {
    const answer = await fetch(`${base}/v1/${to}`, {
      method: 'POST',
      headers: {
        authorization: `Bearer ${key}`,
        'content-type': 'application/json',
        'idempotency-key': to,
        traceparent: `00-${traceId}-b7ad6b7169203331-01`,
      },
      body: JSON.stringify(body),
    })
    expect(answer.status).toBe(201)
  }
  const url = `https://127.0.0.1:${receiver.port}/hooks`
  await post('webhook_endpoints', { url, event_types: ['*'] })
  await post('patients', rivera)
  await receiver.waitForRequests(1)
  // Each process sends its pending spans before it exits.
  for (const one of started) one.kill('SIGTERM')
  await Promise.all(started.map(({ exited }) => exited))
  const event = receiver.received[0]?.headers['service-event-id'] ?? 'none'
  const found = spans()
  expect(found.filter(span => span.traceId === traceId).map(({ name }) => name)).toEqual([
    'POST /v1/webhook_endpoints',
    'POST /v1/patients',
  ])
  const attempts = found.filter(({ name }) => name === 'webhook.attempted')
  expect(attempts).toMatchObject([
    { 'telehealth.event_id': event, 'telehealth.outcome': 'delivered', 'telehealth.mode': 'test' },
  ])
  expect(found.some(({ name }) => name.startsWith('job.ran '))).toBe(true)
  expect(texts.join('')).not.toContain(rivera.email)
  await stop()
}, 60_000)

const otherPorts = ['AUTH_PORT', 'MCP_PORT', 'PORTAL_PORT', 'CONSOLE_PORT']
