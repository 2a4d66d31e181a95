// Every operation of the table through HTTP at 50 and at 500 requests a second, begun by the clock
// whether those before are answered or not, and then as fast as they are taken.
import { ask, type Asked, must, namesOf } from '#clinical/ask.ts'
import { type Cast, openCast } from '#clinical/cast.ts'
import { scenes } from '#clinical/scenes.ts'
import { owned } from '#clinical/watch.ts'
import { type OperationId, operationIds, table } from '#contract/clinical.ts'
import { isWrite } from '#contract/operation.ts'
import { roleName, roles } from '#database/roles.ts'
import { sql } from '#database/sql.ts'
import { allAnswered } from './gauge.ts'
import type { Cluster, House } from './house.ts'
import { fresh, type Load, load, requestText } from './load.ts'
import type { Options } from './options.ts'
import { atMost, compact, type Result, rowOf } from './rounds.ts'
import type { Server } from './server.ts'

/** What the short form takes: a list, a write, one that moves a row once, one that has its hour. */
const few: readonly OperationId[] = ['listEvents', 'createPatient', 'shipCase', 'getJoinLink']
const connections = 32
const asFastAsTaken = 1_000_000
/** An integration may have sixteen endpoints and make sixty exports an hour, so there are many. */
const tenants = 60
/** Requests of one load that each need a world of their own. */
const worlds = 100
/** Worlds that are made at once, each of another tenant. */
const madeAtOnce = 8

type Stage = { options: Options; house: House; gateway: Server; cast: Cast; keys: string[] }

export async function everyOperation(options: Options, cluster: Cluster): Promise<Result> {
  return cluster.withHouse('operations', async house => {
    const gateway = await house.openGateway()
    const opened = await house.openTenants(options.isShort ? 2 : tenants)
    const cast = await castIn(house)
    const keys = opened.map(tenant => tenant.key)
    const results: Result[] = []
    for (const id of options.isShort ? few : operationIds) {
      results.push(await measure({ options, house, gateway, cast, keys }, id))
    }
    await cast.close()
    return {
      rows: results.flatMap(({ rows }) => rows),
      notes: results.flatMap(({ notes }) => notes),
      proofs: results.flatMap(({ proofs }) => proofs),
    }
  })
}

/** What plays the scenes before an operation: a house of our own beside the gateway. */
function castIn({ url, urls, files, pepper }: House): Promise<Cast> {
  const urlOf = (name: string) => urls[roles.find(role => roleName(role) === name) ?? 'test']
  const database = { url, roleUrl: urlOf, close: async () => undefined }
  return openCast({ beside: { database, folder: files, pepper } })
}

/** Of a row that moves once, or a number that is had once, each request needs its own. */
async function isRepeatable({ cast, keys }: Stage, id: OperationId): Promise<boolean> {
  if (!isWrite(table[id])) return true
  const as = keys[0] ?? ''
  const asked = { ...(await scenes[id](cast, as)), as }
  for (let at = 0; at < 3; at++) {
    if ((await ask(cast, id, asked)).status !== table[id].status) return false
  }
  return table[id].refuses?.every(code => !/limit/.test(code)) ?? true
}

/** Room for as many endpoints as are made, so that no scene makes room itself. */
async function clearEndpoints({ cast, keys }: Stage): Promise<void> {
  for (const as of keys) {
    const { data } = await must(cast, 'listWebhookEndpoints', { as, query: { limit: '100' } })
    for (const { id } of data) await must(cast, 'deleteWebhookEndpoint', { as, id })
  }
}

async function textOf({ cast }: Stage, id: OperationId, as: string): Promise<string> {
  const asked = await scenes[id](cast, as)
  if (asked.at !== undefined) await bringForward(cast, asked)
  const { method, path } = table[id]
  const names = namesOf(path, asked)
  const query = new URLSearchParams(asked.query ?? '').toString()
  const filled = path.replaceAll(/\{(\w+)\}/g, (_, name: string) => names[name] ?? '')
  const headers = { authorization: `Bearer ${as}`, 'user-agent': 'bench' }
  if (!isWrite(table[id])) {
    return requestText(method, query === '' ? filled : `${filled}?${query}`, headers)
  }
  const more = { 'content-type': 'application/json', 'idempotency-key': fresh }
  return requestText(method, filled, { ...headers, ...more }, JSON.stringify(asked.body ?? {}))
}

/** Nobody moves the gateway's clock, so what is asked for later is made to be now, with a clinician
 *  who is nowhere else. */
const bringForward = (cast: Cast, { id = '' }: Asked) =>
  owned(
    cast,
    sql`update test.visits set starts_at = date_trunc('minute', now()), clinician = id,
               ends_at = date_trunc('minute', now()) + interval '30 minutes' where id = ${id}`,
  )

async function measure(stage: Stage, id: OperationId): Promise<Result> {
  const { options, gateway, keys } = stage
  const paces = options.isShort ? [500] : [50, 500, asFastAsTaken]
  const repeats = await isRepeatable(stage, id)
  if (table[id].tag === table.createWebhookEndpoint.tag) await clearEndpoints(stage)
  const wanted = options.isShort ? 10 : worlds
  const most = repeats ? options.requestsMax : wanted
  // The books of an invoice are the cast's own.
  const holders = id === 'getInvoice' ? [stage.cast.ada.test] : keys
  const count = repeats ? holders.length : wanted * paces.length
  const texts: string[] = []
  while (texts.length < count) {
    const room = Math.min(madeAtOnce, holders.length, count - texts.length)
    const next = Array.from(
      { length: room },
      (_, at) => holders[(texts.length + at) % holders.length],
    )
    texts.push(...(await Promise.all(next.map(as => textOf(stage, id, as ?? '')))))
  }
  const loads: Load[] = []
  for (const [at, pace] of paces.entries()) {
    const own = repeats ? texts : texts.slice(at * wanted, (at + 1) * wanted)
    const seconds = options.seconds / 2
    const plan = { port: gateway.port, connections, seconds, requestsMax: most, texts: own, pace }
    loads.push(await load(pace === asFastAsTaken ? atOnce(plan, repeats) : plan))
  }
  return saying(id, loads)
}

/** What may be repeated is asked for by every connection without a pause. */
function atOnce<P extends { pace: number }>(plan: P, repeats: boolean): Omit<P, 'pace'> | P {
  const { pace: _, ...closed } = plan
  return repeats ? closed : plan
}

function saying(id: OperationId, loads: readonly Load[]): Result {
  const [calm, busy = calm, ceiling] = loads
  if (!calm || !busy) throw new Error(`${id} was sent at no pace.`)
  const at = (run: Load) => `p50 ${compact(run.p50)}, p99 ${compact(run.p99)} ms`
  return {
    rows: [
      rowOf({
        id: 'P16',
        job: `${id}, p99 at 500 a second`,
        unit: 'ms',
        ours: [busy.p99],
        peer: { name: 'the same at 50 a second', rounds: [calm.p99] },
        target: atMost(2),
      }),
    ],
    notes: [
      `${id}: at 50/s ${at(calm)}; at 500/s ${at(busy)}; ` +
        `ceiling ${ceiling ? compact(ceiling.perSecond) : '–'}/s`,
    ],
    proofs: [allAnswered(id, String(table[id].status), loads)],
  }
}
