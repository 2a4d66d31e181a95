// The migration that replaced the outbox by cursors, on a database with events that were sent and
// events that were not.

import { expect, test } from 'bun:test'
import { SQL } from 'bun'
import { migrate, readMigrations } from './migrate.ts'
import { testDatabase } from './testing/database.ts'

test('migrating: the events of the outbox are read next, with their time and endpoint, and no earlier ones', async () => {
  const all = readMigrations()
  const database = await testDatabase(all.filter(({ name }) => name < '0081'))
  await using owner = new SQL(database.url, { max: 1 })
  await owner`insert into auth.integrations (id, name) values ('int_1', 'A brand')`
  await owner`insert into auth.organizations (id, name, slug) values ('org_1', 'A clinic', 'a')`
  await owner`insert into test.tenants (integration, organization) values ('int_1', 'org_1')`
  const [{ id: tenant }] = await owner`select id from test.tenants where organization is not null`
  const [{ id: own }] = await owner`select id from test.tenants where organization is null`
  await owner.unsafe(`
    insert into test.webhook_endpoints (tenant, id, place, url, event_types, include_resource,
                                        secret, listens_from, created_at, updated_at)
    values (${own}, 'we_1', 1, 'https://hooks.brand.example/', '{*}', false, 'sealed', '2026-01-01',
            now(), now());
    insert into test.events (tenant, id, type, resource_type, resource_id, status, created_at)
    select ${tenant}, ulid('evt', m, '000000000000000' || n), 'order.shipped.v1', 'order', 'ord',
           'shipped', m
      from (select n, '2026-03-01'::timestamptz + n * interval '1 ms' as m
              from generate_series(1, 4) n) x;
    update test.tenants set last = '2026-03-01T00:00:00.004Z' where id = ${tenant};
    insert into test.outbox (tenant, event, webhook_endpoint, created_at)
    select tenant, id, case when n = 4 then 'we_1' end, '2026-03-02'
      from (select *, row_number() over (order by id) as n from test.events) e where n >= 3`)
  await migrate(owner, () => undefined, all)
  const rows = await owner`
    select right(e.id, 1)::int as n, e.id > c.position as unread, e.webhook_endpoint,
           e.written_at = '2026-03-02' as of_outbox
      from test.events e join test.event_cursors c on c.of_tenant = e.tenant order by e.id`
  expect([...rows]).toEqual([
    { n: 1, unread: false, webhook_endpoint: null, of_outbox: false },
    { n: 2, unread: false, webhook_endpoint: null, of_outbox: false },
    { n: 3, unread: true, webhook_endpoint: null, of_outbox: true },
    { n: 4, unread: true, webhook_endpoint: 'we_1', of_outbox: true },
  ])
  const followed = await owner`
    select has_enabled_endpoint, realtime_until > now() as has_token from test.tenants
     where organization is null`
  expect([...followed]).toEqual([{ has_enabled_endpoint: true, has_token: true }])
  expect([
    ...(await owner`select tenants_to_read::text as id from test.tenants_to_read()`),
  ]).toEqual([{ id: String(tenant) }])
  await owner.close()
  await database.close()
})
