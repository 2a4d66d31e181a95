// Moves an integration to another database while it writes and polls: how long its calls are
// refused, how long the copy takes, and that nothing is lost, doubled or reordered. Calls go to the
// database that a directory names; a refused one is repeated with its key, as the SDKs do.
import { rivera } from '#contract/examples.ts'
import { momentText, now } from '#database/clock.ts'
import { openSecrets } from '#gateway/settings/secrets.ts'
import path from 'node:path'
import type { Cluster } from '../harness/environment.ts'
import type { Options } from '../harness/options.ts'
import { atMost, compact, median, type Result, rowOf } from '../harness/rounds.ts'
import { dataDir } from '../harness/server.ts'
import { move } from './move.ts'
import { type Account, openAccount, type ServedShard, withShards } from './shards.ts'

const writers = 6
/** Between two writes of a writer, and between two pages of the reader. */
const pauseMs = 15
const fenceMillisecondsMax = 2000
const copied = { short: 500, full: 100_000 }

type Traffic = {
  directory: { shard: ServedShard }
  account: Account
  isWriting: boolean
  isReading: boolean
}

async function call({ directory, account }: Traffic, target: string, key?: string, body?: object) {
  const headers = {
    authorization: `Bearer ${account.key}`,
    'content-type': 'application/json',
    ...(key === undefined ? {} : { 'idempotency-key': key }),
  }
  const url = `http://127.0.0.1:${directory.shard.port}${target}`
  const method = body === undefined ? 'GET' : 'POST'
  const answer = await fetch(url, {
    method,
    headers,
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  })
  return { status: answer.status, body: await answer.json() }
}

/** Writes patients, each until it is acknowledged; returns their ids and the longest wait. */
async function write(traffic: Traffic, name: string) {
  const made: string[] = []
  let refused = 0
  let slowest = 0
  for (let n = 0; traffic.isWriting; n++) {
    const key = `${name}-${n}`
    const body = { ...rivera, external_id: key }
    const began = performance.now()
    for (;;) {
      const answer = await call(traffic, '/v1/patients', key, body)
      if (answer.status === 201) {
        made.push(answer.body.id)
        break
      }
      refused++
      await Bun.sleep(pauseMs)
    }
    slowest = Math.max(slowest, performance.now() - began)
    await Bun.sleep(pauseMs)
  }
  return { made, refused, slowest }
}

/** Polls events from a moment on; returns the patients of those that it read, in their order. */
async function poll(traffic: Traffic, from: string): Promise<string[]> {
  const read: string[] = []
  let since = from
  for (let isLast = false; !isLast;) {
    isLast = !traffic.isReading
    for (let hasMore = true; hasMore;) {
      const page = await call(traffic, `/v1/events?limit=100&since=${since}`)
      hasMore = page.status === 200 && page.body.has_more
      if (page.status !== 200) isLast = false
      for (const event of page.status === 200 ? page.body.data : []) {
        read.push(event.resource.id)
        since = event.created_at
      }
    }
    await Bun.sleep(pauseMs)
  }
  return read
}

async function oneMove(one: ServedShard, two: ServedShard, rows: number, seconds: number) {
  const pepper = openSecrets(path.join(dataDir, 'shards'))('keyPepper')
  const account = await openAccount(one, pepper, rows)
  const traffic: Traffic = {
    directory: { shard: one },
    account,
    isWriting: true,
    isReading: true,
  }
  const began = momentText(now() - 1000)
  const writing = Array.from({ length: writers }, (_, at) => write(traffic, `writer-${at}`))
  const reading = poll(traffic, began)
  await Bun.sleep(seconds * 500)
  const moved = await move(one, two, account.integration)
  traffic.directory.shard = two
  await Bun.sleep(seconds * 500)
  traffic.isWriting = false
  const written = await Promise.all(writing)
  traffic.isReading = false
  const made = written.flatMap(each => each.made)
  const read = await reading
  const [stored] = await two.owner`
    select count(*)::int as patients from test.patients p join test.tenants t on t.id = p.tenant
     where t.integration = ${account.integration}`
  return {
    ...moved,
    acknowledged: made.length,
    distinct: new Set(made).size,
    stored: (stored as { patients: number }).patients,
    read: read.length,
    readOnce: new Set(read.filter(id => made.includes(id))).size,
    refused: written.reduce((sum, each) => sum + each.refused, 0),
    slowest: Math.max(...written.map(each => each.slowest)),
  }
}

export async function moveIntegration(options: Options, _cluster: Cluster): Promise<Result> {
  const { isShort, rounds, seconds } = options
  const rows = isShort ? copied.short : copied.full
  const runs = await withShards(!isShort, async (one, two) => {
    const all: Awaited<ReturnType<typeof oneMove>>[] = []
    for (let round = 0; round < rounds; round++) all.push(await oneMove(one, two, rows, seconds))
    return all
  })
  const sum = (of: (run: (typeof runs)[number]) => number) =>
    runs.reduce((total, run) => total + of(run), 0)
  const acknowledged = sum(run => run.acknowledged)
  const perSecond = median(runs.map(run => (rows + run.acknowledged) / run.copySeconds))
  return {
    rows: [
      rowOf({
        job: 'moving an integration: its calls are refused',
        unit: 'ms',
        ours: runs.map(run => run.fenceMilliseconds),
        peer: null,
        target: atMost(fenceMillisecondsMax),
      }),
      rowOf({
        job: '  the longest wait of a writer that repeats what is refused',
        unit: 'ms',
        ours: runs.map(run => run.slowest),
        peer: null,
        target: null,
      }),
    ],
    notes: [
      `${rows} events of the integration and all that ${writers} writers made were copied at ` +
        `${compact(perSecond)} rows a second; ${sum(run => run.refused)} calls were refused.`,
    ],
    proofs: [
      {
        what: 'patients with an id of their own',
        expected: acknowledged,
        found: sum(run => run.distinct),
      },
      {
        what: 'patients in the other database',
        expected: acknowledged,
        found: sum(run => run.stored),
      },
      { what: 'events that a reader got', expected: acknowledged, found: sum(run => run.read) },
      {
        what: 'patients whose event it got',
        expected: acknowledged,
        found: sum(run => run.readOnce),
      },
    ],
  }
}
