// `deploy/cluster/rolling-release`: replaces the running cluster's gateways and workers one by one
// with the next release's, then back again. The next release is another checkout, or the current
// checkout plus a migration, an index and a backfill of a large table. The next release's workers
// run the backfill while clients write, read, upload, listen and stream. No request may fail: each
// gets a response on its first attempt, and a socket that has to reconnect misses no events.
import { readFileSync, rmSync } from 'node:fs'
import { parseArgs } from 'node:util'
import { startServices, stopServices, until } from '../local/control.ts'
import { commandOn, outside, run } from '../local/network.ts'
import { readValuesAsWritten } from '../local/prepare.ts'
import { openState } from '../local/state.ts'
import { runOnApp } from '../local/up.ts'
import { nodesOf, ports, tls } from '../values.ts'
import { type Access, openRequest } from './client.ts'
import { readCommitted } from './ledger.ts'
import { makeNextRelease, removeSql, rowsSql, unfinishedSql, waitingSql } from './next-release.ts'
import { openReceiver } from './readers.ts'
import { keepReport } from './report.ts'
import { openIntegrations, openQuery } from './setup.ts'
import { openReads, openStreams } from './streams.ts'
import { openSubscriber } from './subscribers.ts'
import { openUploads, type Upload } from './uploads.ts'
import { openWriter } from './writer.ts'

const { values: options } = parseArgs({
  options: {
    data: { type: 'string' },
    to: { type: 'string' },
    rate: { type: 'string', default: '100' },
    rows: { type: 'string', default: '200000' },
    /** How many rows are filled, in batches. */
    filled: { type: 'string', default: '100000' },
    port: { type: 'string', default: '5011' },
    report: { type: 'string' },
  },
})
const integrationCount = 4
const socketsEach = 2
/**
 * An upload takes longer than a gateway takes to leave rotation, and less time than DRAIN_SECONDS.
 */
const uploadSeconds = 18
const jobSecondsMax = 7200
const state = openState(options.data)
const cluster = { state, ...readValuesAsWritten(state) }
const { values } = cluster
const apps = nodesOf(values, 'app').map(({ name }) => name)

async function untilReady(node: string): Promise<void> {
  const url = `https://${node}.${values.domain}:${ports.modules.api}${values.platform.ready_path}`
  const host = ['-H', `Host: ${values.hosts.api}`]
  const quiet = ['-sf', '-m', '2', '-o', '/dev/null']
  const curl = ['curl', ...quiet, '--cacert', tls.authority, ...host, url]
  await until(`${node} to be ready`, 180, async () => {
    run(commandOn(state, { name: node }, {}, curl))
    return true
  })
}

/** Takes each machine in turn out of rotation, restarts it from `release`, and waits until it's
 *  back. */
async function roll(release: string, stops: number[]): Promise<number> {
  const began = performance.now()
  for (const node of apps) {
    for (const service of ['worker', 'gateway'] as const) {
      if (service === 'gateway') stops.push(performance.now())
      await stopServices(state, { node, service })
      await startServices(state, { node, service, release })
    }
    await untilReady(node)
    // The front proxy checks every second.
    await Bun.sleep(3000)
  }
  return Math.round((performance.now() - began) / 100) / 10
}

