// `deploy/cluster/chaos --rounds=N`: breaks the running cluster, one fault per round, while clients
// write, upload documents, poll and receive webhooks. Then it checks the clients' results, and
// exits with 1 if a promise was broken.
import { existsSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { parseArgs } from 'node:util'
import { until } from '../local/control.ts'
import { databasesOf, isWhole } from '../local/databases.ts'
import { outside } from '../local/network.ts'
import { readValuesAsWritten } from '../local/prepare.ts'
import { openState } from '../local/state.ts'
import { hostOf, nodesOf, ports } from '../values.ts'
import type { Access, Call } from './client.ts'
import { digestOf, type Documents, openDocuments } from './documents.ts'
import { type Fault, faultsOf, inflict, nodesHit, randomFrom } from './faults.ts'
import {
  areRight,
  documentType,
  isRight,
  judge,
  judgeDocuments,
  readCommitted,
  readDocuments,
} from './ledger.ts'
import { conflictsIn, countsOf, openProbe, type Probe } from './probe.ts'
import { openPoller, openReceiver } from './readers.ts'
import { keepReport } from './report.ts'
import { openIntegrations, openLive, openQuery } from './setup.ts'
import { openWriter, type Writer } from './writer.ts'

const { values: options } = parseArgs({
  options: {
    data: { type: 'string' },
    rounds: { type: 'string', default: '3' },
    rate: { type: 'string', default: '300' },
    /** Live-mode documents per second. */
    documents: { type: 'string', default: '2' },
    seed: { type: 'string', default: '1' },
    /** How long a stop or a partition lasts: longer than Patroni's ttl, so Patroni detects it. */
    seconds: { type: 'string', default: '26' },
    port: { type: 'string', default: '5010' },
    /** Limits faults to names that contain one of these texts, such as `primary,kill gateway`. */
    only: { type: 'string', default: '' },
    report: { type: 'string' },
  },
})
const integrationCount = 8
const quietSeconds = 3
/** A killed database is rewound or copied before it follows the primary again. */
const wholeSecondsMax = 300

const state = openState(options.data)
const { values, secrets } = readValuesAsWritten(state)
const cluster = { state, values, secrets }
const databases = () => databasesOf(values, state.authority)

async function openProbes() {
  const query = await openQuery(cluster)
  query(`create table if not exists public.cluster_probe (at timestamptz not null default now());
         grant insert on public.cluster_probe to app`)
  const sockets = nodesOf(values, 'database').map(({ name }) => {
    return [name, path.join(state.folders(name).data, '.s.PGSQL.5432')] as const
  })
  const { database } = values.postgres
  const connection = { adapter: 'postgres', username: 'app', password: secrets.owner, database }
  return openProbe(new Map(sockets), connection)
}

type Round = {
  readonly fault: string
  readonly nodes: readonly string[]
  /** The longest time without an acknowledged write. */
  readonly gapSeconds: number
  /** The time from the fault until the cluster was whole again. */
  readonly wholeSeconds: number
  readonly uploadGapSeconds: number
  /** The affected databases, probed through their own sockets during the fault. */
  readonly aside: { readonly asked: number; readonly accepted: number }
}

type Traffic = { writer: Writer; documents: Documents; probe: Probe }

/** Measures from the start of the fault, because commits that started earlier may still return. */
async function playRound(
  fault: Fault,
  { writer, documents, probe }: Traffic,
  random: () => number,
): Promise<Round> {
  // A node's Patroni may be slow to respond.
  const nodes = await until('a node to break', 60, async () => {
    const found = nodesHit(fault, values, await databases(), random)
    return found.length > 0 && found
  })
  await Bun.sleep(quietSeconds * 1000)
  writer.gap()
  documents.uploadGap()
  const began = performance.now()
  await inflict(state, fault, nodes, Number(options.seconds))
  const ended = performance.now()
  const before = writer.acknowledged.size
  await until('writes', wholeSecondsMax, async () => writer.acknowledged.size > before + 50)
  await until('a healthy cluster', wholeSecondsMax, async () => isWhole(await databases()))
  const round = (value: number) => Math.round(value * 10) / 10
  return {
    fault: `${fault.kind} ${fault.target}`,
    nodes,
    gapSeconds: round(writer.gap()),
    wholeSeconds: round((performance.now() - began) / 1000),
    uploadGapSeconds: round(documents.uploadGap()),
    aside: countsOf(probe, nodes, [began, ended]),
  }
}

const wanted = Number(options.rounds)

/** Stops at a round that can't be completed. Writes up to that point are still checked. */
async function playAll(traffic: Traffic): Promise<{ rounds: Round[]; broken: string[] }> {
  const random = randomFrom(Number(options.seed))
  const chosen = options.only.split(',')
  const faults = faultsOf(wanted * 25, random)
    .filter(({ kind, target }) => chosen.some(text => `${kind} ${target}`.includes(text)))
    .slice(0, wanted)
  const rounds: Round[] = []
  for (const fault of faults) {
    const round = await playRound(fault, traffic, random).catch((failure: Error) => failure)
    if (round instanceof Error) {
      const broken = `${rounds.length + 1}/${wanted} ${fault.kind} ${fault.target}: ${round.message}`
      console.log(broken)
      return { rounds, broken: [broken] }
    }
    rounds.push(round)
    const { acknowledged } = traffic.writer.counts()
    const { asked, accepted } = round.aside
    console.log(
      `${rounds.length}/${wanted} ${round.fault} ${round.nodes.join(' ')}: ` +
        `no write for ${round.gapSeconds} s, no upload for ${round.uploadGapSeconds} s, ` +
        `healthy after ${round.wholeSeconds} s, ${accepted} of ${asked} accepted meanwhile; ` +
        `${acknowledged} acknowledged`,
    )
  }
  return { rounds, broken: [] }
}

/** Opens traffic in live mode: documents, and a reader of their events. */
async function openLiveTraffic(call: Call, name: string) {
  const access = JSON.parse(readFileSync(state.access, 'utf8')) as Access
  const { key, integration } = await openLive(cluster, name)
  const [storage] = nodesOf(values, 'storage')
  if (storage === undefined) throw new Error('The cluster has no storage.')
  const at = {
    address: `${storage.address}:${ports.storage}`,
    url: `https://${hostOf(values, storage)}:${ports.storage}`,
  }
  const documents = openDocuments(access, at, { call, key, run: name }, Number(options.documents))
  const poller = openPoller(call, key, documentType)
  const objects = path.join(state.folders(storage.name).data, 'objects')
  return {
    documents,
    async finish() {
      await documents.finish()
      await poller.finish()
    },
    judge: (query: (sql: string) => string) =>
      judgeDocuments(
        readDocuments(query, name, integration),
        documents.attached,
        poller.seen,
        object => {
          const file = path.join(objects, `live~f~${object}`)
          return existsSync(file) ? digestOf(readFileSync(file)) : null
        },
      ),
  }
}

async function main(): Promise<boolean> {
  const receiver = await openReceiver(state, outside(values), Number(options.port))
  const { call, keys, integrations } = await openIntegrations(
    cluster,
    integrationCount,
    receiver.url,
  )
  const name = `chaos-${process.pid}`
  const live = await openLiveTraffic(call, name)
  const { documents } = live
  const probe = await openProbes()
  const writer = openWriter(call, keys, Number(options.rate), name)
  const pollers = keys.map(key => openPoller(call, key))
  const began = performance.now()
  const { rounds, broken } = await playAll({ writer, documents, probe })
  const seconds = (performance.now() - began) / 1000
  let isAnswered = false
  void Promise.all([writer.finish(), live.finish()]).then(() => (isAnswered = true))
  await until('the last responses', wholeSecondsMax, async () => isAnswered)
  await probe.stop()
  await Promise.all(pollers.map(poller => poller.finish()))
  const query = await openQuery(cluster)
  const committed = readCommitted(query, name, integrations)
  const seen = () => ({
    acknowledged: writer.acknowledged,
    polled: pollers.map(poller => poller.seen),
    delivered: receiver.received,
  })
  // After a few failed attempts, the webhook retry schedule waits for minutes.
  await until('deliveries', 400, async () => judge(committed, seen()).undelivered === 0).catch(
    () => undefined,
  )
  const verdict = judge(committed, seen())
  const filed = live.judge(query)
  const conflicts = conflictsIn(probe.accepted)
  const unexpected = [...broken, ...writer.unexpected, ...documents.unexpected]
  const report = {
    rounds,
    verdict,
    documents: { ...documents.counts(), ...filed, retried: Object.fromEntries(documents.answers) },
    conflicts,
    unexpected,
    retried: Object.fromEntries(writer.answers),
    ...writer.counts(),
    writesPerSecond: Math.round(writer.acknowledged.size / seconds),
    probes: probe.accepted.length,
    longestGapSeconds: Math.max(...rounds.map(({ gapSeconds }) => gapSeconds)),
  }
  keepReport('chaos', report, options.report)
  console.log(JSON.stringify({ ...report, rounds: rounds.length }, null, 2))
  await receiver.stop()
  return isRight(verdict) && areRight(filed) && conflicts.length + unexpected.length === 0
}

main().then(
  isKept => process.exit(isKept ? 0 : 1),
  (error: unknown) => {
    console.error(error instanceof Error ? error.message : error)
    process.exit(1)
  },
)
