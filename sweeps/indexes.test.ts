// Every index is needed. All of the site's operations, lists, jobs and statements run on a database
// that scans a table only if no index helps. An index that nothing used must be a constraint or be
// listed below with a reason.

import { afterAll, beforeAll, expect, test } from 'bun:test'
import { SQL } from 'bun'
import { until } from '#http/testing/until.ts'
import { hireClinician } from '#clinical/testing/clinicians.ts'
import { invoke, invokeOk } from '#clinical/testing/call.ts'
import { type Fixtures, openFixtures } from '#clinical/testing/fixtures.ts'
import { clearEndpoints, endpoint, validCalls } from '#clinical/testing/valid-calls.ts'
import { liveOperations } from '#clinical/testing/sweep.ts'
import { ablyRealtime } from '#clinical/realtime/ably.ts'
import { openJobs } from '#clinical/jobs.ts'
import { httpPharmacy } from '#clinical/pharmacy/http-provider.ts'
import { openPharmacyPool } from '#clinical/pharmacy/transmit.ts'
import { stepOnce } from '#clinical/replays/step.ts'
import { clockOf } from '#clinical/deliveries/engine/clock.ts'
import { dispatchOnce } from '#clinical/deliveries/engine/testing/dispatch.ts'
import { callableIds } from '#contract/callable.ts'
import { bulkIds } from '#contract/fhir/bulk.ts'
import { metricNames } from '#contract/preview/metrics.ts'
import { fhirIds } from '#contract/fhir/operations.ts'
import { createEncryption } from '#database/encryption.ts'
import { momentText, now, randomBytes } from '#database/clock.ts'
import { modes } from '#contract/operation.ts'
import { eraseExpired } from '#booking/retention.ts'
import { claimDue } from '#email/queue.ts'
import { by, openBookingFixture, newBuyer } from '#booking/testing/booking-service.ts'
import { openHistory } from '#gateway/status/history.ts'
import { createIdempotencyStore } from '#booking/idempotency/store.ts'

/** Indexes that no request's or job's statement uses, with the reason for each. */
const reasons: Record<string, string> = {
  'audit.entries_of_clinic': "Staff read their clinic's activity.",
  'audit.entries_of_live_target': 'The page about who saw a patient reads its entries.',
  'audit.entries_of_shown_patient':
    'The page about who saw a patient finds lists that showed them.',
  'audit.entries_of_staff': "Staff read one staff member's activity.",
  'audit.entries_of_target': 'Staff read who saw a patient.',
  'auth.artifacts_client_idx': "Counts a client's pending device codes, to limit them.",
  'auth.artifacts_expires_at_idx': 'The authorization server sweeps expired artifacts.',
  'auth.artifacts_family_idx': 'Its foreign key is checked when a family is swept.',
  'auth.client_secrets_client_idx': 'Its foreign key is checked when a client is swept.',
  'auth.clients_coalesce_idx': 'The authorization server sweeps registered clients.',
  'auth.clients_created_at_idx': 'The authorization server sweeps clients without a token.',
  'auth.clients_integration_idx':
    'Its foreign key is checked when an operator deletes an integration.',
  'auth.clients_network_created_at_idx': 'The registration quota counts clients.',
  'auth.credentials_expires_at_idx': 'The authorization server sweeps expired tokens.',
  'auth.credentials_family_created_at_idx':
    "A client's oldest tokens are revoked, and its foreign key is checked when a family is swept.",
  'auth.credentials_integration_idx':
    'Its foreign key is checked when an operator deletes an integration.',
  'auth.credentials_person_idx': 'People list and end their own sessions.',
  'auth.credentials_sign_in_idx': 'Sessions from the same sign-in end together.',
  'auth.failed_attempts_last_at_idx': 'The authorization server sweeps failed attempts.',
  'auth.handoffs_expires_at_idx': 'The authorization server sweeps handoffs.',
  'auth.handoffs_session_idx': 'Its foreign key is checked when a session is swept.',
  'auth.invitations_expires_at_idx': 'The authorization server sweeps invitations.',
  'auth.invitations_organization_created_at_idx': "A quota counts a clinic's invitations in a day.",
  'auth.invitations_integration_created_at_idx':
    "A quota counts an integration's invitations in a day.",
  'auth.members_person_idx': "Sign-in reads a person's integrations.",
  'auth.passkeys_person_idx': "Lists a person's passkeys.",
  'auth.recoveries_expires_at_idx': 'The authorization server sweeps recoveries.',
  'auth.recoveries_person_created_at_idx': "A quota counts a person's recoveries in an hour.",
  'auth.recovery_codes_person_idx': "Counts and replaces a person's codes.",
  'auth.sign_ups_expires_at_idx': 'The authorization server sweeps sign-ups.',
  'auth.sign_ups_inbox_of_created_at_idx': "A quota counts an inbox's sign-ups in an hour.",
  'auth.sign_ups_person_idx': "A person's links to a new email end together.",
  'auth.token_families_client_idx': 'Its foreign key is checked when a client is swept.',
  'auth.token_families_coalesce_idx': 'The authorization server sweeps ended families.',
  'auth.token_families_person_integration_idx': 'Its foreign key to members is checked.',
  'auth.used_challenges_expires_at_idx': 'The authorization server sweeps challenges.',
  'live.stored_files': 'Finds files of expired exports, once most exports have expired.',
  'live.cases_that_wait': 'The console reads its queue.',
  'live.delivery_counts_hour_idx': 'Deletes the counts of old hours.',
  'live.deliveries_tenant_webhook_endpoint_status_id_idx':
    "Lists an endpoint's deliveries with a status, if there are few.",
  'live.requests_tenant_client_id_idx': "The portal finds an agent's calls.",
  'live.visits_by_start': "The console finds a day's visits.",
  'test.stored_files': 'Finds files of expired exports, once most exports have expired.',
  'test.delivery_counts_hour_idx': 'Deletes the counts of old hours.',
  'test.deliveries_tenant_webhook_endpoint_status_id_idx':
    "Lists an endpoint's deliveries with a status, if there are few.",
  'test.requests_tenant_client_id_idx': "The portal finds an agent's calls.",
  'pharmacy.due_transmissions': 'The worker finds due transmissions to pharmacies.',
  'pharmacy.stopped_transmissions': 'The console and the email find prescriptions not sent.',
  'live.cases_decided': 'The console lists decided cases.',
  'live.cases_decided_by': 'The console lists the cases that one clinician decided.',
  'live.orders_open': 'The console lists unshipped orders.',
  'live.patients_by_term': 'The console searches patients.',
  'live.prescriptions_by_number': 'The console finds a prescription by the number on its label.',
  'live.tenants_by_organization': "The console's search looks up a clinic's integrations.",
  'live.requests_tenant_target_id_idx': 'The portal finds requests about a patient or case.',
  'test.requests_tenant_target_id_idx': 'The portal finds requests about a patient or case.',
}

