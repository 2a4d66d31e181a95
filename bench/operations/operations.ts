// Every operation of the table through HTTP: as fast as it is taken, and then at 50 and at 500
// requests a second, begun by the clock whether those before are answered or not. Judged is the
// busiest of these that is below 70 % of what the operation bears.
import { invoke, type CallOptions, pathValuesOf } from '#clinical/testing/call.ts'
import { type Fixtures, openFixtures } from '#clinical/testing/fixtures.ts'
import { clearEndpoints, validCalls } from '#clinical/testing/valid-calls.ts'
import { queryAsOwner } from '#clinical/testing/assertions.ts'
import { type OperationId, operationIds, table } from '#contract/api.ts'
import { isWrite } from '#contract/operation.ts'
import { sql } from '#database/sql.ts'
import { allAnswered } from '../harness/meter.ts'
import type { Cluster, AppContext } from '../harness/environment.ts'
import { fresh, type Load, load, requestText } from '../harness/load.ts'
import type { Options } from '../harness/options.ts'
import { atMost, compact, median, type Result, rowOf } from '../harness/rounds.ts'
import { receiver, type Server } from '../harness/server.ts'

/** What the short form takes: a list, a write, one that moves a row once, one that has its hour. */
const few: readonly OperationId[] = ['listEvents', 'createPatient', 'shipCase', 'getJoinLink']
const connections = 32
const asFastAsTaken = 1_000_000
const calmest = 50
const busiest = 500
const belowCeiling = 0.7
/** An integration may have sixteen endpoints and make sixty exports an hour, so there are many. */
const tenants = 60
/** Requests of one load that each need a world of their own. */
const worlds = 100
/** Worlds that are made at once, each of another tenant. */
const madeAtOnce = 8

type Stage = {
  options: Options
  environment: AppContext
  gateway: Server
  fixtures: Fixtures
  keys: string[]
}

export async function everyOperation(options: Options, cluster: Cluster): Promise<Result> {
  return cluster.withEnvironment('operations', async environment => {
    const gateway = await environment.openGateway()
    const opened = await environment.openTenants(options.isShort ? 2 : tenants)
    const fixtures = await fixturesIn(environment)
    const keys = opened.map(tenant => tenant.key)
    const results: Result[] = []
    for (const id of options.isShort ? few : operationIds) {
      results.push(await measure({ options, environment, gateway, fixtures, keys }, id))
    }
    await fixtures.close()
    return {
      rows: results.flatMap(({ rows }) => rows),
      notes: results.flatMap(({ notes }) => notes),
      proofs: results.flatMap(({ proofs }) => proofs),
    }
  })
}

/** What plays the scenes before an operation: a house of our own beside the gateway. */
function fixturesIn({ url, urls, files, pepper }: AppContext): Promise<Fixtures> {
  const database = { url, urls, close: async () => undefined }
  return openFixtures({ reuse: { database, folder: files, pepper } })
}

/** Of a row that moves once, or a number that is had once, each request needs its own. */
async function isRepeatable({ fixtures, keys }: Stage, id: OperationId): Promise<boolean> {
  if (!isWrite(table[id])) return true
  const as = keys[0] ?? ''
  const asked = { ...(await validCalls[id](fixtures, as)), as }
  for (let at = 0; at < 3; at++) {
    if ((await invoke(fixtures, id, asked)).status !== table[id].status) return false
  }
  return table[id].refuses?.every(code => !/limit/.test(code)) ?? true
}

/** No worker of a bench takes what is to be dispatched, and the house would say it is behind. */
const emptyOutbox = ({ fixtures }: Stage) => queryAsOwner(fixtures, sql`delete from test.outbox`)

async function textOf({ fixtures }: Stage, id: OperationId, as: string): Promise<string> {
  const asked = await validCalls[id](fixtures, as)
  if (asked.at !== undefined) await bringForward(fixtures, asked)
  const { method, path } = table[id]
  const names = pathValuesOf(path, asked)
  const query = new URLSearchParams(asked.query ?? '').toString()
  const filled = path.replaceAll(/\{(\w+)\}/g, (_, name: string) => names[name] ?? '')
  const headers = { authorization: `Bearer ${as}`, 'user-agent': 'bench' }
  if (!isWrite(table[id])) {
    return requestText(method, query === '' ? filled : `${filled}?${query}`, headers)
  }
  const more = { 'content-type': 'application/json', 'idempotency-key': fresh }
  const body = isNamed(asked.body) ? { ...asked.body, url: receiver } : (asked.body ?? {})
  return requestText(method, filled, { ...headers, ...more }, JSON.stringify(body))
}

