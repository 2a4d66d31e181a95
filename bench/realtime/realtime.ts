// Measures realtime from an event's commit to its subscribers' sockets, through a worker and a
// gateway that share only the database. Compared with a bare WebSocket broadcast without a
// database, tenants or commit order. An integration can have up to twenty sockets.
import path from 'node:path'
import { openWakeUp, type WakeUp } from '#clinical/jobs/wake-up.ts'
import { channelNameOf } from '#contract/realtime.ts'
import { embeddedRealtime } from '#clinical/realtime/embedded.ts'
import { limits } from '#contract/limits.ts'
import { realtimePath, realtimeProtocol } from '#contract/realtime.ts'
import { type ConnectionPool, openPool } from '#database/pool.ts'
import { freePort } from '#database/embedded/postmaster.ts'
import { sql } from '#database/sql.ts'
import { workerUrls } from '#database/roles.ts'
import { until } from '#http/testing/until.ts'
import { epoch } from '../harness/clock.ts'
import type { Cluster, BenchEnvironment, Tenant } from '../harness/environment.ts'
import type { Options } from '../harness/options.ts'
import type { ReceivedFrames, SubscriberConnections } from './listeners.ts'
import type { RealtimeSettings } from './servers.ts'
import {
  interleave,
  percentile,
  type Proof,
  type Result,
  type Row,
  rowOf,
} from '../harness/rounds.ts'
import { startServer, withClosers } from '../harness/server.ts'

const each = limits.realtimeConnectionsMax
const sizesOf = ({ isShort }: Options) => (isShort ? [2 * each] : [1, 100, 1000])
/** Events per second while delays are measured. */
const rateOf = ({ isShort }: Options) => (isShort ? 400 : 50)
type OnClose = (close: () => Promise<unknown>) => void

async function start(onClose: OnClose, program: string, input: object): Promise<number> {
  const port = await freePort()
  const command = [process.execPath, path.join(import.meta.dir, program)]
  const server = await startServer({ command, port, input: JSON.stringify({ ...input, port }) })
  onClose(() => server.stop())
  return port
}

/** Sockets in a separate process. */
class Listeners {
  constructor(private readonly port: number) {}
  private ask = async <T>(name: string, body?: object): Promise<T> =>
    (
      await fetch(`http://127.0.0.1:${this.port}${name}`, {
        method: 'POST',
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      })
    ).json() as Promise<T>
  connect = (all: SubscriberConnections) => this.ask('/connect', all)
  leave = () => this.ask('/leave')
  async waitForFrames(count: number): Promise<ReceivedFrames> {
    await until(async () => (await this.ask<number>('/count')) >= count, 2)
    return this.ask('/take')
  }
}

type Round = { perSecond: number; p50: number; p99: number; frames: number }

/** One side of the comparison: publishes one message or a burst. */
type Side = {
  name: string
  listening: SubscriberConnections
  burst(messages: number): Promise<number>
  /** The message's ID and time; null if the message contains its time. */
  one(): Promise<{ id: string; at: number } | null>
}

async function measure(
  side: Side,
  listening: Listeners,
  options: Options,
  reach: number,
): Promise<Round> {
  await listening.connect(side.listening)
  const many = Math.min(options.requestsMax, Math.ceil(2000 / reach))
  const began = await side.burst(many)
  const burst = await listening.waitForFrames(many * reach)
  const last = Math.max(...burst.map(({ at }) => at))
  const rate = rateOf(options)
  const steady = Math.min(options.requestsMax, Math.round(rate * options.seconds))
  const at = new Map<string, number>()
  const start = performance.now()
  for (let n = 0; n < steady; n++) {
    const ahead = start + (n * 1000) / rate - performance.now()
    if (ahead > 0) await Bun.sleep(ahead)
    const event = await side.one()
    if (event) at.set(event.id, event.at)
  }
  const frames = await listening.waitForFrames(steady * reach)
  await listening.leave()
  const waits = Float64Array.from(
    frames.map(one => one.at - (one.publishedAt ?? at.get(one.id) ?? Number.NaN)),
  ).sort()
  return {
    perSecond: (burst.length / (last - began)) * 1000,
    p50: percentile(waits, 0.5),
    p99: percentile(waits, 0.99),
    frames: burst.length + frames.length,
  }
}

export const emitStatement = (tenants: readonly string[], messages: number, first: number) => sql`
  with numbered as (
    select (${tenants}::bigint[])[1 + (${first}::int + n) % ${tenants.length}::int] as tenant, n
      from generate_series(0, ${messages - 1}::int) n
  ), clocks as (
    select tenant, next_timestamp(tenant, count(*)::int) as at from numbered group by tenant order by tenant
  ), emitted as (
    insert into events (tenant, id, type, resource_type, resource_id, status, created_at)
    select s.tenant, ulid('evt', c.at + s.turn * interval '1 ms', ulid_random()),
           'patient.created.v1', 'patient', ulid('pat', c.at, ulid_random()), 'created',
           c.at + s.turn * interval '1 ms'
      from (select *, row_number() over (partition by tenant order by n) - 1 as turn from numbered) s
      join clocks c on c.tenant = s.tenant
    returning id
  )
  select id from emitted order by id`

