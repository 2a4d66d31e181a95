// Kills the primary and promotes its synchronous replica behind the same address. The test needs
// two database servers, so it runs only with FAULT_ROUNDS.
import { afterAll, beforeAll, expect, test } from 'bun:test'
import { appendFileSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import net from 'node:net'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { SQL } from 'bun'
import { invoke, rivera } from '#clinical/testing/call.ts'
import { type Fixtures, openFixtures } from '#clinical/testing/fixtures.ts'
import { queryAsOwner } from '#clinical/testing/assertions.ts'
import { takeBackup } from '#database/backup/backup.ts'
import type { Embedded } from '#database/embedded/server.ts'
import { startInstalled } from '#database/testing/installed.ts'
import { giveTo, prepareNative } from '#database/embedded/native.ts'
import { freePort } from '#database/embedded/postmaster.ts'
import { openRoles, workerUrls } from '#database/roles.ts'
import { sql } from '#database/sql.ts'
import { databaseFindings } from '#gateway/doctor/database.ts'
import { readConfig } from '#gateway/settings/config.ts'
import { rolePasswords } from '#gateway/settings/credentials.ts'
import { collectDatabase } from '#gateway/server/database-metrics.ts'
import { openMetrics } from '#http/observe/metrics.ts'
import { until } from '#http/testing/until.ts'
import { scrape } from '#gateway/testing/prometheus.ts'

const rounds = Number(process.env['FAULT_ROUNDS'] ?? 0)
const password = 'failover'
const pepper = 'a pepper of two servers'
let folder = ''
let primary: Embedded
let standbyPort = 0
let standby: Bun.Subprocess
let fixtures: Fixtures
/** The port that the database's proxy forwards to. */
let target = 0
/** A TCP proxy that the test can cut, which loses data in transit, as on a network. */
function openProxy(targetOf: () => number) {
  const sockets = new Set<net.Socket>()
  const server = net.createServer(socket => {
    const inner = net.connect(targetOf(), '127.0.0.1')
    for (const [one, other] of [
      [socket, inner],
      [inner, socket],
    ] as const) {
      sockets.add(one)
      one
        .on('error', () => {})
        .on('close', () => {
          sockets.delete(one)
          other.destroy()
        })
      one.pipe(other)
    }
  })
  const open = async () => {
    await new Promise<void>(go => server.listen(0, '127.0.0.1', go))
    return (server.address() as net.AddressInfo).port
  }
  const each = (work: (socket: net.Socket) => unknown) => () => {
    for (const socket of sockets) work(socket)
  }
  const close = () => server.close()
  return {
    open,
    close,
    hang: each(socket => socket.unpipe().pause()),
    cut: each(socket => socket.destroy()),
  }
}
const front = openProxy(() => target)
const replication = openProxy(() => primary.port)

/** A synchronous replica of the primary. */
async function openStandby(): Promise<void> {
  const dir = path.join(folder, 'standby')
  await takeBackup(primary.url, dir)
  standbyPort = await freePort()
  writeFileSync(path.join(dir, 'standby.signal'), '')
  const port = await replication.open()
  await using owner = new SQL(primary.url, { max: 1 })
  // A replica with lower limits than its primary doesn't start.
  const [{ max_connections: connections }] = await owner`show max_connections`
  const lines = [
    `primary_conninfo = 'host=127.0.0.1 port=${port} user=app password=${password}'`,
    `port = ${standbyPort}`,
    `max_connections = ${connections}`,
    `listen_addresses = '127.0.0.1'`,
    `unix_socket_directories = ''`,
  ]
  appendFileSync(path.join(dir, 'postgresql.auto.conf'), `${lines.join('\n')}\n`)
  const native = await prepareNative(dir)
  Bun.spawnSync(['chown', '-R', `${native.account?.uid ?? process.getuid?.()}`, dir])
  await giveTo(native.account, dir)
  const [program, args] = native.command('postgres', ['-D', dir])
  standby = Bun.spawn([program, ...args], { ...native.options, stdout: 'ignore', stderr: 'ignore' })
  await owner.unsafe(`alter system set synchronous_standby_names = '*'`)
  await owner`select pg_reload_conf()`
  await until(async () => {
    if (standby?.exitCode !== null) throw new Error('The replica has exited.')
    const [row] = await owner`select sync_state from pg_stat_replication`
    return row?.sync_state === 'sync'
  })
}

beforeAll(async () => {
  if (rounds === 0) return
  folder = mkdtempSync(path.join(tmpdir(), 'failover-'))
  Bun.spawnSync(['chmod', '755', folder])
  primary = await startInstalled({ dir: path.join(folder, 'primary'), password, watch: false })
  target = primary.port
  const port = await front.open()
  const url = primary.url.replace(`:${primary.port}/`, `:${port}/`)
  const urls = await openRoles(url, rolePasswords(pepper))
  const database = { url, urls, close: async () => {} }
  fixtures = await openFixtures({
    reuse: { database, folder: path.join(folder, 'files'), pepper },
  })
  await openStandby()
}, 300_000)
afterAll(async () => {
  if (rounds === 0) return
  await fixtures.close()
  front.close()
  replication.close()
  standby.kill('SIGINT')
  await standby.exited
  await primary.stop()
  rmSync(folder, { recursive: true })
})

/** The doctor's findings about replicas. 64 MB behind is a fault. */
async function replicaFindings(): Promise<string[]> {
  const asked = { config: readConfig({}), peppers: null, isLive: false }
  const found = await databaseFindings({ url: primary.url, ...asked })
  return found.flatMap(({ name, status }) => (name.startsWith('replica ') ? status : []))
}

test.if(rounds > 0)(
  'failover: no acknowledged write is lost, and every retry converges',
  async () => {
    const acknowledged = new Map<string, string>()
    const codes = new Set<string>()
    const refusedAt: number[] = []
    const finished = new AbortController()
    const client = async (name: number) => {
      for (let turn = 0; !finished.signal.aborted; turn++) {
        const key = `failover-${name}-${turn}`
        for (;;) {
          const body = { ...rivera, external_id: key }
          const {
            status,
            code,
            body: created,
          } = await invoke(fixtures, 'createPatient', { key, body })
          if (status === 201) {
            acknowledged.set(key, created.id)
            break
          }
          codes.add(code ?? '')
          refusedAt.push(performance.now())
        }
      }
    }
    // Meanwhile, a polling client must read each committed event once and in order.
    const polled: string[] = []
    const poll = async () => {
      const after = polled.at(-1)
      const query = { limit: '100', ...(after === undefined ? {} : { starting_after: after }) }
      const { status, body } = await invoke(fixtures, 'listEvents', { query })
      if (status === 200) polled.push(...body.data.map((one: { id: string }) => one.id))
      return status === 200 && !body.has_more
    }
    const poller = (async () => {
      while (!finished.signal.aborted) await poll()
    })()
    const began = performance.now()
    const clients = Promise.all(Array.from({ length: 16 }, (_, name) => client(name)))
    await until(() => acknowledged.size >= 400)
    // First, the replica falls behind, so a commit that didn't wait for it would be lost.
    replication.hang()
    const metrics = openMetrics()
    const collecting = collectDatabase(metrics, workerUrls(fixtures.database.urls))
    const lag = async () => [
      ...(scrape(await metrics.text())
        .get('telehealth_replica_lag_bytes')
        ?.series.values() ?? []),
    ]
    // Operators can see the lag, and no commit has been acknowledged.
    await until(async () => ((await lag())[0] ?? 0) !== 0)
    await collecting.close()
    expect(await replicaFindings()).toEqual(['ok'])
    await queryAsOwner(
      fixtures,
      sql`select pg_logical_emit_message(false, '', repeat('-', 70000000))`,
    )
    expect(await replicaFindings()).toEqual(['fault'])
    // Kills all processes without a chance to flush or send anything, like a machine failure.
    const children = Bun.spawnSync(['pgrep', '-P', String(primary.pid)]).stdout.toString()
    for (const pid of [primary.pid, ...children.trim().split('\n').map(Number)]) {
      process.kill(pid, 'SIGKILL')
    }
    target = standbyPort
    replication.cut()
    front.cut()
    await using promoter = new SQL(primary.url.replace(`:${primary.port}/`, `:${standbyPort}/`), {
      max: 1,
    })
    await promoter`select pg_promote()`
    // The new primary has no replica yet, and would wait for one on each commit.
    await promoter.unsafe(`alter system reset synchronous_standby_names`)
    await promoter`select pg_reload_conf()`
    const before = acknowledged.size
    await until(() => acknowledged.size >= before + 400)
    finished.abort()
    await clients
    const seconds = (performance.now() - began) / 1000
    await poller
    while (!(await poll()));
    // Requests wait for the database, so it's possible that no request was refused.
    const [first = 0] = refusedAt
    const refusedFor = ((refusedAt.at(-1) ?? first) - first) / 1000
    console.log(
      `failover: ${acknowledged.size} writes in ${seconds.toFixed(1)} s, refused for ${refusedFor.toFixed(1)} s`,
    )
    expect(refusedFor).toBeLessThan(30)
    const written = await queryAsOwner<{ id: string }>(
      fixtures,
      sql`select id from test.events order by id`,
    )
    expect(polled).toEqual(written.map(row => row.id))
    expect(
      [...codes].filter(code => !/^(service_unavailable|idempotency_in_progress)$/.test(code)),
    ).toEqual([])
    type PatientRow = { name: string; id: string; events: number }
    const rows = await queryAsOwner<PatientRow>(
      fixtures,
      sql`select p.external_id as name, p.id, count(e.id)::int as events
            from test.patients p join test.events e on e.resource_id = p.id
           where p.external_id like 'failover-%' group by p.tenant, p.id`,
    )
    expect(new Map(rows.map(row => [row.name, row.id]))).toEqual(acknowledged)
    expect(rows.filter(row => row.events !== 1)).toEqual([])
  },
  120_000,
)