/** Where no name has to be looked up: what a resolver bears is not measured here. */
const isNamed = (body: unknown): body is { url: string } =>
  typeof body === 'object' && body !== null && 'url' in body

/** Nobody moves the gateway's clock, so what is asked for later is made to be now, with a clinician
 *  who is nowhere else. */
const bringForward = (fixtures: Fixtures, { id = '' }: CallOptions) =>
  queryAsOwner(
    fixtures,
    sql`update test.visits set starts_at = date_trunc('minute', now()), clinician = id,
               ends_at = date_trunc('minute', now()) + interval '30 minutes' where id = ${id}`,
  )

/** Requests for one operation: the same for every load, or for each load its own. */
async function textsFor(stage: Stage, id: OperationId, repeats: boolean) {
  // The books of an invoice are the cast's own.
  const holders = id === 'getInvoice' ? [stage.fixtures.ada.test] : stage.keys
  const wanted = stage.options.isShort ? 3 : worlds
  const make = async (count: number) => {
    // Room for as many endpoints as are made, so that no scene makes room itself.
    if (table[id].tag === table.createWebhookEndpoint.tag) {
      for (const as of stage.keys) await clearEndpoints(stage.fixtures, as)
    }
    const texts: string[] = []
    while (texts.length < count) {
      await emptyOutbox(stage)
      const room = Math.min(madeAtOnce, holders.length, count - texts.length)
      const next = Array.from(
        { length: room },
        (_, at) => holders[(texts.length + at) % holders.length],
      )
      texts.push(...(await Promise.all(next.map(as => textOf(stage, id, as ?? '')))))
    }
    return texts
  }
  const common = repeats ? await make(holders.length) : undefined
  return {
    most: repeats && !stage.options.isShort ? stage.options.requestsMax : wanted,
    next: async () => common ?? make(wanted),
  }
}

/** The ceiling first, because what is asked for below depends on it; then calm and busy in turns,
 *  so that one moment of the machine's decides nothing. */
async function measure(stage: Stage, id: OperationId): Promise<Result> {
  const { options, gateway } = stage
  const repeats = await isRepeatable(stage, id)
  const rounds = options.isShort ? 1 : options.rounds
  const texts = await textsFor(stage, id, repeats)
  const send = async (pace?: number) => {
    const mine = await texts.next()
    await emptyOutbox(stage)
    return load({
      port: gateway.port,
      connections,
      seconds: options.seconds / 2,
      requestsMax: texts.most,
      texts: mine,
      ...(pace === undefined ? {} : { pace }),
    })
  }
  // What may be repeated is asked for by every connection without a pause.
  const ceiling = await send(repeats ? undefined : asFastAsTaken)
  const busyPace = Math.min(
    busiest,
    Math.max(calmest, Math.floor(ceiling.perSecond * belowCeiling)),
  )
  const [calm, busy]: [Load[], Load[]] = [[], []]
  for (let round = 0; round < rounds; round++) {
    const turns = [
      () => send(calmest).then(run => calm.push(run)),
      () => send(busyPace).then(run => busy.push(run)),
    ]
    for (const turn of round % 2 === 0 ? turns : turns.toReversed()) await turn()
  }
  const full = busyPace === busiest ? busy : [await send(busiest)]
  return saying(id, { ceiling, calm, busy, busyPace, full })
}

type Measured = {
  ceiling: Load
  calm: Load[]
  /** At the pace that is judged, and at the busiest, which may be more than the operation bears. */
  busy: Load[]
  busyPace: number
  full: Load[]
}

function saying(id: OperationId, { ceiling, calm, busy, busyPace, full }: Measured): Result {
  const middle = (runs: readonly Load[], pick: (run: Load) => number) =>
    compact(median(runs.map(pick)))
  const at = (runs: readonly Load[]) =>
    `p50 ${middle(runs, run => run.p50)}, p99 ${middle(runs, run => run.p99)} ms`
  return {
    rows: [
      rowOf({
        id: 'P16',
        job: `${id}, p99 at ${busyPace} a second`,
        unit: 'ms',
        ours: busy.map(run => run.p99),
        peer: { name: `the same at ${calmest} a second`, rounds: calm.map(run => run.p99) },
        target: atMost(2),
      }),
    ],
    notes: [
      `${id}: at ${calmest}/s ${at(calm)}; at ${busiest}/s ${at(full)}; ` +
        `ceiling ${compact(ceiling.perSecond)}/s`,
    ],
    proofs: [
      allAnswered(id, String(table[id].status), [...new Set([ceiling, ...calm, ...busy, ...full])]),
    ],
  }
}
