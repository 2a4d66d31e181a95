// Every operation checks a call's key, mode, organization and scope, in this order. Each request is
// also invalid in every other way, which proves that each check runs before the later checks.

import { afterEach, beforeAll, beforeEach, describe, expect, test } from 'bun:test'
import { supersedeAgreements } from '#auth/integrations.ts'
import { acceptAgreement } from '#auth/testing/administration.ts'
import { callable, callableIds } from '#contract/callable.ts'
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

afterEach(() => expect(fixtures.errors.splice(0)).toEqual([]))

const broken: CallOptions = { id: 'nope', query: 'another=1', body: { another: true }, key: null }
const inTest = callableIds.filter(id => callable[id].mode === 'test')
const realm = 'Bearer realm="clinical"'
const metadata = 'resource_metadata="http://localhost:3000/.well-known/oauth-protected-resource"'

describe('401', () => {
  const bad: Record<string, string> = {}
  beforeAll(async () => {
    bad['malformed'] = 'svc_sk_test_nope'
    bad['mistyped'] =
      `${fixtures.ada.test.slice(0, -1)}${fixtures.ada.test.endsWith('A') ? 'B' : 'A'}`
    bad['test key renamed to live'] = fixtures.ada.test.replace('_test_', '_live_')
    bad['unknown'] = await testKey({ name: 'unknown' })
    await run(sql`delete from auth.credentials where name = 'unknown'`)
    bad['revoked'] = await testKey({ name: 'revoked' })
    await run(sql`update auth.credentials set revoked_at = now() where name = 'revoked'`)
    bad['expired'] = await testKey({ expiresAt: '2020-01-01T00:00:00Z' })
    const suspended = { id: 'int_01m7wqrwr07q7txy3ntfjc6jem' }
    await run(sql`
      insert into auth.integrations (id, name, suspended_at) values (${suspended.id}, 'Away', now())`)
    bad['suspended'] = await testKey({ integration: suspended.id })
  })

  for (const [at, id] of callableIds.entries()) {
    // Refused credentials are limited per minute and address.
    const address = `198.51.100.${at}`

    test(`${id} refuses a call without a credential, and links the resource metadata`, async () => {
      const { body } = await expectRefusal(fixtures, id, 'unauthorized', {
        ...broken,
        as: null,
        address,
      })
      expect(body.headers['www-authenticate']).toBe(
        `${realm}, scope="${callable[id].scope}", ${metadata}`,
      )
    })

    test(`${id} refuses every kind of bad key with the same response`, async () => {
      const all = Object.values(bad).map(as => ({ ...broken, as, address }))
      const results = await expectRefusals(fixtures, id, 'unauthorized', all)
      const answers: unknown[] = results.map(one => one.body)
      expect(answers).toHaveLength(Object.keys(bad).length)
      for (const answer of answers) expect(answer).toEqual(answers[0])
      expect(answers[0]).toHaveProperty(
        ['headers', 'www-authenticate'],
        `${realm}, error="invalid_token", error_description="The token is unknown, revoked or expired.", ${metadata}`,
      )
    })
  }
})

describe('403 forbidden: operations only in test mode', () => {
  test('at least one operation exists in test mode only', () => expect(inTest).not.toEqual([]))

  for (const id of inTest) {
    test(`${id} refuses a live key, whatever its scopes, organization or agreement`, async () => {
      const { integration } = fixtures.ada
      const unscoped = await fixtures.key({
        integration,
        mode: 'live',
        name: 'unscoped',
        scopes: [],
      })
      for (const as of [fixtures.ada.live, unscoped]) {
        const organization = 'org_01m7wqrwr07q7txy3ntfjc6jem'
        const refused = await expectRefusal(fixtures, id, 'forbidden', {
          ...broken,
          as,
          organization,
        })
        // No other token would be accepted in this mode, so there's no WWW-Authenticate header.
        expect(refused.headers).toEqual({})
      }
    })
  }
})

