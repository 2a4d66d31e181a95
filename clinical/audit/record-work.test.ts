// The worker's jobs expire rows in both modes, and write audit rows only in live mode.

import { beforeAll, expect, test } from 'bun:test'
import { type Mode, modes } from '#contract/operation.ts'
import { createEncryption } from '#database/encryption.ts'
import { type Statement, sql } from '#database/sql.ts'
import { deleteExpiredRows, removeDiscarded } from '../files/cleanup.ts'
import { purge } from '../sandbox/purge.ts'
import { queryAsOwner } from '../testing/assertions.ts'
import { invokeOk } from '../testing/call.ts'
import { completePending, requestExport } from '../testing/exports.ts'
import { reserveFile } from '../testing/files.ts'
import { useFixtures } from '../testing/fixtures.ts'
import { endpoint } from '../testing/valid-calls.ts'
import { sweepEndpoints } from '../deliveries/engine/disable.ts'
import { purgeDeliveries, reencrypt } from '../deliveries/engine/upkeep.ts'
import { signOnce, signerOf } from './sign.ts'
import { verifyAudit } from './verify.ts'

const fixtures = useFixtures()

type CreatedIds = Record<'file' | 'bundle' | 'export' | 'endpoint', string>
type Entry = { mode: string | null; action: string; target: string | null; shape: string | null }

/** Runs statements in a mode's schema. */
const age = (mode: Mode, ...statements: readonly Statement[]) =>
  fixtures.owner.use(async connection => {
    await connection.run(sql`select set_config('search_path', ${`${mode}, public`}, false)`)
    for (const statement of statements) await connection.run(statement)
    await connection.run(sql`reset search_path`)
  })

/** Creates one of each resource that a job expires, already due. */
async function makeDue(mode: Mode): Promise<CreatedIds> {
  const as = fixtures.ada[mode]
  const file = (await reserveFile(fixtures, { as })).id
  const bundle = (await requestExport(fixtures, as)).id
  const old = (await requestExport(fixtures, as)).id
  const { id } = await invokeOk(fixtures, 'createWebhookEndpoint', { as, body: endpoint })
  await completePending(fixtures)
  await age(
    mode,
    sql`update files set expires_at = now() - interval '1 ms' where id = ${file}`,
    sql`update exports set expires_at = now() - interval '1 hour' where id = ${bundle}`,
    sql`update exports set created_at = now() - interval '30 days 1 second' where id = ${old}`,
    sql`insert into failed_events (tenant, webhook_endpoint, event)
        select tenant, id, 'evt_' || n from webhook_endpoints, generate_series(1, 20) n
         where id = ${id}`,
    sql`insert into deliveries (tenant, id, event, event_tenant, event_type, webhook_endpoint, status,
                                created_at)
        select tenant, 'dlv_' || n, 'evt_' || n, tenant, 'order.shipped.v1', id, 'failed',
               now() - interval '31 days'
          from webhook_endpoints, generate_series(1, 3) n where id = ${id}`,
    sql`update idempotency_keys set expires_at = now() - interval '1 ms'`,
  )
  return { file, bundle, export: old, endpoint: id }
}

/** Runs the jobs, and returns the keys of the live storage objects they queued for removal. */
async function runJobs(): Promise<string[]> {
  const { workerContext } = fixtures
  const encryption = createEncryption(['a newer key, long enough for it', fixtures.context.pepper])
  await deleteExpiredRows(workerContext)
  const discarded = await queryAsOwner<{ key: string }>(
    fixtures,
    sql`select key from live.discarded_objects`,
  )
  await removeDiscarded(workerContext, fixtures.context.files.storage)
  await purge(workerContext)
  for (const mode of modes) {
    await workerContext.pools[mode].use(async connection => {
      await sweepEndpoints(connection, mode)
      await reencrypt(connection, mode, encryption)
    })
    await purgeDeliveries(workerContext, mode)
  }
  return discarded.map(({ key }) => key)
}