let fixtures: Fixtures
let owner: SQL
beforeAll(async () => {
  fixtures = await openFixtures()
  await hireClinician(fixtures)
  owner = new SQL(fixtures.database.url, { max: 1 })
  const name = new URL(fixtures.database.url).pathname.slice(1)
  await owner.unsafe(`alter database ${name} set enable_seqscan = off`)
  await everyOperation()
  await everyJob()
  // Runs everything again with current statistics, then resets the full sandbox.
  await owner.unsafe('analyze')
  await everyFilter()
  await replayOfFailed()
  await invokeOk(fixtures, 'resetSandbox')
  await everyJob()
  await siteStatements()
  await fixtures.closeWorkerContext()
  await fixtures.context.close()
  await untilOthersClosed(name)
}, 180_000)
afterAll(async () => {
  await owner.close()
  await fixtures.reopen()
  await fixtures.close()
})

const filters: Partial<Record<string, readonly Record<string, string>[]>> = {
  listPatients: [{}, { external_id: 'cust_8812' }],
  listCases: [{}, { status: 'queued' }],
  getMetrics: metricNames.map(metric => ({ metric })),
  listEvents: [{}, { type: 'case.approved.v1' }],
  listRequests: [
    { operation: 'getPatient' },
    { status: '404' },
    { code: 'not_found' },
    { credential: 'key_unknown' },
  ],
}

async function everyFilter(): Promise<void> {
  for (const id of callableIds) {
    for (const query of filters[id] ?? []) await invokeOk(fixtures, id, { query })
  }
}

async function everyOperation(): Promise<void> {
  const decided = /^(answerCase|(list|get)(Prescription|Order)s?)$/
  for (const id of callableIds.filter(one => one !== 'resetSandbox')) {
    const asked = await validCalls[id](fixtures, fixtures.ada.test)
    await invoke(fixtures, id, asked)
  }
  await everyFilter()
  const { data: patients } = await invokeOk(fixtures, 'listPatients')
  for (const id of [...fhirIds, ...bulkIds]) await invoke(fixtures, id, { id: patients[0].id })
  for (const id of liveOperations.filter(one => !decided.test(one))) {
    const as = fixtures.ada.live
    await invoke(fixtures, id, { ...(await validCalls[id](fixtures, as)), as })
  }
  const { data } = await invokeOk(fixtures, 'listCases')
  await invokeOk(fixtures, 'listCases', { query: { patient: data[0].patient } })
  for (const id of ['listOrders', 'completeVisit'] as const)
    await validCalls[id](fixtures, fixtures.ben.test)
  await invokeOk(fixtures, 'resetSandbox', { as: fixtures.ben.test })
}

