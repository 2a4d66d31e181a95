import { afterAll, expect, test } from 'bun:test'
import { createEncryption } from '#database/encryption.ts'
import { sql } from '#database/sql.ts'
import { until } from '#http/testing/until.ts'
import { workerUrls } from '#database/roles.ts'
import { invokeOk } from '../../testing/call.ts'
import { openFixtures } from '../../testing/fixtures.ts'
import { endpoint } from '../../testing/valid-calls.ts'
import { secretPurpose } from '../../pipeline/encrypted-members.ts'
import { queryAsOwner } from '../../testing/assertions.ts'
import { addBacklog, openLoadFixture } from './testing/load.ts'
import { disableFailing, sweepEndpoints } from './disable.ts'
import { checkEncryptionKeys, purgeDeliveries, reencrypt } from './upkeep.ts'

const fixtures = await openFixtures()
const worker = fixtures.workerContext.pools.test
afterAll(() => fixtures.close())

const create = () => invokeOk(fixtures, 'createWebhookEndpoint', { body: endpoint })
const secretsOf = (id: string) =>
  queryAsOwner<{ secret: string; previous_secret: string | null }>(
    fixtures,
    sql`select secret, previous_secret from test.webhook_endpoints where id = ${id}`,
  )

test('upkeep re-encrypts secrets with the new key, after which the old key can be removed', async () => {
  const made = await create()
  const rotated = await invokeOk(fixtures, 'rotateWebhookSecret', { id: made.id })
  const { pepper } = fixtures.context
  const both = createEncryption(['a new key, which is long enough for it', pepper])
  const alone = createEncryption(['a new key, which is long enough for it'])
  const urls = workerUrls(fixtures.database.urls)
  await checkEncryptionKeys(urls, both)
  await expect(checkEncryptionKeys(urls, alone)).rejects.toThrow(made.id)
  expect(await worker.use(connection => reencrypt(connection, 'test', both))).toBe(1)
  expect(await worker.use(connection => reencrypt(connection, 'test', both))).toBe(0)
  await checkEncryptionKeys(urls, alone)
  const [row] = await secretsOf(made.id)
  const purpose = secretPurpose({ mode: 'test', integration: fixtures.ada.integration })
  expect(alone.open(purpose, row?.secret ?? '')).toBe(rotated.secret)
  expect(alone.open(purpose, row?.previous_secret ?? '')).toBe(made.secret)
})

test('upkeep leaves a previous secret that no key decrypts, and encrypts the others', async () => {
  const { pepper } = fixtures.context
  const newest = createEncryption(['the newest key, which is long enough', pepper])
  const [lost, other] = [await create(), await create()]
  await invokeOk(fixtures, 'rotateWebhookSecret', { id: lost.id })
  await queryAsOwner(
    fixtures,
    sql`update test.webhook_endpoints set previous_secret = 'sealed.gone.x' where id = ${lost.id}`,
  )
  const run = () => worker.use(connection => reencrypt(connection, 'test', newest))
  expect(await run()).toBeGreaterThanOrEqual(2)
  expect(await run()).toBe(0)
  const [row] = await secretsOf(lost.id)
  expect(row?.previous_secret).toBe('sealed.gone.x')
  const [secret] = await secretsOf(other.id)
  expect(secret?.secret).toStartWith(`sealed.${newest.keys[0]}.`)
})

test('upkeep re-encrypts a previous secret even if the secret already has the newest key', async () => {
  const { pepper } = fixtures.context
  const ring = createEncryption(['the key of the last rotation, long enough', pepper])
  const { id } = await create()
  const purpose = secretPurpose({ mode: 'test', integration: fixtures.ada.integration })
  const secret = ring.encrypt(purpose, 'whsec_new')
  await queryAsOwner(
    fixtures,
    sql`update test.webhook_endpoints
           set previous_secret = secret, secret = ${secret},
               previous_secret_expires_at = now() + interval '1 hour'
         where id = ${id}`,
  )
  expect(await worker.use(connection => reencrypt(connection, 'test', ring))).toBe(1)
  const [row] = await secretsOf(id)
  expect(row?.secret).toBe(secret)
  expect(row?.previous_secret).toStartWith(`sealed.${ring.keys[0]}.`)
  await invokeOk(fixtures, 'deleteWebhookEndpoint', { id })
})

test('upkeep deletes deliveries after thirty days, except pending ones', async () => {
  const { id } = await create()
  const event = await invokeOk(fixtures, 'triggerWebhook', { body: { type: 'order.shipped.v1' } })
  const send = async () =>
    (await invokeOk(fixtures, 'redeliverEvent', { id: event.id, body: { webhook_endpoint: id } }))
      .data[0].id
  const [old, waiting, young] = [await send(), await send(), await send()]
  const age = (delivery: string, done: boolean) =>
    queryAsOwner(
      fixtures,
      sql`update test.deliveries set created_at = now() - interval '31 days',
                 status = case when ${done} then 'delivered' else status end,
                 next_attempt_at = case when ${done} then null else next_attempt_at end
           where id = ${delivery}`,
    )
  await age(old, true)
  await age(waiting, false)
  const listed = (await invokeOk(fixtures, 'listDeliveries', { id })).data.map(
    (one: { id: string }) => one.id,
  )
  expect(listed).toEqual([young])
  expect(await purgeDeliveries(fixtures.workerContext, 'test')).toBe(1)
  expect(await purgeDeliveries(fixtures.workerContext, 'test')).toBe(0)
  const left = await queryAsOwner<{ id: string }>(fixtures, sql`select id from test.deliveries`)
  expect(left.map(row => row.id).toSorted()).toEqual([waiting, young].toSorted())
  await invokeOk(fixtures, 'deleteWebhookEndpoint', { id })
})

