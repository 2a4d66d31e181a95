// `deploy/cluster/chaos --rounds=N`: breaks the running cluster, one fault a round, while clients
// write, poll and receive webhooks, and judges afterwards what they saw. Exits with 1 if a promise
// was broken.
import { writeFileSync } from 'node:fs'
import path from 'node:path'
import { parseArgs } from 'node:util'
import { until } from '../local/control.ts'
import { databasesOf, isWhole } from '../local/databases.ts'
import { outside } from '../local/network.ts'
import { readValuesAsWritten } from '../local/prepare.ts'
import { openState } from '../local/state.ts'
import { nodesOf } from '../values.ts'
import { type Fault, faultsOf, inflict, nodesHit, randomFrom } from './faults.ts'
import { isRight, judge, readCommitted } from './ledger.ts'
import { conflictsIn, openProbe } from './probe.ts'
import { openPoller, openReceiver } from './readers.ts'
import { openIntegrations, openQuery } from './setup.ts'
import { openWriter, type Writer } from './writer.ts'

const { values: options } = parseArgs({
  options: {
    data: { type: 'string' },
    rounds: { type: 'string', default: '3' },
    rate: { type: 'string', default: '300' },
    seed: { type: 'string', default: '1' },
    /** How long a stop or a partition lasts: longer than Patroni's ttl, so that it is noticed. */
    seconds: { type: 'string', default: '26' },
    port: { type: 'string', default: '5010' },
    /** Only faults whose name holds one of these texts, such as `primary,kill gateway`. */
    only: { type: 'string', default: '' },
    report: { type: 'string' },
  },
})
const integrationCount = 8
const quietSeconds = 3
const wholeSecondsMax = 150

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
  /** From the fault until every part was back in its place. */
  readonly wholeSeconds: number
}

async function playRound(fault: Fault, writer: Writer, random: () => number): Promise<Round> {
  // Patroni of a node may be slow to answer.
  const nodes = await until('a node to hit', 60, async () => {
    const found = nodesHit(fault, values, await databases(), random)
    return found.length > 0 && found
  })
  await Bun.sleep(quietSeconds * 1000)
  writer.gap()
  const began = performance.now()
  await inflict(state, fault, nodes, Number(options.seconds))
  const before = writer.acknowledged.size
  await until('writes', wholeSecondsMax, async () => writer.acknowledged.size > before + 50)
  await until('a whole cluster', wholeSecondsMax, async () => isWhole(await databases()))
  const round = (value: number) => Math.round(value * 10) / 10
  return {
    fault: `${fault.kind} ${fault.target}`,
    nodes,
    gapSeconds: round(writer.gap()),
    wholeSeconds: round((performance.now() - began) / 1000),
  }
}

async function main(): Promise<boolean> {
  const random = randomFrom(Number(options.seed))
  const receiver = await openReceiver(state, outside(values), Number(options.port))
  const { call, keys, integrations } = await openIntegrations(
    cluster,
    integrationCount,
    receiver.url,
  )
  const name = `chaos-${process.pid}`
  const probe = await openProbes()
  const writer = openWriter(call, keys, Number(options.rate), name)
  const pollers = keys.map(key => openPoller(call, key))
  const began = performance.now()
  const rounds: Round[] = []
  const wanted = Number(options.rounds)
  const chosen = options.only.split(',')
  const faults = faultsOf(wanted * 25, random)
    .filter(({ kind, target }) => chosen.some(text => `${kind} ${target}`.includes(text)))
    .slice(0, wanted)
  for (const fault of faults) {
    const round = await playRound(fault, writer, random)
    rounds.push(round)
    const { acknowledged } = writer.counts()
    console.log(
      `${rounds.length}/${wanted} ${round.fault} ${round.nodes.join(' ')}: ` +
        `no write for ${round.gapSeconds} s, whole after ${round.wholeSeconds} s; ${acknowledged} acknowledged`,
    )
  }
  const seconds = (performance.now() - began) / 1000
  await writer.finish()
  await probe.stop()
  await Promise.all(pollers.map(poller => poller.finish()))
  const committed = readCommitted(await openQuery(cluster), name, integrations)
  const seen = () => ({
    acknowledged: writer.acknowledged,
    polled: pollers.map(poller => poller.seen),
    delivered: receiver.received,
  })
  // The retry schedule of webhooks waits minutes after a few failed attempts.
  await until('deliveries', 400, async () => judge(committed, seen()).undelivered === 0).catch(
    () => undefined,
  )
  const verdict = judge(committed, seen())
  const conflicts = conflictsIn(probe.accepted)
  const report = {
    rounds,
    verdict,
    conflicts,
    unexpected: writer.unexpected,
    retried: Object.fromEntries(writer.answers),
    ...writer.counts(),
    writesPerSecond: Math.round(writer.acknowledged.size / seconds),
    probes: probe.accepted.length,
    longestGapSeconds: Math.max(...rounds.map(({ gapSeconds }) => gapSeconds)),
  }
  if (options.report) writeFileSync(options.report, `${JSON.stringify(report, null, 2)}\n`)
  console.log(JSON.stringify({ ...report, rounds: rounds.length }, null, 2))
  await receiver.stop()
  return isRight(verdict) && conflicts.length === 0 && writer.unexpected.length === 0
}

main().then(
  isKept => process.exit(isKept ? 0 : 1),
  (error: unknown) => {
    console.error(error instanceof Error ? error.message : error)
    process.exit(1)
  },
)
