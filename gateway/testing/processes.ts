// All processes of an installation, for fault tests: PostgreSQL with fsync, three gateways, two
// workers and a webhook receiver. Each can be killed.
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { SQL } from 'bun'
import { issueKey, openIntegration } from '#auth/integrations.ts'
import { authority, openReceiver } from '#http/testing/receiver.ts'
import { openPool } from '#database/pool.ts'
import { startInstalled } from '#database/testing/installed.ts'
import { freePort } from '#database/embedded/postmaster.ts'
import { sql } from '#database/sql.ts'

export const victims = ['gateway', 'postmaster', 'worker', 'backend'] as const
export type Victim = (typeof victims)[number]

const root = path.join(import.meta.dir, '../..')
const pepper = 'a pepper that only the fault tests know'

export type GatewayRequest = { method?: string; path: string; key?: string; body?: unknown }

/** PostgreSQL with an integration, and the environment of the processes. */
async function openInstallation(folder: string) {
  // If this runs as root, PostgreSQL runs under another account, which must be able to reach
  // PostgreSQL's files.
  Bun.spawnSync(['chmod', '755', folder])
  const database = await startInstalled({ dir: path.join(folder, 'postgres'), password: 'faults' })
  const ca = path.join(folder, 'receivers.pem')
  await writeFile(ca, authority.cert)
  const pool = openPool({ url: database.url, size: 1, name: 'faults' })
  const { integration } = await pool.use(connection => openIntegration(connection, 'Faults'))
  const keyRequest = { integration, mode: 'test', name: 'faults' } as const
  const bearer = (await pool.use(connection => issueKey(connection, pepper, keyRequest))).key
  await pool.close()
  const environment = {
    DATABASE_URL: database.url,
    KEY_PEPPER: pepper,
    SEAL_KEYS: pepper,
    WEBHOOK_ALLOW: '127.0.0.1',
    WEBHOOK_CA: ca,
    RATE_LIMIT_REQUESTS: '10000000',
    // The ports after PORT may belong to another gateway.
    AUTH_PORT: '0',
    MCP_PORT: '0',
    PORTAL_PORT: '0',
    CONSOLE_PORT: '0',
  }
  const launch = (program: 'server/main.ts' | 'commands/worker.ts', name: string, port = 0) =>
    Bun.spawn([process.execPath, path.join(root, 'gateway', program)], {
      cwd: root,
      stdout: 'ignore',
      // Listeners log every failed connection to the database, and tests stop the database often.
      stderr: 'ignore',
      env: {
        ...environment,
        DATA_DIR: path.join(folder, name),
        PORT: String(port),
      },
    })
  return { database, bearer, launch }
}

type Process = Bun.Subprocess<'ignore', 'ignore', 'ignore'>

/** Kills a process and starts a new one in its place. */
async function replace(all: Process[], at: number, again: () => Process): Promise<void> {
  all[at]?.kill('SIGKILL')
  await all[at]?.exited
  all[at] = again()
}

/** Sends one request to a gateway. Returns null without a complete response. */
async function call(
  bearer: string,
  port: number | undefined,
  { method = 'GET', path: at, key, body }: GatewayRequest,
) {
  const answer = await fetch(`http://127.0.0.1:${port}${at}`, {
    method,
    headers: {
      authorization: `Bearer ${bearer}`,
      ...(key === undefined ? {} : { 'idempotency-key': key }),
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
    },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    signal: AbortSignal.timeout(15_000),
  }).catch(() => null)
  const text = (await answer?.text().catch(() => '')) ?? ''
  // A truncated response counts as no response.
  if (!answer || !text.endsWith('}')) return null
  return { status: answer.status, text, body: JSON.parse(text) }
}

export async function openProcesses() {
  const folder = await mkdtemp(path.join(tmpdir(), 'faults-'))
  const { database, bearer, launch } = await openInstallation(folder)
  const receiver = openReceiver(() => new Response(), authority.sign('127.0.0.1'))
  const ports = [await freePort(), await freePort(), await freePort()] as const
  const gateways = ports.map((port, at) => launch('server/main.ts', `gateway-${at}`, port))
  const workers = [0, 1].map(at => launch('commands/worker.ts', `worker-${at}`))
  let turn = 0
  const kills: Record<Victim, () => Promise<void>> = {
    gateway: () => replace(gateways, 0, () => launch('server/main.ts', 'gateway-0', ports[0])),
    async worker() {
      const at = turn++ % workers.length
      await replace(workers, at, () => launch('commands/worker.ts', `worker-${at}`))
    },
    postmaster: async () => void process.kill(database.pid, 'SIGKILL'),
    backend: () => killBackend(database.url),
  }
  const stopAll = async (all: readonly Process[]) => {
    for (const each of all) each.kill('SIGKILL')
    await Promise.all(all.map(each => each.exited))
  }
  return {
    database,
    receiver,
    ports,
    ask: (gateway: number, request: GatewayRequest) => call(bearer, ports[gateway], request),
    kill: (victim: Victim) => kills[victim](),
    /** Whether every worker listens for wake-ups in both modes. */
    areListening: async () => (await listenersIn(database.url)) === 2 * workers.length,
    stopWorkers: () => stopAll(workers),
    async close(): Promise<void> {
      await stopAll([...gateways, ...workers])
      await receiver.stop()
      await database.stop()
      await rm(folder, { recursive: true, force: true })
    },
  }
}

export type Processes = Awaited<ReturnType<typeof openProcesses>>

async function asOwner<T>(url: string, work: (owner: SQL) => Promise<T>, otherwise: T): Promise<T> {
  const owner = new SQL({ url, max: 1, connectionTimeout: 5 })
  // The database may be down right now.
  const found = await work(owner).catch(() => otherwise)
  await owner.close({ timeout: 0 }).catch(() => undefined)
  return found
}

async function killBackend(url: string): Promise<void> {
  const pid = await asOwner(
    url,
    async owner => {
      const [row] = await owner`
        select pid from pg_stat_activity where usename = 'app_test' order by state desc, pid limit 1`
      return Number(row?.pid ?? 0)
    },
    0,
  )
  if (pid > 0) process.kill(pid, 'SIGKILL')
}

const listenersIn = (url: string): Promise<number> =>
  asOwner(
    url,
    async owner => {
      const [row] = await owner`
        select count(*)::int as listeners from pg_stat_activity
         where application_name like 'worker listener%'`
      return Number(row?.listeners ?? 0)
    },
    0,
  )

/** Makes killed workers' deliveries due again, as if their leases had expired. */
export const endLeases = sql`
  with held as materialized (
    select tenant, delivery from test.due_deliveries where claim is not null
     order by tenant, delivery for update
  ), ended as (
    update test.due_deliveries q set due_at = clock_timestamp() from held h
     where q.tenant = h.tenant and q.delivery = h.delivery
  ), queues as materialized (
    select tenant, webhook_endpoint from test.endpoint_queues
     where exists (select from held) order by tenant, webhook_endpoint for update
  )
  update test.endpoint_queues e set next_due = clock_timestamp() from queues q
   where e.tenant = q.tenant and e.webhook_endpoint = q.webhook_endpoint`