test('upkeep disables a failing endpoint and ends its deliveries after a worker crashed', async () => {
  const { id } = await create()
  const event = await invokeOk(fixtures, 'triggerWebhook', { body: { type: 'order.shipped.v1' } })
  await invokeOk(fixtures, 'redeliverEvent', { id: event.id, body: { webhook_endpoint: id } })
  await queryAsOwner(
    fixtures,
    sql`insert into test.failed_events (tenant, webhook_endpoint, event)
        select tenant, id, 'evt_' || n from test.webhook_endpoints, generate_series(1, 20) n
         where id = ${id}`,
  )
  const all = await Promise.all(
    [1, 2, 3].map(() => worker.use(connection => sweepEndpoints(connection, 'test'))),
  )
  expect(all.reduce((sum, one) => sum + one)).toBeGreaterThanOrEqual(1)
  expect(await invokeOk(fixtures, 'getWebhookEndpoint', { id })).toMatchObject({
    status: 'disabled',
  })
  expect((await invokeOk(fixtures, 'listDeliveries', { id })).data).toMatchObject([
    { status: 'failed', error: 'endpoint_disabled' },
  ])
  const query = { type: 'webhook_endpoint.disabled.v1' }
  expect((await invokeOk(fixtures, 'listEvents', { query })).data).toHaveLength(1)
  const [own] = await queryAsOwner<{ own: string }>(
    fixtures,
    sql`select tenant::text as own from test.webhook_endpoints where id = ${id}`,
  )
  const gone = { own: own?.own ?? '', webhook_endpoint: id, event_tenant: null }
  expect(await worker.use(connection => disableFailing(connection, 'test', gone))).toBe(false)
})

test('an endpoint with a long backlog is disabled and deleted in short statements; upkeep ends the rest', async () => {
  const { id } = await create()
  const event = await invokeOk(fixtures, 'triggerWebhook', { body: { type: 'order.shipped.v1' } })
  await invokeOk(fixtures, 'redeliverEvent', { id: event.id, body: { webhook_endpoint: id } })
  await addBacklog(fixtures, id, 1099)
  const left = async () =>
    (
      await queryAsOwner<{ due: number; pending: number }>(
        fixtures,
        sql`select count(q.delivery)::int as due,
                   count(*) filter (where d.status = 'pending')::int as pending
              from test.deliveries d
              left join test.due_deliveries q on q.tenant = d.tenant and q.delivery = d.id
             where d.webhook_endpoint = ${id}`,
      )
    )[0]
  await invokeOk(fixtures, 'updateWebhookEndpoint', { id, body: { status: 'disabled' } })
  expect(await left()).toEqual({ due: 100, pending: 100 })
  await invokeOk(fixtures, 'deleteWebhookEndpoint', { id })
  expect(await left()).toEqual({ due: 0, pending: 0 })
  await addBacklog(fixtures, id, 1100)
  expect(await worker.use(connection => sweepEndpoints(connection, 'test'))).toBe(1100)
  expect(await left()).toEqual({ due: 0, pending: 0 })
}, 30_000)

test('upkeep ends deliveries waiting for a disabled or deleted endpoint, each with its error', async () => {
  const [{ id }, other] = [await create(), await create()]
  const event = await invokeOk(fixtures, 'triggerWebhook', { body: { type: 'order.shipped.v1' } })
  for (const webhook_endpoint of [id, other.id])
    await invokeOk(fixtures, 'redeliverEvent', { id: event.id, body: { webhook_endpoint } })
  const sweep = () => worker.use(connection => sweepEndpoints(connection, 'test'))
  await invokeOk(fixtures, 'updateWebhookEndpoint', { id, body: { status: 'disabled' } })
  await addBacklog(fixtures, id, 2)
  expect(await sweep()).toBe(2)
  await invokeOk(fixtures, 'deleteWebhookEndpoint', { id })
  await addBacklog(fixtures, id, 3)
  expect(await sweep()).toBe(3)
  const ended = await queryAsOwner<{ error: string; count: number }>(
    fixtures,
    sql`select error, count(*)::int from test.deliveries
         where webhook_endpoint = ${id} group by 1 order by 1`,
  )
  expect(ended).toEqual([
    { error: 'endpoint_deleted', count: 3 },
    { error: 'endpoint_disabled', count: 3 },
  ])
  // Deliveries waiting for an enabled endpoint keep waiting.
  const { data } = await invokeOk(fixtures, 'listDeliveries', { id: other.id })
  expect(data).toMatchObject([{ status: 'pending', error: null }])
})

test('a missing key is reported with at most twenty endpoints that need it, in either mode', async () => {
  const urls = workerUrls(fixtures.database.urls)
  const other = createEncryption(['a key that encrypted nothing yet, long enough'])
  const missing = () => checkEncryptionKeys(urls, other).catch((failure: Error) => failure.message)
  await openLoadFixture(fixtures, 21, endpoint.url)
  expect((await missing())?.match(/we_\w+/g)).toHaveLength(20)
  await queryAsOwner(fixtures, sql`truncate test.webhook_endpoints`)
  expect(await missing()).toBeUndefined()
  const live = { as: fixtures.ada.live, body: endpoint }
  const { id } = await invokeOk(fixtures, 'createWebhookEndpoint', live)
  const sessions = () =>
    queryAsOwner(
      fixtures,
      sql`select from pg_stat_activity
           where application_name = 'encryption keys' and datname = current_database()`,
    )
  await until(async () => (await sessions()).length === 0)
  expect(await missing()).toBe(
    `SEAL_KEYS has no key for the secrets of ${id}. Restore the key that encrypted them, and remove it once the worker has re-encrypted them.`,
  )
})
