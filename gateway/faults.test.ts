// Faults on purpose: PostgreSQL, one of its backends and the gateway are killed without warning in
// the middle of writes. Afterwards every acknowledged write exists once, with its event, and every
// retry under its key has converged on one answer.
import { afterAll, beforeAll, expect, test } from 'bun:test'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { issueKey, openIntegration } from '#auth/integrations.ts'
import { rivera } from '#clinical/ask.ts'
import { type Embedded, startEmbedded } from '#database/embedded.ts'
import { openLanes } from '#database/lanes.ts'
import { migrate } from '#database/migrate.ts'
import { freePort } from '#database/postmaster.ts'
import { sql } from '#database/sql.ts'
import { SQL } from 'bun'

const rounds = 24
const clients = 8
const pepper = 'a pepper that only the fault tests know'
const root = path.dirname(import.meta.dir)
const victims = ['gateway', 'postmaster', 'backend'] as const

type Acknowledged = { id: string; attempts: number }
const acknowledged = new Map<string, Acknowledged>()
const disagreements: string[] = []
const clientsStop = new AbortController()
let folder = ''
let database: Embedded
let port = 0
let gateway: Bun.Subprocess
let bearer = ''

const openGateway = () =>
  Bun.spawn([process.execPath, path.join(root, 'gateway', 'main.ts')], {
    cwd: root,
    stdout: 'ignore',
    stderr: 'inherit',
    env: {
      DATABASE_URL: database.url,
      DATA_DIR: path.join(folder, 'gateway'),
      PORT: String(port),
      KEY_PEPPER: pepper,
      RATE_LIMIT_REQUESTS: '10000000',
    },
  })

beforeAll(async () => {
  const built = Bun.spawnSync([process.execPath, path.join(root, 'site', 'build.ts')], {
    cwd: root,
  })
  expect(built.exitCode).toBe(0)
  folder = await mkdtemp(path.join(tmpdir(), 'faults-'))
  // PostgreSQL runs as another account when this runs as root, and must reach its files.
  Bun.spawnSync(['chmod', '755', folder])
  database = await startEmbedded({ dir: path.join(folder, 'postgres'), password: 'faults' })
  const owner = new SQL({ url: database.url, max: 1 })
  await migrate(owner)
  await owner.close()
  const lanes = openLanes({ url: database.url, size: 1, name: 'faults' })
  const { integration } = await lanes.use(lane => openIntegration(lane, 'Faults'))
  const asked = { integration, mode: 'test', name: 'faults' } as const
  bearer = (await lanes.use(lane => issueKey(lane, pepper, asked))).key
  await lanes.close()
  port = await freePort()
  gateway = openGateway()
}, 60_000)

afterAll(async () => {
  gateway.kill('SIGKILL')
  await database.stop()
  await rm(folder, { recursive: true, force: true })
})

/** One try. Null when nothing, or a promise of nothing, came back: the caller tries again. */
async function send(key: string): Promise<string | null> {
  const answer = await fetch(`http://127.0.0.1:${port}/v1/patients`, {
    method: 'POST',
    headers: {
      authorization: `Bearer ${bearer}`,
      'content-type': 'application/json',
      'idempotency-key': key,
    },
    body: JSON.stringify({ ...rivera, external_id: key }),
    signal: AbortSignal.timeout(15_000),
  }).catch(() => null)
  if (!answer) return null
  const text = await answer.text().catch(() => '')
  if (answer.status === 201 && text.endsWith('}')) return JSON.parse(text).id
  if (![409, 500, 503].includes(answer.status)) disagreements.push(`${answer.status} ${text}`)
  return null
}

async function client(name: number): Promise<void> {
  for (let turn = 0; !clientsStop.signal.aborted; turn++) {
    const key = `client-${name}-${turn}`
    for (let attempts = 1; ; attempts++) {
      const id = await send(key)
      if (id !== null) {
        acknowledged.set(key, { id, attempts })
        break
      }
      await Bun.sleep(20)
    }
    if (turn % 5 === 0) {
      const again = await send(key)
      if (again !== null && again !== acknowledged.get(key)?.id) disagreements.push(key)
    }
  }
}

