// Cached credentials: a call's first statement both produces the response and verifies that the
// credential is still valid.

import { expect, test } from 'bun:test'
import { grant, issueKey, openIntegration, openOrganization } from '#auth/integrations.ts'
import { issueToken } from '#auth/testing/tokens.ts'
import { sql } from '#database/sql.ts'
import { newRequestId } from '#http/http-request.ts'
import { invoke, type CallOptions, invokeOk, rivera } from '../testing/call.ts'
import { type Fixtures, useFixtures } from '../testing/fixtures.ts'
import { until } from '#http/testing/until.ts'
import { createRateLimits } from './rate-limits.ts'
import { tableContents, queryAsOwner } from '../testing/assertions.ts'

const fixtures = useFixtures({ poolSize: 1 })

const pepper = 'a pepper for tests'

/** Creates an integration with a sandbox, a key and a patient. */
async function newIntegration(name: string) {
  const { integration, organization } = await fixtures.owner.use(connection =>
    openIntegration(connection, name),
  )
  const keyOptions = { integration, mode: 'test', name } as const
  const { key, id } = await fixtures.owner.use(connection =>
    issueKey(connection, pepper, keyOptions),
  )
  const create = () => invoke(fixtures, 'createPatient', { as: key, body: rivera })
  const patient = String((await create()).body.id)
  return { integration, organization, as: key, key: id, patient, create }
}
type TestIntegration = Awaited<ReturnType<typeof newIntegration>>

const roundTripsOf = async (work: () => Promise<unknown>) => {
  const before = fixtures.context.pools.test.roundTrips()
  await work()
  return fixtures.context.pools.test.roundTrips() - before
}

const auditOf = (request: string) =>
  queryAsOwner(
    fixtures,
    sql`select outcome, status, code, actor, organization from audit.entries
         where request = ${request}`,
  )

test('cached credential: a call takes one statement, and two if it selects facts first', async () => {
  const { as, patient, create } = await newIntegration('Round trips')
  const read = () => invokeOk(fixtures, 'getPatient', { as, id: patient })
  expect(await roundTripsOf(read)).toBe(1)
  expect(await roundTripsOf(create)).toBe(1)
  expect(await roundTripsOf(() => invoke(fixtures, 'getPatient', { as, id: 'pat_0' }))).toBe(1)
  expect(await roundTripsOf(() => invoke(fixtures, 'getPatient', { as, version: 'never' }))).toBe(1)
  const update = { as, id: patient, body: { first_name: 'Adele' } }
  expect(await roundTripsOf(() => invokeOk(fixtures, 'updatePatient', update))).toBe(2)
})

/** Changes that end or reduce a credential's permissions, and the next refusal's code. */
const changes: [string, string, (caller: TestIntegration) => Promise<unknown>][] = [
  [
    'a revoked key',
    'unauthorized',
    ({ key }) =>
      queryAsOwner(fixtures, sql`update auth.credentials set revoked_at = now() where id = ${key}`),
  ],
  [
    'an expired key',
    'unauthorized',
    ({ key }) =>
      queryAsOwner(
        fixtures,
        sql`update auth.credentials set expires_at = now() - interval '1 second' where id = ${key}`,
      ),
  ],
  [
    'a suspended integration',
    'unauthorized',
    ({ integration }) =>
      queryAsOwner(
        fixtures,
        sql`update auth.integrations set suspended_at = now() where id = ${integration}`,
      ),
  ],
  [
    'a key with fewer scopes',
    'insufficient_scope',
    ({ key }) =>
      queryAsOwner(
        fixtures,
        sql`update auth.credentials set scopes = '{consents:read}' where id = ${key}`,
      ),
  ],
  [
    'a revoked grant',
    'organization_not_granted',
    ({ integration }) =>
      queryAsOwner(
        fixtures,
        sql`update auth.grants set status = 'revoked' where integration = ${integration}`,
      ),
  ],
  [
    'a grant of a second organization',
    'organization_required',
    async ({ integration }) => {
      const slug = `clinic-${crypto.randomUUID()}`
      const organization = await fixtures.owner.use(connection =>
        openOrganization(connection, 'Second', slug),
      )
      const wanted = { integration, organization, mode: 'test' } as const
      await fixtures.owner.use(connection => grant(connection, wanted))
    },
  ],
]