/** Starts the clients' traffic during the release. `finish` reports failures. */
async function openTraffic() {
  const access = JSON.parse(readFileSync(state.access, 'utf8')) as Access
  const receiver = await openReceiver(state, outside(values), Number(options.port))
  const opened = await openIntegrations(cluster, integrationCount, receiver.url)
  const { call, keys, integrations } = opened
  const name = `rolling-${process.pid}`
  const writer = openWriter(call, keys, Number(options.rate), name)
  const reads = openReads(call, keys[0] ?? '')
  const streams = openStreams(openRequest(access))
  const uploads = openUploads(access, call, keys[0] ?? '', 2 * apps.length, uploadSeconds)
  const subscribers = keys.flatMap((key, tenant) =>
    Array.from({ length: socketsEach }, () => ({
      tenant,
      subscriber: openSubscriber(access, call, key),
    })),
  )
  return {
    async finish(query: (sql: string) => string, stops: readonly number[]) {
      await writer.finish()
      const longestGapSeconds = writer.gap()
      const [read, streamed] = [await reads(), await streams()]
      await uploads.finish()
      await Promise.all(subscribers.map(({ subscriber }) => subscriber.finish()))
      await receiver.stop()
      const { events } = readCommitted(query, name, integrations)
      const sockets = subscribers.map(({ tenant, subscriber }) => ({
        ...subscriber,
        missed: (events[tenant] ?? []).filter(id => !subscriber.seen.has(id)).length,
      }))
      const spans = ({ began, ended }: Upload) => stops.some(at => began < at && at < ended)
      return {
        ...writer.counts(),
        writesThatFailedOnce: Object.fromEntries(writer.answers),
        unexpected: writer.unexpected,
        longestGapSeconds,
        reads: read,
        streams: streamed,
        uploads: {
          done: uploads.done.length,
          whileOneStopped: uploads.done.filter(spans).length,
          failed: uploads.failed,
        },
        sockets: {
          open: sockets.length,
          closes: sockets.map(({ closes }) => closes),
          heard: sockets.reduce((sum, { heard }) => sum + heard.size, 0),
          seen: sockets.reduce((sum, { seen }) => sum + seen.size, 0),
          missed: sockets.reduce((sum, { missed }) => sum + missed, 0),
          failed: sockets.flatMap(({ failed }) => failed),
        },
      }
    },
  }
}

type Traffic = Awaited<ReturnType<Awaited<ReturnType<typeof openTraffic>>['finish']>>

const failuresOf = (traffic: Traffic): number =>
  Object.keys(traffic.writesThatFailedOnce).length +
  traffic.sockets.missed +
  [traffic, traffic.reads, traffic.streams, traffic.uploads, traffic.sockets]
    .map(part => ('failed' in part ? part.failed.length : part.unexpected.length))
    .reduce((sum, count) => sum + count, 0)

async function main(): Promise<boolean> {
  const query = await openQuery(cluster)
  query(removeSql)
  const [rows, filled] = [Number(options.rows), Number(options.filled)]
  query(rowsSql(rows))
  const next = options.to ?? makeNextRelease(state.release, filled)
  const traffic = await openTraffic()
  const stops: number[] = []
  const began = performance.now()
  // Runs the next release's migrations first, while this release's gateways run.
  const migrate = ['gateway/commands/admin.ts', 'migrate']
  const migrated = runOnApp(state, values, cluster.secrets, migrate, next)
  const there = await roll(next, stops)
  const jobs = await until('the index and the backfill', jobSecondsMax, async () => {
    const [waiting, failures] = query(waitingSql).trim().split(' ')
    if (failures !== '0') throw new Error('a job failed')
    return waiting === '0' && Math.round((performance.now() - began) / 1000)
  })
  const back = await roll(state.release, stops)
  const seen = await traffic.finish(query, stops)
  const unfinished = options.to === undefined ? Number(query(unfinishedSql(filled))) : 0
  const report = {
    ...seen,
    migrated: migrated.trim(),
    rows,
    filled,
    unfinished,
    seconds: { there, jobs, back, all: Math.round((performance.now() - began) / 1000) },
  }
  console.log(JSON.stringify(report, null, 2))
  keepReport('rolling-release', report, options.report)
  query(removeSql)
  if (options.to === undefined) rmSync(next, { recursive: true, force: true })
  return failuresOf(seen) + unfinished === 0
}

main().then(
  isKept => process.exit(isKept ? 0 : 1),
  (error: unknown) => {
    console.error(error instanceof Error ? error.message : error)
    process.exit(1)
  },
)
