// Every operation in the contract's table over HTTP: its highest rate, then an open loop at 50 and
// 500 requests per second. The target applies to 500 requests per second, or to 70 % of the highest
// rate if that's lower.
import { invoke, type CallOptions, pathValuesOf } from '#clinical/testing/call.ts'
import type { Fixtures } from '#clinical/testing/fixtures.ts'
import { clearEndpoints, validCalls } from '#clinical/testing/valid-calls.ts'
import { queryAsOwner } from '#clinical/testing/assertions.ts'
import { type OperationId, operationIds, table } from '#contract/api.ts'
import { isWrite } from '#contract/operation.ts'
import { sql } from '#database/sql.ts'
import { fixturesIn } from '../harness/fixtures.ts'
import { allAnswered } from '../harness/meter.ts'
import type { Cluster, BenchEnvironment } from '../harness/environment.ts'
import { uniqueMark, type Load, load, requestText } from '../harness/load.ts'
import type { Options } from '../harness/options.ts'
import { compact, median, type Result, rowOf } from '../harness/rounds.ts'
import { receiver, type Server } from '../harness/server.ts'
import { targetOf } from '../targets.ts'

/**
 * The short form's operations: a list, a write, an operation that succeeds once per row, and an
 * operation that succeeds only at a certain time.
 */
const shortOperations: readonly OperationId[] = [
  'listEvents',
  'createPatient',
  'shipCase',
  'getJoinLink',
]
const connections = 32
const unlimitedPace = 1_000_000
const lowPace = 50
const highPace = 500
const shareOfCeiling = 0.7
/**
 * The number is high, because an integration may have only sixteen endpoints and create only sixty
 * exports an hour.
 */
const tenants = 60
/** So all operations together take about a quarter of an hour. */
const roundsMax = 3
/** Requests per load if each needs its own rows. */
const ownRequests = 100
/** How many requests are prepared at the same time, each for a different tenant. */
const concurrency = 8