test.each(changes)(
  'cached credential: %s refuses the next call, which reads, writes and discloses nothing',
  async (_name, code, change) => {
    const caller = await newIntegration('Changed')
    const { as, patient: id } = caller
    await invokeOk(fixtures, 'getPatient', { as, id })
    await change(caller)
    const calls: [Parameters<typeof invoke>[1], CallOptions][] = [
      ['getPatient', { as, id }],
      ['listPatients', { as }],
      ['listMedications', { as }],
      ['createPatient', { as, body: rivera }],
      ['updatePatient', { as, id, body: { first_name: 'Adele' } }],
      // The body is also invalid, which an unauthorized caller must not find out.
      ['createPatient', { as, body: { unheard: 'of' } }],
    ]
    const before = await tableContents(fixtures)
    for (const [operation, options] of calls) {
      const request = newRequestId()
      const answer = await invoke(fixtures, operation, { ...options, request })
      if (operation === 'listMedications' && code === 'insufficient_scope') continue
      expect([operation, answer.code]).toEqual([operation, code as typeof answer.code])
      await fixtures.context.auditWriter.flush()
      const [row, ...more] = await auditOf(request)
      expect([row, more]).toMatchObject([{ outcome: 'refused', code }, []])
    }
    expect(await tableContents(fixtures)).toEqual(before)
  },
)

test('cached credential: callers that share a connection each see only their own tenant', async () => {
  const [ada, ben] = [await newIntegration('Ada'), await newIntegration('Ben')]
  for (const [one, other] of [
    [ada, ben],
    [ben, ada],
    [ada, ben],
  ] as const) {
    const { as } = one
    expect((await invokeOk(fixtures, 'getPatient', { as, id: one.patient })).id).toBe(one.patient)
    expect((await invoke(fixtures, 'getPatient', { as, id: other.patient })).code).toBe('not_found')
    const { data } = await invokeOk(fixtures, 'listPatients', { as })
    expect(data.map((each: { id: string }) => each.id)).toEqual([one.patient])
  }
  const calls = [ada, ben, ada, ben].map(one => one.create())
  expect((await Promise.all(calls)).map(each => each.status)).toEqual([201, 201, 201, 201])
})

test('cached credential: a call whose credential changed is repeated, and counts once', async () => {
  const limiter = createRateLimits(3)
  const tight: Fixtures = { ...fixtures, context: { ...fixtures.context, limiter } }
  const caller = await newIntegration('Counted')
  const call = async () => {
    const { code, status } = await invoke(tight, 'getPatient', {
      as: caller.as,
      id: caller.patient,
    })
    return code ?? status
  }
  expect(await call()).toBe(200)
  await queryAsOwner(
    fixtures,
    sql`update auth.credentials set scopes = '{patients:read}' where id = ${caller.key}`,
  )
  expect([await call(), await call(), await call()]).toEqual([200, 200, 'rate_limited'])
})

test('cached credential: a call over quota is refused as rate_limited until the key is revoked', async () => {
  const limiter = createRateLimits(2)
  const tight: Fixtures = { ...fixtures, context: { ...fixtures.context, limiter } }
  const caller = await newIntegration('Used up')
  const call = () => invoke(tight, 'getPatient', { as: caller.as, id: caller.patient })
  expect([(await call()).status, (await call()).status]).toEqual([200, 200])
  expect((await call()).code).toBe('rate_limited')
  await queryAsOwner(
    fixtures,
    sql`update auth.credentials set scopes = '{patients:read}' where id = ${caller.key}`,
  )
  expect((await call()).code).toBe('rate_limited')
  expect((await call()).code).toBe('rate_limited')
  await queryAsOwner(
    fixtures,
    sql`update auth.credentials set revoked_at = now() where id = ${caller.key}`,
  )
  const late = await call()
  expect([late.code, late.headers['ratelimit']]).toEqual(['unauthorized', undefined])
})

test('cached credential: a token is refused as soon as its family expires', async () => {
  const { integration } = await newIntegration('Ending')
  const issued = await fixtures.owner.use(connection =>
    issueToken(connection, pepper, { integration, kind: 'agent' }),
  )
  const call = async () => (await invoke(fixtures, 'listPatients', { as: issued.token })).status
  await queryAsOwner(
    fixtures,
    sql`update auth.token_families set ends_at = clock_timestamp() + interval '1 second'
         where id = ${issued.family}`,
  )
  // The second call uses the cache.
  expect([await call(), await call()]).toEqual([200, 200])
  await until(async () => (await call()) === 401)
})
