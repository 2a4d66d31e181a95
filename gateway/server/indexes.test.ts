// Every index is there for a query. All operations, lists, jobs and the site's own statements run
// on a database that reads tables end to end only where no index helps; what none of them took up
// is a constraint, or stands below with its reason.

import { afterAll, beforeAll, expect, test } from 'bun:test'
import { SQL } from 'bun'
import { ask, must } from '#clinical/testing/call.ts'
import { type Cast, openCast } from '#clinical/testing/fixtures.ts'
import { scenes } from '#clinical/testing/valid-calls.ts'
import { inLive } from '#clinical/testing/sweep.ts'
import { ablyRealtime } from '#clinical/realtime/ably.ts'
import { openJobs } from '#clinical/jobs/jobs.ts'
import { operationIds } from '#contract/api.ts'
import { openSeal } from '#database/encryption.ts'
import { randomBytes } from '#database/clock.ts'
import { modes } from '#contract/operation.ts'
import { forget } from '#booking/retention.ts'
import { claiming } from '#booking/email/queue.ts'
import { by, sampleDesk, somebody } from '#booking/testing/booking-service.ts'
import { openReplies } from '#booking/idempotency/store.ts'

/** Indexes that no statement of a call or a job takes up, and why they stand all the same. */
const reasons: Record<string, string> = {
  'auth.keys_integration_idx': 'Its foreign key looks here when an integration is removed by hand.',
  'test.charges_created_at_idx':
    'Every kind of sandbox row gets one (test.ends); charges have a b-tree that serves as well.',
}

let cast: Cast
let owner: SQL
beforeAll(async () => {
  cast = await openCast()
  owner = new SQL(cast.database.url, { max: 1 })
  const name = new URL(cast.database.url).pathname.slice(1)
  await owner.unsafe(`alter database ${name} set enable_seqscan = off`)
  await everyOperation()
  await everyJob()
  // Once more with what the planner then knows, and with a whole sandbox to remove.
  await owner.unsafe('analyze')
  await must(cast, 'resetSandbox')
  await everyJob()
  await theSite()
  await cast.closeHands()
  await cast.house.close()
  await othersAreGone(name)
}, 60_000)
afterAll(async () => {
  await owner.close()
  await cast.reopen()
  await cast.close()
})

const filters: Partial<Record<string, readonly Record<string, string>[]>> = {
  listPatients: [{}, { external_id: 'cust_8812' }],
  listCases: [{}, { status: 'queued' }],
  listEvents: [{}, { type: 'case.approved.v1' }],
}

async function everyOperation(): Promise<void> {
  const decided = /^(answerCase|(list|get)(Prescription|Order)s?)$/
  for (const id of operationIds.filter(one => one !== 'resetSandbox')) {
    const asked = await scenes[id](cast, cast.ada.test)
    await ask(cast, id, asked)
    for (const query of filters[id] ?? []) await must(cast, id, { query })
  }
  for (const id of inLive.filter(one => !decided.test(one))) {
    const as = cast.ada.live
    await ask(cast, id, { ...(await scenes[id](cast, as)), as })
  }
  const { data } = await must(cast, 'listCases')
  await must(cast, 'listCases', { query: { patient: data[0].patient } })
  for (const id of ['listOrders', 'completeVisit'] as const) await scenes[id](cast, cast.ben.test)
  await must(cast, 'resetSandbox', { as: cast.ben.test })
}

async function everyJob(): Promise<void> {
  const { hands } = cast
  const { files, base } = cast.house
  const nowhere = { resolve: async () => [], allowed: [] }
  const receivers = { addresses: nowhere, ca: undefined, seconds: 1 }
  const seal = openSeal([cast.house.pepper])
  const provider = Bun.serve({ port: 0, hostname: '127.0.0.1', fetch: () => Response.json({}) })
  const keys = { subscribe: 'app.one:secret', publish: 'app.two:secret' }
  const realtime = ablyRealtime({ origin: provider.url.origin, keys: { test: keys, live: keys } })
  const webhooks = { seal, realtime, receivers, sockets: 4 }
  const jobs = openJobs({ auditSecret: 'a secret', files, base, webhooks })
  await must(cast, 'updateAutopilot', { body: { approve_after_s: 0, ship_after_s: 0 } })
  for (const job of jobs) await job.run(hands, modes)
  for (const job of jobs) await job.stop?.()
  await provider.stop(true)
}

async function theSite(): Promise<void> {
  const one = sampleDesk(cast.database)
  const { desk, lanes } = one
  const [slot] = await desk.availability({ days: 31 })
  const start = slot?.start ?? ''
  await desk.book({ buyer: somebody(), via: by('acp'), start })
  await lanes.use(lane => lane.run(claiming(1)))
  await forget({ lanes, log: { event: () => undefined }, now: () => one.clock.now })
  const replies = openReplies({ lanes, secret: 'a secret', randomBytes })
  const answer = { status: 200, body: '{}' }
  // What is over is dropped at every five hundredth.
  for (let at = 0; at < 500; at++) {
    await replies.keep({ scope: 'test', key: `${at}`, said: '{}' }, answer)
  }
  await one.close()
}

/** A connection tells what it used when it ends. */
async function othersAreGone(name: string): Promise<void> {
  for (;;) {
    const [row] = await owner`
      select count(*)::int as others from pg_stat_activity
       where datname = ${name} and application_name not in ('cast') and pid <> pg_backend_pid()`
    if (row.others === 0) return
    await Bun.sleep(5)
  }
}

type Index = { index: string; twin: string; uses: number; constraint: boolean }

test('each is a constraint, is used, or has its reason', async () => {
  const rows: Index[] = await owner`
    select format('%s.%s', s.schemaname, s.indexrelname) as index, s.idx_scan::int as uses,
           regexp_replace(pg_get_indexdef(s.indexrelid), '(test|live)\\.', '') as twin,
           i.indisunique or i.indisexclusion as constraint
      from pg_stat_user_indexes s join pg_index i using (indexrelid)
     where s.schemaname in ('test', 'live', 'auth', 'audit', 'site') order by 1`
  // What only the clinic's console brings about in live is asked for in test by the same words.
  const used = new Set(rows.filter(({ uses }) => uses > 0).map(({ twin }) => twin))
  const idle = rows.filter(({ twin, constraint }) => !constraint && !used.has(twin))
  expect(idle.map(({ index }) => index)).toEqual(Object.keys(reasons).toSorted())
  expect(rows.length).toBeGreaterThan(90)
})
