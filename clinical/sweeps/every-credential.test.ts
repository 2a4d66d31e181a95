// The gates of every operation: who asks, in which mode, for which clinic, with which scope. Each
// request is wrong in every other way too, so that a gate is seen to come before what follows it.

import { afterEach, beforeAll, beforeEach, describe, expect, test } from 'bun:test'
import { acceptAgreement, supersedeAgreements } from '#auth/integrations.ts'
import { operationIds, table } from '#contract/api.ts'
import { allScopes } from '#contract/scopes.ts'
import { sql, type Statement } from '#database/sql.ts'
import { invoke, type CallOptions, type CallResult } from '../testing/call.ts'
import { useFixtures } from '../testing/fixtures.ts'
import { liveOperations, expectRefusal, expectRefusals } from '../testing/sweep.ts'
import { queryAsOwner } from '../testing/assertions.ts'
import { withScopes } from '../testing/with-scopes.ts'

const fixtures = useFixtures()
const run = async (statement: Statement) => void (await queryAsOwner(fixtures, statement))
const testKey = (more: object = {}) => {
  const { integration } = fixtures.ada
  return fixtures.key({ integration, mode: 'test', name: 'swept', ...more })
}

afterEach(() => expect(fixtures.errors).toEqual([]))

const broken: CallOptions = { id: 'nope', query: 'another=1', body: { another: true }, key: null }
const inTest = operationIds.filter(id => table[id].mode === 'test')
const realm = 'Bearer realm="clinical"'

describe('401', () => {
  const bad: Record<string, string> = {}
  beforeAll(async () => {
    bad['malformed'] = 'svc_sk_test_nope'
    bad['mistyped'] =
      `${fixtures.ada.test.slice(0, -1)}${fixtures.ada.test.endsWith('A') ? 'B' : 'A'}`
    bad['of test, and says live'] = fixtures.ada.test.replace('_test_', '_live_')
    bad['unknown'] = await testKey({ name: 'unknown' })
    await run(sql`delete from auth.keys where name = 'unknown'`)
    bad['revoked'] = await testKey({ name: 'revoked' })
    await run(sql`update auth.keys set revoked_at = now() where name = 'revoked'`)
    bad['expired'] = await testKey({ expiresAt: '2020-01-01T00:00:00Z' })
    const suspended = { id: 'int_01m7wqrwr07q7txy3ntfjc6jem' }
    await run(sql`
      insert into auth.integrations (id, name, suspended_at) values (${suspended.id}, 'Away', now())`)
    bad['suspended'] = await testKey({ integration: suspended.id })
  })

  for (const [at, id] of operationIds.entries()) {
    // One address may send only so many refused credentials in a minute.
    const address = `198.51.100.${at}`

    test(`${id} without a credential, and where to find out how to get one`, async () => {
      const { body } = await expectRefusal(fixtures, id, 'unauthorized', {
        ...broken,
        as: null,
        address,
      })
      expect(body.headers['www-authenticate']).toBe(
        `${realm}, resource_metadata="http://localhost:3000/.well-known/oauth-protected-resource"`,
      )
    })

    test(`${id} with every kind of bad key, all answered alike`, async () => {
      const all = Object.values(bad).map(as => ({ ...broken, as, address }))
      const replies = await expectRefusals(fixtures, id, 'unauthorized', all)
      const answers: unknown[] = replies.map(one => one.body)
      expect(answers).toHaveLength(Object.keys(bad).length)
      for (const answer of answers) expect(answer).toEqual(answers[0])
      expect(answers[0]).toHaveProperty(
        ['headers', 'www-authenticate'],
        `${realm}, error="invalid_token", error_description="The token is unknown, revoked or expired."`,
      )
    })
  }
})

describe('403 forbidden: what exists in test mode only', () => {
  test('there are such operations', () => expect(inTest).not.toEqual([]))

  for (const id of inTest) {
    test(`${id} with a live key, whatever its scopes, clinic or agreement`, async () => {
      const { integration } = fixtures.ada
      const poor = await fixtures.key({ integration, mode: 'live', name: 'poor', scopes: [] })
      for (const as of [fixtures.ada.live, poor]) {
        const organization = 'org_01m7wqrwr07q7txy3ntfjc6jem'
        const refused = await expectRefusal(fixtures, id, 'forbidden', {
          ...broken,
          as,
          organization,
        })
        // No token would change it for this mode, so none is asked for.
        expect(refused.headers).toEqual({})
      }
    })
  }
})