/** Replays failed deliveries: disabling an endpoint fails its waiting deliveries. */
async function replayOfFailed(): Promise<void> {
  await clearEndpoints(fixtures)
  const { id } = await invokeOk(fixtures, 'createWebhookEndpoint', { body: endpoint })
  await invokeOk(fixtures, 'triggerWebhook', {
    body: { type: 'case.approved.v1', webhook_endpoint: id },
  })
  const { announce } = fixtures.context.realtime
  await fixtures.workerContext.pools.test.use(connection =>
    dispatchOnce(connection, clockOf(), announce('test')),
  )
  for (const status of ['disabled', 'enabled'])
    await invokeOk(fixtures, 'updateWebhookEndpoint', { id, body: { status } })
  const body = { webhook_endpoint: id, since: momentText(now() - 3_600_000) }
  await invokeOk(fixtures, 'replayEvents', { body })
  await fixtures.workerContext.pools.test.use(connection => stepOnce(connection))
}

async function everyJob(): Promise<void> {
  const { workerContext } = fixtures
  const { files, base } = fixtures.context
  const nowhere = { resolve: async () => [], allowed: [] }
  const receivers = { addresses: nowhere, ca: undefined, seconds: 1 }
  const encryption = createEncryption([fixtures.context.pepper])
  const provider = Bun.serve({ port: 0, hostname: '127.0.0.1', fetch: () => Response.json({}) })
  const keys = { subscribe: 'app.one:secret', publish: 'app.two:secret' }
  const realtime = ablyRealtime({ origin: provider.url.origin, keys: { test: keys, live: keys } })
  const webhooks = { encryption, realtime, receivers, sockets: 4 }
  const pharmacy = {
    pool: openPharmacyPool(fixtures.database.urls.pharmacy, 1),
    encryption,
    provider: httpPharmacy({ outgoing: receivers, now }),
  }
  const jobs = openJobs({ auditSecret: 'a secret', files, base, scanner: null, webhooks, pharmacy })
  await invokeOk(fixtures, 'updateAutopilot', { body: { approve_after_s: 0, ship_after_s: 0 } })
  for (const job of jobs) await job.run(workerContext, modes, () => null)
  for (const job of jobs) await job.stop?.()
  await provider.stop(true)
}

async function siteStatements(): Promise<void> {
  const one = openBookingFixture(fixtures.database)
  const { bookingService, pool } = one
  const [slot] = await bookingService.availability({ days: 31 })
  const start = slot?.start ?? ''
  await bookingService.book({ buyer: newBuyer(), via: by('acp'), start })
  await pool.use(connection => connection.run(claimDue(1)))
  await eraseExpired({ pool, log: { event: () => undefined }, now: () => one.clock.now })
  const history = openHistory(pool)
  const counted = { part: 'pages', hour: new Date(one.clock.now).toISOString() }
  await history.add([{ ...counted, passed: 1, warned: 0, failed: 0 }], one.clock.now)
  await history.read(one.clock.now)
  const idempotencyStore = createIdempotencyStore({ pool, secret: 'a secret', randomBytes })
  const answer = { status: 200, body: '{}' }
  // Every five-hundredth call deletes expired rows.
  for (let at = 0; at < 500; at++) {
    await idempotencyStore.keep({ scope: 'test', key: `${at}`, content: '{}' }, answer)
  }
  await one.close()
}

/**
 * Waits until all other connections are closed, because connections report index usage on closing.
 */
const untilOthersClosed = (name: string): Promise<void> =>
  until(async () => {
    const [row] = await owner`
      select count(*)::int as others from pg_stat_activity
       where datname = ${name} and application_name not in ('fixtures') and pid <> pg_backend_pid()`
    return row.others === 0
  })

// A partitioned index represents its partitions' indexes, which are created as needed.
type Index = { index: string; definition: string; uses: number; constraint: boolean }

test('indexes: each is a constraint, is used, or has a documented reason', async () => {
  const rows: Index[] = await owner`
    select format('%s.%s', s.schemaname, x.relname) as index, sum(s.idx_scan)::int as uses,
           regexp_replace(pg_get_indexdef(x.oid), '(test|live)\\.', '') as definition,
           i.indisunique or i.indisexclusion as constraint
      from pg_stat_user_indexes s
      left join pg_inherits h on h.inhrelid = s.indexrelid
      join pg_class x on x.oid = coalesce(h.inhparent, s.indexrelid)
      join pg_index i on i.indexrelid = x.oid
     where s.schemaname in ('test', 'live', 'auth', 'audit', 'site', 'pharmacy')
     group by s.schemaname, x.relname, x.oid, 4 order by 1`
  // Some statements run in live mode only from the console. Here, they run in test mode with the
  // same text, so an index counts as used if an index with the same definition was used.
  const used = new Set(rows.filter(({ uses }) => uses > 0).map(({ definition }) => definition))
  const idle = rows.filter(({ definition, constraint }) => !constraint && !used.has(definition))
  // Whether a small table's index is used depends on its statistics, so a reason may
  // also be listed for a used index.
  expect(idle.filter(({ index }) => !(index in reasons))).toEqual([])
  const names = new Set(rows.map(({ index }) => index))
  expect(Object.keys(reasons).filter(name => !names.has(name))).toEqual([])
  expect(rows.length).toBeGreaterThan(90)
})
