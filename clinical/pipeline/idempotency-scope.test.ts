// Idempotency keys belong to the tenant, not the credential, and a replay needs the same
// permissions as the call.

import { describe, expect, test } from 'bun:test'
import { sql } from '#database/sql.ts'
import { until } from '#http/testing/until.ts'
import { invoke, invokeOk, rivera } from '../testing/call.ts'
import { useFixtures, openFixtures } from '../testing/fixtures.ts'
import { tableContents, queryAsOwner, expectRefused } from '../testing/assertions.ts'

const fixtures = useFixtures()

/** Grants the integration a second organization in test mode. */
async function secondOrganization(): Promise<string> {
  const id = 'org_01m3vb29m0qzmhvvmxnm9j2321'
  await queryAsOwner(
    fixtures,
    sql`with made as (
          insert into auth.organizations (id, name, slug) values (${id}, 'Second', 'second')
        ), granted as (
          insert into auth.grants (id, integration, organization, mode, scopes, status)
          select 'grant_second', integration, ${id}, mode, scopes, 'active' from auth.grants
           where integration = ${fixtures.ada.integration} and mode = 'test'
        )
        insert into test.tenants (integration, organization) values (${fixtures.ada.integration}, ${id})`,
  )
  return id
}

const patients = async () => {
  const [row] = await queryAsOwner<{ count: number }>(
    fixtures,
    sql`select ((select count(*) from test.patients) + (select count(*) from live.patients))::int as count`,
  )
  return row?.count ?? 0
}

describe('idempotency key', () => {
  test("is a separate key in another integration's tenant and in each live tenant", async () => {
    const options = { key: 'shared', body: rivera }
    const callers = [fixtures.ada.test, fixtures.ada.live, fixtures.ben.test, fixtures.ben.live]
    const before = await patients()
    const answers = []
    for (const as of callers)
      answers.push(await invoke(fixtures, 'createPatient', { ...options, as }))
    expect(answers.map(one => one.status)).toEqual([201, 201, 201, 201])
    expect(new Set(answers.map(one => one.body.id)).size).toBe(4)
    expect(await patients()).toBe(before + 4)
    for (const [at, as] of callers.entries()) {
      const again = await invoke(fixtures, 'createPatient', { ...options, as })
      expect(again.text).toBe(answers[at]?.text ?? '')
    }
    expect(await patients()).toBe(before + 4)
  })

  test('replays to a new credential after the first one is revoked', async () => {
    const { integration } = fixtures.ada
    const retiring = await fixtures.key({ integration, mode: 'test', name: 'old' })
    const options = { key: 'rotated', body: rivera }
    const first = await invoke(fixtures, 'createPatient', { ...options, as: retiring })
    await queryAsOwner(
      fixtures,
      sql`update auth.credentials set revoked_at = now() where name = 'old'`,
    )
    const old = await invoke(fixtures, 'createPatient', { ...options, as: retiring })
    expect([old.code, JSON.stringify(old.body)]).toEqual([
      'unauthorized',
      expect.not.stringContaining('Rivera'),
    ])
    const successor = await fixtures.key({ integration, mode: 'test', name: 'new' })
    const again = await invoke(fixtures, 'createPatient', { ...options, as: successor })
    expect([again.text, again.headers['idempotent-replayed']]).toEqual([first.text, 'true'])
  })

  test('doesn’t disclose the stored response to a credential without the scope', async () => {
    const options = { key: 'scoped', body: rivera }
    await invokeOk(fixtures, 'createPatient', options)
    const { integration } = fixtures.ada
    const scopes = ['patients:read'] as const
    const as = await fixtures.key({ integration, mode: 'test', name: 'reader', scopes })
    const { text, body } = await expectRefused(fixtures, 'createPatient', 'insufficient_scope', {
      ...options,
      as,
    })
    expect(`${text}${JSON.stringify(body)}`).not.toContain('Rivera')
  })

  test('is a separate key at another organization of the same integration', async () => {
    const one = fixtures.ada.organization
    const other = await secondOrganization()
    const options = { key: 'two-clinics', body: rivera }
    const before = await tableContents(fixtures)
    const unnamed = await invoke(fixtures, 'createPatient', options)
    expect(unnamed.code).toBe('organization_required')
    expect(unnamed.body.members.organizations.map((each: { id: string }) => each.id)).toEqual(
      [one, other].sort(),
    )
    expect(await tableContents(fixtures)).toEqual(before)
    const first = await invoke(fixtures, 'createPatient', { ...options, organization: one })
    const second = await invoke(fixtures, 'createPatient', { ...options, organization: other })
    expect([first.status, second.status]).toEqual([201, 201])
    expect(first.body.id).not.toBe(second.body.id)
    const mine = await invoke(fixtures, 'getPatient', { id: first.body.id, organization: one })
    const theirs = await invoke(fixtures, 'getPatient', { id: first.body.id, organization: other })
    expect([mine.status, theirs.status]).toEqual([200, 404])
    const again = await invoke(fixtures, 'createPatient', { ...options, organization: other })
    expect(again.text).toBe(second.text)
    await queryAsOwner(
      fixtures,
      sql`update auth.grants set status = 'revoked' where id = 'grant_second'`,
    )
    const gone = await invoke(fixtures, 'createPatient', { ...options, organization: other })
    expect([gone.status, gone.code]).toEqual([403, 'organization_not_granted'])
  })
})

