// Measures one gateway with ten thousand sockets, twenty for each of five hundred integrations: the
// time until every socket has an event, the cost of an idle socket, how one more socket is refused,
// and how long the gateway takes to close them all. Everything runs as in production.
import { openWakeUp } from '#clinical/jobs/wake-up.ts'
import { channelNameOf } from '#contract/realtime.ts'
import { embeddedRealtime } from '#clinical/realtime/embedded.ts'
import { limits } from '#contract/limits.ts'
import { realtimeCloses, realtimePath, realtimeProtocol } from '#contract/realtime.ts'
import { openPool } from '#database/pool.ts'
import { until } from '#http/testing/until.ts'
import { epoch } from '../harness/clock.ts'
import type { BenchEnvironment, Cluster, Tenant } from '../harness/environment.ts'
import { processorTime, processorTimeOfTree, residentMegabytes } from '../harness/machine.ts'
import type { Options } from '../harness/options.ts'
import { type Proof, type Result, type Row, rowOf } from '../harness/rounds.ts'
import { atMost } from '../targets.ts'
import { type Server, withClosers } from '../harness/server.ts'
import { emitStatement, follow } from '../realtime/realtime.ts'
import type { OpenedSockets, Connections } from './clients.ts'
import {
  onItsOwn,
  type OnClose,
  openClients,
  openGateway,
  openWorker,
  type RemoteClients,
} from './processes.ts'

const each = limits.realtimeConnectionsMax
const socketsOf = ({ isShort }: Options) => (isShort ? 2 * each : 10_000)
/** The gateway's DRAIN_SECONDS. */
const drainSecondsMax = 25
/** More files than a gateway opens apart from sockets, but few enough for subscribers to
 *  exhaust. */
const fewFiles = 400

type Stage = {
  environment: BenchEnvironment
  tenants: Tenant[]
  gateway: Server
  clients: RemoteClients
  /** Commits an event for each of the first tenants; returns the commit time. */
  emit(tenants: number): Promise<number>
}

export const clusterSockets = (options: Options, shared: Cluster): Promise<Result> =>
  onItsOwn(options, shared, cluster =>
    cluster.withEnvironment('cluster_sockets', environment =>
      withClosers(async onClose => {
        const stage = await openStage(options, environment, onClose)
        const { isShort } = options
        const sockets = socketsOf(options)
        const few = await opened(stage, onePerTenant)
        const alone = await heard(stage, options.rounds, stage.tenants.length, few.open)
        const before = await idle(stage, isShort)
        // The gateway still has room. Only this integration is at its limit.
        await opened(stage, (at, n) => at === 0 && n > 0)
        const next = await stage.clients.connect(
          await connectionsOf(stage, stage.gateway, onePerTenant, 1),
        )
        const many = await opened(stage, (at, n) => at > 0 && n > 0)
        const after = await idle(stage, isShort)
        const one = await heard(stage, options.rounds, 1, each)
        const all = await heard(stage, options.rounds, stage.tenants.length, sockets)
        const drained = await drain(stage)
        const full = await atTheLimit(stage, isShort, onClose)
        return resultOf({ sockets, few, many, before, after, alone, one, all, next, drained, full })
      }),
    ),
  )

async function openStage(options: Options, environment: BenchEnvironment, onClose: OnClose) {
  const tenants = await environment.openTenants(socketsOf(options) / each)
  const [gateway, clients] = await Promise.all([
    openGateway(environment, onClose),
    openClients(onClose),
    openWorker(environment, onClose),
  ])
  const { url, urls } = environment
  const pool = openPool({ url, size: 2, name: 'sockets', path: 'test, public' })
  onClose(() => pool.close())
  await follow(pool, tenants)
  const wakeUp = openWakeUp('test', urls.test)
  onClose(() => wakeUp.close())
  const emit = async (count: number) => {
    const ids = tenants.slice(0, count).map(({ id }) => id)
    await pool.use(connection => connection.run(emitStatement(ids, count, 0)))
    const at = epoch()
    for (const id of ids) wakeUp.notify(id)
    return at
  }
  return { environment, tenants, gateway, clients, emit }
}

type Chosen = (tenant: number, socket: number) => boolean
const onePerTenant: Chosen = (_, socket) => socket % each === 0

/** The selected sockets of each of the first tenants. */
async function connectionsOf(
  { environment, tenants }: Pick<Stage, 'environment' | 'tenants'>,
  { port }: Server,
  isChosen: Chosen,
  first = tenants.length,
): Promise<Connections> {
  const realtime = embeddedRealtime(environment.pepper)
  const url = `ws://127.0.0.1:${port}${realtimePath}`
  const connections = tenants
    .slice(0, first)
    .map(async ({ integration, organization, credential }, at) => {
      const channel = channelNameOf({ integration, organization, mode: 'test' })
      const expires = Math.ceil(epoch() / 1000 + limits.realtimeTokenSeconds) * 1000
      const token = await realtime.mint('test', {
        channel,
        integration,
        holder: credential,
        expires,
      })
      const one = { url, protocols: [realtimeProtocol, `bearer.${token}`] }
      return Array.from({ length: each }, (_, n) => n).flatMap(n => (isChosen(at, n) ? [one] : []))
    })
  return (await Promise.all(connections)).flat()
}

const opened = async (stage: Stage, isChosen: Chosen): Promise<OpenedSockets> =>
  stage.clients.connect(await connectionsOf(stage, stage.gateway, isChosen))

