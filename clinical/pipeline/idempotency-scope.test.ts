// Whose a key is (contract/10, section 3): the tenant's, not the credential's; and what a key never
// tells to somebody who may not make the call today.

import { describe, expect, test } from 'bun:test'
import { sql } from '#database/sql.ts'
import { until } from '#http/testing/until.ts'
import { invoke, invokeOk, rivera } from '../testing/call.ts'
import { useFixtures, openFixtures } from '../testing/fixtures.ts'
import { tableContents, queryAsOwner, expectRefused } from '../testing/assertions.ts'

const fixtures = useFixtures()

/** A second organization for Ada in test, as a migration or a portal would grant it. */
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

describe('one key', () => {
  test("is another key in Ben's tenant and in each live one", async () => {
    const asked = { key: 'shared', body: rivera }
    const callers = [fixtures.ada.test, fixtures.ada.live, fixtures.ben.test, fixtures.ben.live]
    const before = await patients()
    const answers = []
    for (const as of callers)
      answers.push(await invoke(fixtures, 'createPatient', { ...asked, as }))
    expect(answers.map(one => one.status)).toEqual([201, 201, 201, 201])
    expect(new Set(answers.map(one => one.body.id)).size).toBe(4)
    expect(await patients()).toBe(before + 4)
    for (const [at, as] of callers.entries()) {
      const again = await invoke(fixtures, 'createPatient', { ...asked, as })
      expect(again.text).toBe(answers[at]?.text ?? '')
    }
    expect(await patients()).toBe(before + 4)
  })

  test('replays to a rotated credential, after the first was revoked', async () => {
    const { integration } = fixtures.ada
    const retiring = await fixtures.key({ integration, mode: 'test', name: 'old' })
    const asked = { key: 'rotated', body: rivera }
    const first = await invoke(fixtures, 'createPatient', { ...asked, as: retiring })
    await queryAsOwner(fixtures, sql`update auth.keys set revoked_at = now() where name = 'old'`)
    const old = await invoke(fixtures, 'createPatient', { ...asked, as: retiring })
    expect([old.code, JSON.stringify(old.body)]).toEqual([
      'unauthorized',
      expect.not.stringContaining('Rivera'),
    ])
    const successor = await fixtures.key({ integration, mode: 'test', name: 'new' })
    const again = await invoke(fixtures, 'createPatient', { ...asked, as: successor })
    expect([again.text, again.headers['idempotent-replayed']]).toEqual([first.text, 'true'])
  })

  test('tells a credential without the scope nothing of the stored answer', async () => {
    const asked = { key: 'scoped', body: rivera }
    await invokeOk(fixtures, 'createPatient', asked)
    const { integration } = fixtures.ada
    const scopes = ['patients:read'] as const
    const as = await fixtures.key({ integration, mode: 'test', name: 'reader', scopes })
    const { text, body } = await expectRefused(fixtures, 'createPatient', 'insufficient_scope', {
      ...asked,
      as,
    })
    expect(`${text}${JSON.stringify(body)}`).not.toContain('Rivera')
  })

  test('is another key in another organization of the same integration', async () => {
    const one = fixtures.ada.organization
    const other = await secondOrganization()
    const asked = { key: 'two-clinics', body: rivera }
    const before = await tableContents(fixtures)
    const unnamed = await invoke(fixtures, 'createPatient', asked)
    expect(unnamed.code).toBe('organization_required')
    expect(unnamed.body.members.organizations.map((each: { id: string }) => each.id)).toEqual(
      [one, other].sort(),
    )
    expect(await tableContents(fixtures)).toEqual(before)
    const first = await invoke(fixtures, 'createPatient', { ...asked, organization: one })
    const second = await invoke(fixtures, 'createPatient', { ...asked, organization: other })
    expect([first.status, second.status]).toEqual([201, 201])
    expect(first.body.id).not.toBe(second.body.id)
    const mine = await invoke(fixtures, 'getPatient', { id: first.body.id, organization: one })
    const theirs = await invoke(fixtures, 'getPatient', { id: first.body.id, organization: other })
    expect([mine.status, theirs.status]).toEqual([200, 404])
    const again = await invoke(fixtures, 'createPatient', { ...asked, organization: other })
    expect(again.text).toBe(second.text)
    await queryAsOwner(
      fixtures,
      sql`update auth.grants set status = 'revoked' where id = 'grant_second'`,
    )
    const gone = await invoke(fixtures, 'createPatient', { ...asked, organization: other })
    expect([gone.status, gone.code]).toEqual([403, 'organization_not_granted'])
  })
})

describe('429, 500 and a lost connection burn no key', () => {
  test('what the rate limit refused executes later', async () => {
    const few = await openFixtures({ rateLimit: 1 })
    const asked = { key: 'limited', body: rivera }
    await invokeOk(few, 'listPatients')
    await expectRefused(few, 'createPatient', 'rate_limited', asked)
    // A house that was just opened has counted nothing yet, as after the window has passed.
    await few.reopen()
    expect((await invoke(few, 'createPatient', asked)).status).toBe(201)
    await few.close()
  })

  test('a fault after the effect undoes the effect; the retry executes', async () => {
    await queryAsOwner(
      fixtures,
      sql`create function test.fault() returns trigger language plpgsql as
            $$ begin raise exception 'injected'; end $$`,
    )
    await queryAsOwner(
      fixtures,
      sql`create trigger fault before insert on test.outbox for each row execute function test.fault()`,
    )
    const asked = { key: 'faulted', body: rivera }
    const errors = fixtures.errors.length
    const { body } = await expectRefused(fixtures, 'createPatient', 'internal_error', asked)
    expect(JSON.stringify(body)).not.toContain('injected')
    expect(fixtures.errors.length).toBe(errors + 1)
    await queryAsOwner(fixtures, sql`drop trigger fault on test.outbox`)
    await queryAsOwner(fixtures, sql`drop function test.fault()`)
    expect((await invoke(fixtures, 'createPatient', asked)).status).toBe(201)
  })

  test('a backend that dies mid-write leaves one effect, and the caller does not notice', async () => {
    const before = await patients()
    const locked = Promise.withResolvers<void>()
    const held = fixtures.owner.use(async connection => {
      await connection.run(sql`begin`)
      await connection.run(sql`select 1 from test.tenants for update`)
      locked.resolve()
      // Looked for outside: in a transaction the list of sessions stays as at the first look.
      const victims = () =>
        queryAsOwner(
          fixtures,
          sql`select pg_terminate_backend(pid) from pg_stat_activity
               where datname = current_database() and application_name = 'gateway test'
                 and wait_event_type = 'Lock'`,
        )
      await until(async () => (await victims()).length > 0, 2)
      await connection.run(sql`rollback`)
    })
    await locked.promise
    const asked = { key: 'killed', body: rivera }
    const first = await invoke(fixtures, 'createPatient', asked)
    await held
    expect([first.status, await patients()]).toEqual([201, before + 1])
    expect((await invoke(fixtures, 'createPatient', asked)).text).toBe(first.text)
  })
})