let made: Record<Mode, CreatedIds>
let objects: string[]
let keys: number
let entries: Entry[]
beforeAll(async () => {
  made = { test: await makeDue('test'), live: await makeDue('live') }
  const [row] = await queryAsOwner<{ keys: number }>(
    fixtures,
    sql`select count(*)::int as keys from live.idempotency_keys`,
  )
  keys = row?.keys ?? 0
  objects = await runJobs()
  entries = await queryAsOwner<Entry>(
    fixtures,
    sql`select mode, action, target, shape from audit.entries where surface = 'worker' order by seq`,
  )
})

const done = (action: string, target: string | null, shape: object | null = null) =>
  [action, target, shape] as const

test('the audit records what the worker expires in live mode: a row each, or a count per batch', () => {
  const { live } = made
  expect([objects.length > 1, keys > 1]).toEqual([true, true])
  const found = entries.map(({ action, target, shape }) =>
    done(action, target, shape === null ? null : JSON.parse(shape)),
  )
  const wanted = [
    done('expireFile', live.file),
    done('expireExport', live.bundle),
    ...objects.map(key => done('deleteObject', key)),
    done('purgeIdempotencyKeys', null, { idempotency_keys: `array ${keys}` }),
    done('disableWebhookEndpoint', live.endpoint),
    done('purgeDeliveries', null, { deliveries: 'array 3' }),
    done('reencryptWebhookSecret', live.endpoint),
  ]
  const ordered = (rows: readonly (typeof wanted)[number][]) =>
    rows.map(row => JSON.stringify(row)).toSorted()
  expect(ordered(found)).toEqual(ordered(wanted))
})

test('the worker’s rows are all in live mode, and name the worker, integration and clinic', async () => {
  expect(entries.length).toBeGreaterThan(0)
  expect([...new Set(entries.map(({ mode }) => mode))]).toEqual(['live'])
  const rows = await queryAsOwner(
    fixtures,
    sql`select distinct actor, person, integration, organization, outcome from audit.entries
         where surface = 'worker' order by organization`,
  )
  const { integration } = fixtures.ada
  const clinics = await queryAsOwner<{ organization: string }>(
    fixtures,
    sql`select organization from live.tenants
         where integration = ${integration} and organization is not null`,
  )
  expect(clinics).toHaveLength(1)
  const row = { actor: 'worker', person: null, integration, outcome: 'ok' }
  expect(rows).toEqual([
    { ...row, organization: clinics[0]?.organization },
    { ...row, organization: null },
  ])
})

test('the same rows expire in test mode', async () => {
  const { test: ended } = made
  const [row] = await queryAsOwner(
    fixtures,
    sql`select (select count(*)::int from test.files where id = ${ended.file}) as files,
               (select count(*)::int from test.exports where id = ${ended.export}) as exports,
               (select count(*)::int from test.exports where object is not null) as bundles,
               (select status from test.webhook_endpoints where id = ${ended.endpoint}) as endpoint,
               (select count(*)::int from test.deliveries where status = 'failed') as deliveries`,
  )
  expect(row).toEqual({ files: 0, exports: 0, bundles: 0, endpoint: 'disabled', deliveries: 0 })
})

test('a job with nothing to do writes no row', async () => {
  const count = async () =>
    (await queryAsOwner(fixtures, sql`select from audit.entries where surface = 'worker'`)).length
  const before = await count()
  await runJobs()
  expect(await count()).toBe(before)
})

test('the test worker can’t write audit rows, and the live worker can write only these', async () => {
  const { pools } = fixtures.workerContext
  await expect(
    pools.test.use(one => one.run(sql`select live.record_work('expireFile', 1, null)`)),
  ).rejects.toThrow('permission denied')
  await expect(
    pools.live.use(one =>
      one.run(sql`insert into audit.entries (surface, action, outcome, status, request)
                  values ('rest', 'getPatient', 'ok', 200, 'req_1')`),
    ),
  ).rejects.toThrow('permission denied')
})

test('the signed audit includes the worker’s rows and verifies', async () => {
  const signer = signerOf('a secret for tests')
  const verify = () => fixtures.owner.use(connection => verifyAudit(connection, [signer]))
  // Transactions in the server's other databases may delay signing.
  for (let left = 1; left > 0; left = (await verify()).waiting) {
    while ((await fixtures.workerContext.pools.live.use(one => signOnce(one, signer))) !== null);
  }
  expect((await verify()).findings).toEqual([])
})