type Waits = { p50: number; p99: number; last: number; frames: number }

/**
 * For each round, the time from committing an event for each of the first tenants until the event's
 * frames arrive.
 */
async function heard(
  { clients, emit }: Stage,
  rounds: number,
  tenants: number,
  frames: number,
): Promise<Waits[]> {
  const all: Waits[] = []
  for (let round = 0; round <= rounds; round++) {
    const at = await emit(tenants)
    await until(async () => (await clients.count()) >= frames, 5)
    const found = await clients.take()
    const { p50, p99, last } = found
    const waits = { p50: p50 - at, p99: p99 - at, last: last - at, frames: found.frames }
    if (round > 0) all.push(waits)
  }
  return all
}

/** CPU microseconds per second and resident megabytes while idle. */
async function idle({ gateway, environment }: Stage, isShort: boolean) {
  const times = () => ({
    gateway: processorTime(gateway.pid),
    database: processorTimeOfTree(environment.postmaster),
  })
  // The measurement lasts longer than two intervals of each gateway's connection report.
  const seconds = isShort ? 1 : 24
  const before = times()
  await Bun.sleep(seconds * 1000)
  const after = times()
  return {
    gateway: (after.gateway - before.gateway) / seconds / 1000,
    database: (after.database - before.database) / seconds / 1000,
    megabytes: residentMegabytes(gateway.pid),
  }
}

/** The time from the signal until every socket is closed, and until the gateway has exited. */
async function drain({ gateway, clients }: Stage) {
  const at = epoch()
  await gateway.stop()
  const exit = epoch() - at
  const { codes, last } = await clients.ended()
  return { codes, sockets: last - at, exit }
}

/**
 * Tests a gateway with a low limit on open files: how many sockets it refuses, its CPU use while
 * full, and whether it responds after the sockets close.
 */
async function atTheLimit(stage: Stage, isShort: boolean, onClose: OnClose) {
  if (isShort) return null
  const gateway = await openGateway(stage.environment, onClose, { files: fewFiles })
  const connections = (await connectionsOf(stage, gateway, () => true)).slice(0, 2 * fewFiles)
  const { open, refused } = await stage.clients.connect(connections)
  const before = processorTime(gateway.pid)
  await Bun.sleep(2000)
  const busy = (processorTime(gateway.pid) - before) / 2_000_000
  await stage.clients.leave()
  const url = `http://127.0.0.1:${gateway.port}/api/live`
  await Bun.sleep(2000)
  const answer = await fetch(url, { signal: AbortSignal.timeout(10_000) }).catch(() => null)
  return { open, refused, busy, status: answer?.status ?? 0 }
}

type SocketFigures = {
  sockets: number
  few: OpenedSockets
  many: OpenedSockets
  before: Awaited<ReturnType<typeof idle>>
  after: Awaited<ReturnType<typeof idle>>
  alone: Waits[]
  one: Waits[]
  all: Waits[]
  next: OpenedSockets
  drained: Awaited<ReturnType<typeof drain>>
  full: Awaited<ReturnType<typeof atTheLimit>>
}

function resultOf(found: SocketFigures): Result {
  const { sockets, few, many, before, after, alone, one, all, next, drained, full } = found
  const row = (job: string, unit: string, ours: number[], most?: number): Row =>
    rowOf({
      job: `${sockets} sockets: ${job}`,
      unit,
      ours,
      peer: null,
      target: most === undefined ? null : atMost(most),
    })
  const waits = (job: string, of: Waits[]) =>
    (['p50', 'last'] as const).map(name =>
      row(
        `${job}, ${name}`,
        'ms',
        of.map(wait => wait[name]),
      ),
    )
  const more = many.open - few.open
  const proof = (what: string, expected: number, count: number): Proof => ({
    what: `${sockets} sockets: ${what}`,
    expected,
    found: count,
  })
  const { restarting, tooMany } = realtimeCloses
  return {
    rows: [
      row('opening one', 'ms', [many.milliseconds / more]),
      row('memory of one', 'KiB', [((after.megabytes - before.megabytes) * 1024) / more]),
      row('idle, gateway CPU per second', 'ms', [after.gateway]),
      row('idle, processor of PostgreSQL a second', 'ms', [after.database]),
      ...waits('an event of one tenant to its twenty', one),
      ...waits('an event in every tenant to one of each', alone),
      ...waits('an event in every tenant to all', all),
      row('from the signal until all are closed', 's', [drained.sockets / 1000], drainSecondsMax),
      row('from the signal until the gateway exits', 's', [drained.exit / 1000], drainSecondsMax),
    ],
    notes: [
      `sockets: with ${few.open} of them, idle gateway ${before.gateway} and PostgreSQL ${before.database} ms a second`,
      `sockets: a gateway that may open ${fewFiles} files: ${JSON.stringify(full)}`,
      `sockets: one more of an integration: ${JSON.stringify(next)}`,
    ],
    proofs: [
      proof('that are open', sockets, many.open),
      proof('frames of an event in every tenant', sockets * all.length, sum(all)),
      proof(
        `one more of an integration is closed with ${tooMany.code}`,
        1,
        next.refused[tooMany.code] ?? 0,
      ),
      proof(`closed with ${restarting.code}`, sockets, drained.codes[restarting.code] ?? 0),
    ],
  }
}

const sum = (waits: Waits[]) => waits.reduce((total, { frames }) => total + frames, 0)