describe('403 insufficient_scope', () => {
  const expectScope = (result: CallResult, scope: string, granted: readonly string[]) => {
    expect(result.body.members).toEqual({ required_scope: scope, granted_scopes: granted })
    expect(result.headers['www-authenticate']).toBe(
      `${realm}, error="insufficient_scope", scope="${scope}", ${metadata}`,
    )
  }

  for (const id of callableIds) {
    const { scope } = callable[id]
    const others = allScopes.filter(one => one !== scope)

    test(`${id} refuses a key with every scope but ${scope}`, async () => {
      const as = await testKey({ scopes: others })
      expectScope(
        await expectRefusal(fixtures, id, 'insufficient_scope', { ...broken, as }),
        scope,
        others,
      )
    })

    test(`${id} refuses a key whose grant has every scope but ${scope}`, async () => {
      const { integration, test: as } = fixtures.ben
      const result = await withScopes(fixtures, integration, others, () =>
        expectRefusal(fixtures, id, 'insufficient_scope', { ...broken, as }),
      )
      expectScope(result, scope, others)
    })
  }
})

describe('403 baa_required', () => {
  const terminateAgreement = (until: Statement) =>
    run(sql`update auth.agreements set terminated_at = ${until}
             where integration = ${fixtures.ben.integration}`)
  beforeEach(() => terminateAgreement(sql`now()`))
  afterEach(() => terminateAgreement(sql`null`))

  for (const id of liveOperations) {
    test(`${id} refuses a live key without an agreement in effect, after checking the grant`, async () => {
      const as = fixtures.ben.live
      await expectRefusal(fixtures, id, 'baa_required', { ...broken, as })
      const organization = fixtures.ben.organization
      await expectRefusal(fixtures, id, 'organization_not_granted', { ...broken, as, organization })
    })
  }
})

describe('a newer version of the agreement', () => {
  const codeOf = async () =>
    (await invoke(fixtures, 'listPatients', { as: fixtures.ben.live })).code ?? 'ok'
  const advance = (time: string) =>
    run(sql`update auth.agreements set ends_at = ends_at - ${time}::interval
             where integration = ${fixtures.ben.integration}`)

  test('a new version of the agreement must be accepted within 30 days; then live is refused', async () => {
    const supersede = () =>
      fixtures.owner.use(connection => supersedeAgreements(connection, '2027-01-01'))
    expect(await supersede()).toContain(fixtures.ben.integration)
    await advance('29 days 23 hours 50 minutes')
    expect(await codeOf()).toBe('ok')
    // A repeated call doesn't extend the period.
    expect(await supersede()).toEqual([])
    await advance('11 minutes')
    expect(await codeOf()).toBe('baa_required')
    const { status } = await invoke(fixtures, 'listPatients', { as: fixtures.ben.test })
    expect(status).toBe(200)
    await fixtures.owner.use(connection =>
      acceptAgreement(connection, fixtures.ben.integration, '2027-01-01'),
    )
    expect(await codeOf()).toBe('ok')
    expect(await supersede()).toEqual([])
    expect(await codeOf()).toBe('ok')
  })
})

describe('which organization', () => {
  const ungranted = 'org_01m7wqrwr07q7txy3ntfjc6jem'
  let pinned = ''
  // Ben's sandbox and the clinic both grant test access; the last tests revoke both.
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

  for (const id of callableIds) {
    test(`${id} requires a named organization when several grant access: 400 organization_required`, async () => {
      const { body } = await expectRefusal(fixtures, id, 'organization_required', {
        ...broken,
        as: fixtures.ben.test,
      })
      const named = body.members.organizations.map((one: { id: string }) => one.id)
      expect(named).toEqual([fixtures.ben.organization, fixtures.clinic].sort())
    })

    test(`${id} refuses an organization without a grant: 403 organization_not_granted`, async () => {
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

    test(`${id} refuses a key bound to another organization: 403 organization_not_granted`, async () => {
      const options = { ...broken, as: pinned, organization: fixtures.clinic }
      await expectRefusal(fixtures, id, 'organization_not_granted', options)
    })
  }
})

describe('every grant revoked', () => {
  for (const id of callableIds) {
    test(`${id} is refused: 403 organization_not_granted`, async () => {
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