type Setup = {
  options: Options
  environment: BenchEnvironment
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
    for (const id of options.isShort ? shortOperations : operationIds) {
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

/**
 * Whether a request can be sent repeatedly. A request that succeeds only once per row or has a
 * quota can't.
 */
async function isRepeatable({ fixtures, keys }: Setup, id: OperationId): Promise<boolean> {
  if (!isWrite(table[id])) return true
  if (table[id].quota !== undefined) return false
  const as = keys[0] ?? ''
  const options = { ...(await validCalls[id](fixtures, as)), as }
  for (let at = 0; at < 3; at++) {
    if ((await invoke(fixtures, id, options)).status !== table[id].status) return false
  }
  return table[id].refuses?.every(code => !/limit/.test(code)) ?? true
}

/** Moves the cursors past all events, because no worker runs here, and operations are refused while
 *  events are late. */
const skipEvents = ({ fixtures }: Setup) =>
  queryAsOwner(
    fixtures,
    sql`update test.event_cursors c set read_until = s.last from test.tenants s where s.id = c.of_tenant`,
  )

async function textOf({ fixtures }: Setup, id: OperationId, as: string): Promise<string> {
  const options = await validCalls[id](fixtures, as)
  if (options.at !== undefined) await bringForward(fixtures, options)
  const { method, path } = table[id]
  const names = pathValuesOf(path, options)
  const query = new URLSearchParams(options.query ?? '').toString()
  const filled = path.replaceAll(/\{(\w+)\}/g, (_, name: string) => names[name] ?? '')
  const headers = { authorization: `Bearer ${as}`, 'user-agent': 'bench' }
  if (!isWrite(table[id])) {
    return requestText(method, query === '' ? filled : `${filled}?${query}`, headers)
  }
  const more = { 'content-type': 'application/json', 'idempotency-key': uniqueMark }
  const body = isNamed(options.body) ? { ...options.body, url: receiver } : (options.body ?? {})
  return requestText(method, filled, { ...headers, ...more }, JSON.stringify(body))
}

/** Whether a body has a URL, which then gets an IP address instead of a host name to be
 *  resolved. */
const isNamed = (body: unknown): body is { url: string } =>
  typeof body === 'object' && body !== null && 'url' in body

/** Moves a visit to the present, because the gateway's clock can't be moved, and assigns it a
 *  separate clinician, so visits don't overlap. */
const bringForward = (fixtures: Fixtures, { id = '' }: CallOptions) =>
  queryAsOwner(
    fixtures,
    sql`update test.visits set starts_at = date_trunc('minute', now()), clinician = id,
               ends_at = date_trunc('minute', now()) + interval '30 minutes' where id = ${id}`,
  )

/** Requests for one operation: the same requests for every load, or new requests each time. */
async function textsFor(setup: Setup, id: OperationId, repeats: boolean) {
  // Only the fixtures' own integrations have invoices.
  const holders = id === 'getInvoice' ? [setup.fixtures.ada.test] : setup.keys
  const wanted = setup.options.isShort ? 3 : ownRequests
  const make = async (count: number) => {
    // Makes room for new endpoints, so preparing valid calls doesn't delete any.
    if (table[id].tag === table.createWebhookEndpoint.tag) {
      for (const as of setup.keys) await clearEndpoints(setup.fixtures, as)
    }
    const texts: string[] = []
    while (texts.length < count) {
      await skipEvents(setup)
      const room = Math.min(concurrency, holders.length, count - texts.length)
      const next = Array.from(
        { length: room },
        (_, at) => holders[(texts.length + at) % holders.length],
      )
      texts.push(...(await Promise.all(next.map(as => textOf(setup, id, as ?? '')))))
    }
    return texts
  }
  const common = repeats ? await make(holders.length) : undefined
  return {
    most: repeats && !setup.options.isShort ? setup.options.requestsMax : wanted,
    next: async () => common ?? make(wanted),
  }
}

/** Measures the highest rate first, because the paces depend on it. Then alternates the paces, so a
 *  short disturbance on the machine doesn't determine the result. */
async function measure(setup: Setup, id: OperationId): Promise<Result> {
  const { options, gateway } = setup
  const repeats = await isRepeatable(setup, id)
  const rounds = options.isShort ? 1 : Math.min(roundsMax, options.rounds)
  const texts = await textsFor(setup, id, repeats)
  const send = async (pace?: number) => {
    const mine = await texts.next()
    await skipEvents(setup)
    return load({
      port: gateway.port,
      connections,
      seconds: options.seconds / 2,
      requestsMax: texts.most,
      texts: mine,
      ...(pace === undefined ? {} : { pace }),
    })
  }
  // Every connection sends a repeatable request without pausing.
  const ceiling = await send(repeats ? undefined : unlimitedPace)
  const busyPace = Math.min(
    highPace,
    Math.max(lowPace, Math.floor(ceiling.perSecond * shareOfCeiling)),
  )
  const [calm, busy]: [Load[], Load[]] = [[], []]
  for (let round = 0; round < rounds; round++) {
    const turns = [
      () => send(lowPace).then(run => calm.push(run)),
      () => send(busyPace).then(run => busy.push(run)),
    ]
    for (const turn of round % 2 === 0 ? turns : turns.toReversed()) await turn()
  }
  const full = busyPace === highPace ? busy : [await send(highPace)]
  return resultOf(id, { ceiling, calm, busy, busyPace, full })
}

type OperationLoads = {
  ceiling: Load
  calm: Load[]
  /**
   * Results at the target's pace. `full` has the results at the highest pace, which may exceed the
   * operation's rate.
   */
  busy: Load[]
  busyPace: number
  full: Load[]
}

function resultOf(
  id: OperationId,
  { ceiling, calm, busy, busyPace, full }: OperationLoads,
): Result {
  const middle = (runs: readonly Load[], pick: (run: Load) => number) =>
    compact(median(runs.map(pick)))
  const at = (runs: readonly Load[]) =>
    `p50 ${middle(runs, run => run.p50)}, p99 ${middle(runs, run => run.p99)} ms`
  return {
    rows: [
      rowOf({
        job: `${id}, p99 at ${busyPace} a second`,
        unit: 'ms',
        ours: busy.map(run => run.p99),
        peer: { name: `the same at ${lowPace} a second`, rounds: calm.map(run => run.p99) },
        target: targetOf('P16'),
      }),
    ],
    notes: [
      `${id}: at ${lowPace}/s ${at(calm)}; at ${highPace}/s ${at(full)}; ` +
        `ceiling ${compact(ceiling.perSecond)}/s`,
    ],
    proofs: [
      allAnswered(id, String(table[id].status), [...new Set([ceiling, ...calm, ...busy, ...full])]),
    ],
  }
}
