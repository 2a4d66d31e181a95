// Counts the events that a reader misses when it resumes from the last timestamp it read. Compares
// timestamps that each transaction gets from the clock with timestamps from the tenant's clock.
// Both sides write the same events at the same times, into tables with the same columns, with the
// same slow commits.
import { SQL } from 'bun'
import { limits } from '#contract/limits.ts'
import type { BenchEnvironment, Cluster, Tenant } from '../harness/environment.ts'
import type { Options } from '../harness/options.ts'
import { interleave, median, type Result, rowOf } from '../harness/rounds.ts'
import { atMost } from '../targets.ts'
import { withClosers } from '../harness/server.ts'

const writers = 20
/** One transaction in ten stays open after writing its event. */
const slowEvery = 10
const heldMs = 4
const pageSize = 100
const pollMs = 5
/** The write limit of an integration in one mode. */
const perSecond = limits.ratePerWindow / limits.rateWindowSeconds

type Moments = 'clock' | 'tenant'
type Round = { written: number; lost: number; shared: number; seconds: number }

/** Inserts an event with its timestamp. Both sides' tables have the same columns. */
const inserts: Readonly<Record<Moments, string>> = {
  clock: `insert into bench_events (tenant, id, type, resource_type, resource_id, status, created_at)
    select $1::bigint, ulid('evt', at, public.ulid_random()), 'patient.created.v1', 'patient', $2, 'active', at
      from (select date_trunc('milliseconds', clock_timestamp()) as at) now`,
  tenant: `insert into test.events (tenant, id, type, resource_type, resource_id, status, created_at)
    select $1::bigint, ulid('evt', at, public.ulid_random()), 'patient.created.v1', 'patient', $2, 'active', at
      from (select test.next_timestamp($1::bigint, 1) as at) now`,
}
const tables: Readonly<Record<Moments, string>> = { clock: 'bench_events', tenant: 'test.events' }

type Side = {
  moments: Moments
  tenant: Tenant
  clients: readonly SQL[]
  reader: SQL
  events: number
}

/** Writes `events` events at an integration's allowed rate, while a reader reads them. */
async function measure({ moments, tenant, clients, reader, events }: Side): Promise<Round> {
  // The reader starts a second early, because the first event's timestamp has no microseconds.
  // Names contain the round, which excludes earlier rounds' events.
  const [{ at: since }] = await reader`select (clock_timestamp() - interval '1 second')::text as at`
  const round = crypto.randomUUID()
  const start = performance.now()
  let next = 0
  const write = async (client: SQL) => {
    for (let n = next++; n < events; n = next++) {
      const ahead = start + (n * 1000) / perSecond - performance.now()
      if (ahead > 0) await Bun.sleep(ahead)
      await client.begin(async transaction => {
        await transaction.unsafe(inserts[moments], [tenant.id, `${round} ${n}`])
        if (n % slowEvery === 0) await transaction`select pg_sleep(${heldMs / 1000})`
      })
    }
  }
  let isWriting = true
  const all = Promise.all(clients.map(write)).then(() => (isWriting = false))
  const seen = await follow({ moments, tenant, reader, since, round, isWriting: () => isWriting })
  await all
  const seconds = (performance.now() - start) / 1000
  const [found] = await reader.unsafe(
    `select count(*)::int as written, (count(*) - count(distinct created_at))::int as shared
       from ${tables[moments]} where resource_id like $1`,
    [`${round} %`],
  )
  const { written, shared } = found as { written: number; shared: number }
  return { written, lost: written - seen.size, shared, seconds }
}

type Follow = {
  moments: Moments
  tenant: Tenant
  reader: SQL
  since: string
  /** The prefix of this round's resource names. */
  round: string
  isWriting: () => boolean
}

/** Reads everything strictly after its last timestamp, until nothing is left. */
async function follow({
  moments,
  tenant,
  reader,
  since,
  round,
  isWriting,
}: Follow): Promise<Set<string>> {
  const seen = new Set<string>()
  for (;;) {
    const wasWriting = isWriting()
    const page = (await reader.unsafe(
      `select id, resource_id, created_at::text as created_at from ${tables[moments]} e
        where tenant = $1::bigint and created_at > $2::timestamptz order by e.created_at, e.id limit ${pageSize}`,
      [tenant.id, since],
    )) as { id: string; resource_id: string; created_at: string }[]
    for (const { id, resource_id, created_at } of page) {
      if (resource_id.startsWith(round)) seen.add(id)
      since = created_at
    }
    if (page.length < pageSize) {
      if (!wasWriting) return seen
      await Bun.sleep(pollMs)
    }
  }
}

async function compare(options: Options, environment: BenchEnvironment): Promise<Result> {
  return withClosers(async onClose => {
    const clients = Array.from({ length: writers }, () => new SQL(environment.url, { max: 1 }))
    const reader = new SQL(environment.url, { max: 1 })
    onClose(() => Promise.all([reader, ...clients].map(client => client.close())))
    for (const client of [reader, ...clients]) await client.unsafe('set search_path = test, public')
    await reader.unsafe('create table bench_events (like test.events including all)')
    onClose(() => reader.unsafe('drop table bench_events'))
    const [tenant] = await environment.openTenants(1)
    if (!tenant) throw new Error('A tenant must have been created.')
    const events = options.isShort ? options.requestsMax : perSecond * options.seconds
    const side = (moments: Moments) => () => measure({ moments, tenant, clients, reader, events })
    const runs = await interleave(options.rounds, {
      clock: side('clock'),
      tenant: side('tenant'),
    })
    return resultOf(options, events, runs)
  })
}

function resultOf(options: Options, events: number, runs: Record<string, Round[]>): Result {
  const [clock = [], tenant = []] = [runs['clock'], runs['tenant']]
  const sum = (rounds: Round[], member: keyof Round) =>
    rounds.reduce((total, round) => total + round[member], 0)
  const said = (name: string, rounds: Round[]) =>
    `${name}: ${sum(rounds, 'written')} written, ${sum(rounds, 'lost')} lost, ` +
    `${sum(rounds, 'shared')} share a timestamp with another, ` +
    `${median(rounds.map(({ seconds }) => seconds)).toFixed(1)} s a round.`
  const lost = (rounds: Round[]) => rounds.map(round => (1000 * round.lost) / round.written)
  return {
    rows: [
      rowOf({
        job: `events lost by a reader, ${perSecond} written a second`,
        unit: 'of 1,000',
        ours: lost(tenant),
        peer: null,
        target: atMost(0),
      }),
      rowOf({
        job: 'the same with a moment that each transaction takes from the clock',
        unit: 'of 1,000',
        ours: lost(clock),
        peer: null,
        target: null,
      }),
    ],
    notes: [said('The clock of PostgreSQL', clock), said("The tenant's clock", tenant)],
    proofs: [
      {
        what: 'events of both sides',
        expected: 2 * events * options.rounds,
        found: sum(clock, 'written') + sum(tenant, 'written'),
      },
      {
        what: "events that the reader of the tenant's clock has",
        expected: sum(tenant, 'written'),
        found: sum(tenant, 'written') - sum(tenant, 'lost'),
      },
    ],
  }
}

export const lostEvents = (options: Options, cluster: Cluster): Promise<Result> =>
  cluster.withEnvironment('lost_events', environment => compare(options, environment))
