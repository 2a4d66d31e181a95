// Patients created through gateways, and the deliveries of their events to a receiver in a separate
// process.
import { writeFileSync } from 'node:fs'
import path from 'node:path'
import { sql } from '#database/sql.ts'
import { until } from '#http/testing/until.ts'
import { postText } from '../create-patient/setup.ts'
import type { BenchEnvironment, Tenant } from '../harness/environment.ts'
import { type Load, load, requestText, uniqueMark } from '../harness/load.ts'
import { processorTimeOfTree } from '../harness/machine.ts'
import { percentile } from '../harness/rounds.ts'
import { dataDir, type Server } from '../harness/server.ts'
import { type Receiver, startReceiver } from '../webhooks/stage.ts'
import type { OnClose } from './processes.ts'

export type Traffic = {
  environment: BenchEnvironment
  receiver: Receiver
  /** The environment variables that make workers trust the receiver. */
  trust: Record<string, string>
}

export async function openTraffic(
  environment: BenchEnvironment,
  onClose: OnClose,
): Promise<Traffic> {
  const receiver = await startReceiver(onClose)
  const file = path.join(dataDir, 'receiver-ca.pem')
  writeFileSync(file, receiver.ca)
  return { environment, receiver, trust: { WEBHOOK_CA: file } }
}

/** Creates an endpoint for each tenant through the API. */
export async function addEndpoints(
  { receiver }: Traffic,
  { port }: Server,
  tenants: readonly Tenant[],
): Promise<number> {
  const texts = tenants.map(({ key }, at) =>
    requestText(
      'POST',
      '/v1/webhook_endpoints',
      {
        authorization: `Bearer ${key}`,
        'content-type': 'application/json',
        'idempotency-key': uniqueMark,
      },
      JSON.stringify({
        url: `https://127.0.0.1:${receiver.tlsPort}/hooks/${at}`,
        event_types: ['*'],
      }),
    ),
  )
  const made = await inOrder(port, texts, endpointsPerSecond)
  return made.statuses['201'] ?? 0
}

const endpointsPerSecond = 100

/** Sends each request once, at this rate. */
const inOrder = (port: number, texts: readonly string[], rate: number): Promise<Load> =>
  load({
    port,
    connections: 8,
    seconds: Math.ceil(texts.length / rate) + 1,
    requestsMax: texts.length,
    texts,
    pace: rate,
  })

/** Creates patients for each tenant in turn, at this rate. */
export const writeAt = (
  { port }: Server,
  tenants: readonly Tenant[],
  rate: number,
  count: number,
): Promise<Load> => {
  const texts = tenants.map(tenant => postText(tenant, uniqueMark))
  // There are few connections, because a gateway closes a connection that has been idle for half a
  // minute.
  const each = { port, connections: 4, texts, pace: rate }
  return load({ ...each, seconds: Math.ceil(count / rate) + 1, requestsMax: count })
}

/** Creates patients as fast as the gateways can. */
export const writeAll = (
  gateways: readonly Server[],
  tenants: readonly Tenant[],
  connections: number,
  seconds: number,
): Promise<Load[]> =>
  Promise.all(
    gateways.map(({ port }) =>
      load({
        port,
        connections: Math.ceil(connections / gateways.length),
        seconds,
        requestsMax: Number.MAX_SAFE_INTEGER,
        texts: tenants.map(tenant => postText(tenant, uniqueMark)),
      }),
    ),
  )

type Arrived = { id: string; tenant: string; committed: number }

/** Waits until this many events have arrived. Returns percentiles of the time from an event's
 *  timestamp to its arrival, and how many arrived after a later event of the same tenant. */
export async function arrivals({ environment, receiver }: Traffic, count: number) {
  await until(async () => (await receiver.count()) >= count, 20)
  const { events, posts } = await receiver.take()
  const rows = await environment.owner.use(connection =>
    connection.run<Arrived>(sql`
      select id, tenant::text as tenant, extract(epoch from created_at)::float8 * 1000 as committed
        from test.events e where id = any (${Object.keys(events)}::text[]) order by e.tenant, e.id`),
  )
  let late = 0
  let latest = { tenant: '', at: 0 }
  const waits = rows.map(({ id, tenant, committed }) => {
    const at = events[id] ?? Number.NaN
    if (latest.tenant === tenant && at < latest.at) late++
    else latest = { tenant, at }
    return at - committed
  })
  const sorted = Float64Array.from(waits).sort()
  return {
    posts,
    events: rows.length,
    late,
    p50: percentile(sorted, 0.5),
    p99: percentile(sorted, 0.99),
  }
}

export type Processes = {
  gateways: readonly Server[]
  workers: readonly Server[]
  environment: BenchEnvironment
}

/** CPU microseconds used by each kind of process. */
export function used({ gateways, workers, environment }: Processes) {
  const sum = (all: readonly Server[]) =>
    all.reduce((total, { pid }) => total + processorTimeOfTree(pid), 0)
  return {
    gateways: sum(gateways),
    workers: sum(workers),
    database: processorTimeOfTree(environment.postmaster),
  }
}
export type Used = ReturnType<typeof used>

export const between = (before: Used, after: Used, parts: number): Used => ({
  gateways: (after.gateways - before.gateways) / parts,
  workers: (after.workers - before.workers) / parts,
  database: (after.database - before.database) / parts,
})