async function kill(victim: (typeof victims)[number]): Promise<void> {
  if (victim === 'gateway') {
    gateway.kill('SIGKILL')
    await gateway.exited
    gateway = openGateway()
  } else if (victim === 'postmaster') process.kill(database.pid, 'SIGKILL')
  else {
    const owner = new SQL({ url: database.url, max: 1, connectionTimeout: 5 })
    const found = await owner`
      select pid from pg_stat_activity where usename = 'svc_test' order by state desc, pid limit 1`.catch(
      () => [],
    )
    await owner.close({ timeout: 0 }).catch(() => undefined)
    if (found[0]) process.kill(found[0].pid, 'SIGKILL')
  }
}

/**
 * Waits until writes are acknowledged again, or fails: nobody but the house may bring them back.
 */
async function untilServing(before: number, victim: string): Promise<void> {
  for (let waited = 0; acknowledged.size < before + clients; waited += 10) {
    if (waited > 30_000) {
      const heard = disagreements.at(-1) ?? 'nothing'
      throw new Error(`no write was acknowledged for 30 s after the ${victim} died; heard ${heard}`)
    }
    await Bun.sleep(10)
  }
}

test('every acknowledged write exists once with its event, whatever was killed', async () => {
  const work = Promise.all(Array.from({ length: clients }, (_, name) => client(name)))
  await untilServing(0, 'start')
  for (let round = 0; round < rounds; round++) {
    const victim = victims[round % victims.length] ?? 'gateway'
    await Bun.sleep(20 + ((round * 37) % 90))
    await kill(victim)
    await untilServing(acknowledged.size, victim)
  }
  clientsStop.abort()
  await work
  expect(disagreements).toEqual([])

  const lanes = openLanes({ url: database.url, size: 1, name: 'counting' })
  const rows = await lanes.use(lane =>
    lane.run<{ external_id: string; id: string; events: string; records: string }>(sql`
        select p.external_id, p.id,
               (select count(*) from test.events e where e.resource_id = p.id) as events,
               (select count(*) from test.idempotency_keys k where k.key = p.external_id) as records
          from test.patients p`),
  )
  const [totals] = await lanes.use(lane =>
    lane.run<{ events: string; outbox: string; records: string }>(sql`
        select (select count(*) from test.events) as events,
               (select count(*) from test.outbox) as outbox,
               (select count(*) from test.idempotency_keys) as records`),
  )
  await lanes.close()
  const kept = new Map(rows.map(row => [row.external_id, row.id]))
  expect(rows.length).toBe(kept.size)
  expect(kept).toEqual(new Map([...acknowledged].map(([key, { id }]) => [key, id])))
  expect(rows.filter(row => Number(row.events) !== 1 || Number(row.records) !== 1)).toEqual([])
  const all = String(rows.length)
  expect(totals).toEqual({ events: all, outbox: all, records: all })
}, 180_000)

test('health is that of the database: well, then not, and what is served without it is', async () => {
  const base = `http://127.0.0.1:${port}`
  const health = async () => {
    const answer = await fetch(`${base}/api/health`)
    return { code: answer.status, ...(await answer.json()) }
  }
  const before = await health()
  expect(before).toMatchObject({ code: 200, status: 'pass' })
  expect(Object.keys(before.checks)).toEqual(['database:responseTime', 'mail:age', 'site:articles'])
  await database.stop()
  const until = performance.now() + 10_000
  let after = await health()
  while (after.code === 200 && performance.now() < until) {
    await Bun.sleep(100)
    after = await health()
  }
  expect(after).toMatchObject({ code: 503, status: 'fail' })
  expect(after.checks['site:articles'][0].status).toBe('pass')
  for (const path of ['/', '/api/articles', '/ask?query=webhooks']) {
    expect([path, (await fetch(base + path)).status]).toEqual([path, 200])
  }
}, 30_000)