describe('idempotency key: 429, 500 and a lost connection don’t use it up', () => {
  test('a write refused by the rate limit can be sent again', async () => {
    const few = await openFixtures({ rateLimit: 1 })
    const options = { key: 'limited', body: rivera }
    await invokeOk(few, 'listPatients')
    await expectRefused(few, 'createPatient', 'rate_limited', options)
    // A new context has counted no calls, as after the window ends.
    await few.reopen()
    expect((await invoke(few, 'createPatient', options)).status).toBe(201)
    await few.close()
  })

  test('a failure after the changes rolls them back, and the retry executes', async () => {
    await queryAsOwner(
      fixtures,
      sql`create function test.fault() returns trigger language plpgsql as
            $$ begin raise exception 'injected'; end $$`,
    )
    await queryAsOwner(
      fixtures,
      sql`create trigger fault before insert on test.events for each row execute function test.fault()`,
    )
    const options = { key: 'faulted', body: rivera }
    const errors = fixtures.errors.length
    const { body } = await expectRefused(fixtures, 'createPatient', 'internal_error', options)
    expect(JSON.stringify(body)).not.toContain('injected')
    expect(fixtures.errors.length).toBe(errors + 1)
    await queryAsOwner(fixtures, sql`drop trigger fault on test.events`)
    await queryAsOwner(fixtures, sql`drop function test.fault()`)
    expect((await invoke(fixtures, 'createPatient', options)).status).toBe(201)
  })

  test('a database session that dies during a write is retried, and the write happens once', async () => {
    const before = await patients()
    const locked = Promise.withResolvers<void>()
    const held = fixtures.owner.use(async connection => {
      await connection.run(sql`begin`)
      await connection.run(sql`select 1 from test.tenants for update`)
      locked.resolve()
      // Uses another connection, because pg_stat_activity doesn't change within a transaction.
      const terminated = () =>
        queryAsOwner(
          fixtures,
          sql`select pg_terminate_backend(pid) from pg_stat_activity
               where datname = current_database() and application_name = 'gateway test'
                 and wait_event_type = 'Lock'`,
        )
      await until(async () => (await terminated()).length > 0, 2)
      await connection.run(sql`rollback`)
    })
    await locked.promise
    const options = { key: 'killed', body: rivera }
    const first = await invoke(fixtures, 'createPatient', options)
    await held
    expect([first.status, await patients()]).toEqual([201, before + 1])
    expect((await invoke(fixtures, 'createPatient', options)).text).toBe(first.text)
  })
})