function ours(
  environment: BenchEnvironment,
  pool: ConnectionPool,
  wakeUp: WakeUp,
  tenants: Tenant[],
) {
  const ids = tenants.map(tenant => tenant.id)
  const tokens = embeddedRealtime(environment.pepper)
  let next = 0
  const write = async (messages: number) => {
    const rows = await pool.use(connection =>
      connection.run<{ event: string }>(emitStatement(ids, messages, next)),
    )
    const at = epoch()
    next += messages
    for (const id of ids) wakeUp.notify(id)
    return { at, id: rows[0]?.event ?? '' }
  }
  return async (url: string, sockets: number): Promise<Side> => ({
    name: 'ours',
    listening: await Promise.all(
      Array.from({ length: sockets }, async (_, n) => {
        const tenant = tenants[n % tenants.length]
        if (!tenant) throw new Error('There must be a tenant.')
        const { integration, organization, credential: holder } = tenant
        const channel = channelNameOf({ integration, organization, mode: 'test' })
        const expires = Math.ceil(epoch() / 1000 + limits.realtimeTokenSeconds) * 1000
        const token = await tokens.mint('test', { channel, integration, holder, expires })
        return { url, protocols: [realtimeProtocol, `bearer.${token}`] }
      }),
    ),
    burst: async messages => (await write(messages)).at,
    one: () => write(1),
  })
}

function bare(port: number, topics: number, sockets: number): Side {
  const say = (count: number) =>
    fetch(`http://127.0.0.1:${port}/say?count=${count}&topics=${topics}`)
  return {
    name: 'bare',
    listening: Array.from({ length: sockets }, (_, n) => ({
      url: `ws://127.0.0.1:${port}${realtimePath}?topic=${n % topics}`,
      protocols: [],
    })),
    async burst(messages) {
      const at = epoch()
      await say(messages)
      return at
    },
    async one() {
      await say(1)
      return null
    },
  }
}

export async function realtime(options: Options, cluster: Cluster): Promise<Result> {
  const rows: Row[] = []
  const proofs: Proof[] = []
  for (const sockets of sizesOf(options)) {
    const done = await cluster.withEnvironment(`realtime_${sockets}`, environment =>
      withClosers(onClose => size(options, environment, sockets, onClose)),
    )
    rows.push(...done.rows)
    proofs.push(...done.proofs)
  }
  const notes = [
    `realtime: worker, gateway and subscribers are processes of their own, ${each} sockets an integration at most; a wait begins when the writer has its commit, and with the bare broadcast when it is published`,
  ]
  return { rows, notes, proofs }
}

/** Creates tokens as the API operation does. */
export const follow = (pool: ConnectionPool, tenants: readonly Tenant[]) =>
  pool.use(connection =>
    connection.run(sql`
      update tenants set realtime_from = now(), realtime_until = now() + interval '1 day'
       where organization is null
         and integration = any (${tenants.map(({ integration }) => integration)}::text[])`),
  )

async function size(
  options: Options,
  environment: BenchEnvironment,
  sockets: number,
  onClose: OnClose,
) {
  const tenants = await environment.openTenants(Math.ceil(sockets / each))
  const reach = sockets / tenants.length
  const urls = { test: environment.urls.test, live: environment.urls.live }
  const workers = workerUrls(environment.urls)
  const settings = (kind: RealtimeSettings['kind'], of = urls) =>
    start(onClose, 'servers.ts', { kind, urls: of, pepper: environment.pepper })
  const [siteGateway, peer, listeners] = await Promise.all([
    settings('gateway'),
    settings('bare'),
    start(onClose, 'listeners.ts', {}),
    settings('worker', workers),
  ])
  const pool = openPool({ url: environment.url, size: 2, name: 'realtime', path: 'test, public' })
  onClose(() => pool.close())
  await follow(pool, tenants)
  const wakeUp = openWakeUp('test', environment.urls.test)
  onClose(() => wakeUp.close())
  const listening = new Listeners(listeners)
  const opened = ours(environment, pool, wakeUp, tenants)
  const url = `ws://127.0.0.1:${siteGateway}${realtimePath}`
  const rounds = await interleave(options.rounds, {
    ours: async () => measure(await opened(url, sockets), listening, options, reach),
    bare: () => measure(bare(peer, tenants.length, sockets), listening, options, reach),
  })
  const of = (side: 'ours' | 'bare', member: keyof Round) =>
    (rounds[side] ?? []).map(round => round[member])
  const row = (job: string, unit: string, member: keyof Round) =>
    rowOf({
      job: `realtime, ${sockets} sockets: ${job}`,
      unit,
      ours: of('ours', member),
      peer: { name: 'a bare broadcast over WebSockets', rounds: of('bare', member) },
      target: null,
    })
  const left = () => pool.use(connection => connection.run(sql`select tenants_to_read()`))
  // A subscriber may get a message before the dispatcher has moved its cursor.
  for (let tries = 0; tries < 500 && (await left()).length > 0; tries++) await Bun.sleep(20)
  const frames = (side: 'ours' | 'bare') => of(side, 'frames').reduce((sum, one) => sum + one, 0)
  return {
    rows: [
      row('messages out of a burst', '/s', 'perSecond'),
      row(`commit to socket at ${rateOf(options)} events/s, p50`, 'ms', 'p50'),
      row(`commit to socket at ${rateOf(options)} events/s, p99`, 'ms', 'p99'),
    ],
    proofs: [
      { what: `realtime, ${sockets}: frames`, expected: frames('bare'), found: frames('ours') },
      {
        what: `realtime, ${sockets}: rows written and left`,
        expected: 0,
        found: (await left()).length,
      },
    ],
  }
}