describe('403 insufficient_scope', () => {
  const expectScope = (replied: CallResult, scope: string, granted: readonly string[]) => {
    expect(replied.body.members).toEqual({ required_scope: scope, granted_scopes: granted })
    expect(replied.headers['www-authenticate']).toBe(
      `${realm}, error="insufficient_scope", scope="${scope}"`,
    )
  }

  for (const id of operationIds) {
    const { scope } = table[id]
    const others = allScopes.filter(one => one !== scope)

    test(`${id} with a key of every scope but ${scope}`, async () => {
      const as = await testKey({ scopes: others })
      expectScope(
        await expectRefusal(fixtures, id, 'insufficient_scope', { ...broken, as }),
        scope,
        others,
      )
    })

    test(`${id} under a grant of every scope but ${scope}`, async () => {
      const { integration, test: as } = fixtures.ben
      const replied = await withScopes(fixtures, integration, others, () =>
        expectRefusal(fixtures, id, 'insufficient_scope', { ...broken, as }),
      )
      expectScope(replied, scope, others)
    })
  }
})

describe('403 baa_required', () => {
  const agreed = (until: Statement) =>
    run(sql`update auth.agreements set terminated_at = ${until}
             where integration = ${fixtures.ben.integration}`)
  beforeEach(() => agreed(sql`now()`))
  afterEach(() => agreed(sql`null`))

  for (const id of liveOperations) {
    test(`${id} with a live key and no agreement in force, and only where granted`, async () => {
      const as = fixtures.ben.live
      await expectRefusal(fixtures, id, 'baa_required', { ...broken, as })
      const organization = fixtures.ben.organization
      await expectRefusal(fixtures, id, 'organization_not_granted', { ...broken, as, organization })
    })
  }
})

describe('a newer version of the agreement', () => {
  const said = async () =>
    (await invoke(fixtures, 'listPatients', { as: fixtures.ben.live })).code ?? 'ok'
  const pass = (time: string) =>
    run(sql`update auth.agreements set ends_at = ends_at - ${time}::interval
             where integration = ${fixtures.ben.integration}`)

  test('leaves thirty days to accept it, and then live is refused until it is', async () => {
    const supersede = () =>
      fixtures.owner.use(connection => supersedeAgreements(connection, '2027-01-01'))
    expect(await supersede()).toContain(fixtures.ben.integration)
    await pass('29 days 23 hours 50 minutes')
    expect(await said()).toBe('ok')
    // Asked again, it puts nothing off.
    expect(await supersede()).toEqual([])
    await pass('11 minutes')
    expect(await said()).toBe('baa_required')
    const { status } = await invoke(fixtures, 'listPatients', { as: fixtures.ben.test })
    expect(status).toBe(200)
    await fixtures.owner.use(connection =>
      acceptAgreement(connection, fixtures.ben.integration, '2027-01-01'),
    )
    expect(await said()).toBe('ok')
    expect(await supersede()).toEqual([])
    expect(await said()).toBe('ok')
  })
})

describe('which organization', () => {
  const ungranted = 'org_01m7wqrwr07q7txy3ntfjc6jem'
  let pinned = ''
  // Ben's sandbox and the clinic both granted him test access. The second grant is given up again.
  beforeAll(async () => {
    const { integration, organization } = fixtures.ben
    pinned = await testKey({ integration, organization })
    await run(sql`
      insert into auth.grants (id, integration, organization, mode, scopes, status)
      select 'grant_of_two', integration, ${fixtures.clinic}, mode, scopes, status
        from auth.grants where integration = ${integration} and mode = 'test'`)
    await run(sql`
      insert into test.tenants (integration, organization) values (${integration}, ${fixtures.clinic})`)
  })

  for (const id of operationIds) {
    test(`${id} of several names one: 400 organization_required`, async () => {
      const { body } = await expectRefusal(fixtures, id, 'organization_required', {
        ...broken,
        as: fixtures.ben.test,
      })
      const named = body.members.organizations.map((one: { id: string }) => one.id)
      expect(named).toEqual([fixtures.ben.organization, fixtures.clinic].sort())
    })

    test(`${id} of one that is not granted: 403 organization_not_granted`, async () => {
      const junk = [
        '',
        'nope',
        ungranted,
        fixtures.ada.organization,
        fixtures.ben.integration,
        'org_\0',
      ]
      const keys = [fixtures.ben.test, pinned]
      const all = junk.flatMap(organization => keys.map(as => ({ ...broken, as, organization })))
      await expectRefusals(fixtures, id, 'organization_not_granted', all)
    })

    test(`${id} with a key that is pinned to another: 403 organization_not_granted`, async () => {
      const asked = { ...broken, as: pinned, organization: fixtures.clinic }
      await expectRefusal(fixtures, id, 'organization_not_granted', asked)
    })
  }
})

describe('no organization grants anything any more', () => {
  for (const id of operationIds) {
    test(`${id}: 403 organization_not_granted`, async () => {
      const { integration } = fixtures.ben
      await run(sql`update auth.grants set status = 'revoked'
                     where integration = ${integration} and mode = 'test'`)
      await expectRefusal(fixtures, id, 'organization_not_granted', {
        ...broken,
        as: fixtures.ben.test,
      })
    })
  }
})
