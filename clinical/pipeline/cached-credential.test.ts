// A caller who came before: one statement answers it, and that statement is also who finds out that
// the caller is not what it was.

import { expect, test } from 'bun:test'
import { grant, issueKey, openIntegration, openOrganization } from '#auth/integrations.ts'
import { sql } from '#database/sql.ts'
import { invoke, type CallOptions, invokeOk, rivera } from '../testing/call.ts'
import { type Fixtures, useFixtures } from '../testing/fixtures.ts'
import { openLimiter } from '#http/rate-limiter.ts'
import { tableContents, queryAsOwner } from '../testing/assertions.ts'

const fixtures = useFixtures({ poolSize: 1 })

const pepper = 'a pepper for tests'

/** An integration of its own with a sandbox, and a key of it. */
async function openBrand(name: string) {
  const { integration, organization } = await fixtures.owner.use(connection =>
    openIntegration(connection, name),
  )
  const asked = { integration, mode: 'test', name } as const
  const { key, id } = await fixtures.owner.use(connection => issueKey(connection, pepper, asked))
  const create = () => invoke(fixtures, 'createPatient', { as: key, body: rivera })
  const patient = String((await create()).body.id)
  return { integration, organization, as: key, key: id, patient, create }
}
type Brand = Awaited<ReturnType<typeof openBrand>>

const tripsOf = async (work: () => Promise<unknown>) => {
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

test('is answered by one statement, and by two where there are facts to decide on', async () => {
  const { as, patient, create } = await openBrand('Few trips')
  const read = () => invokeOk(fixtures, 'getPatient', { as, id: patient })
  expect(await tripsOf(read)).toBe(1)
  expect(await tripsOf(create)).toBe(1)
  expect(await tripsOf(() => invoke(fixtures, 'getPatient', { as, id: 'pat_0' }))).toBe(1)
  expect(await tripsOf(() => invoke(fixtures, 'getPatient', { as, version: 'never' }))).toBe(1)
  const update = { as, id: patient, body: { first_name: 'Adele' } }
  expect(await tripsOf(() => invokeOk(fixtures, 'updatePatient', update))).toBe(2)
})

/** What an owner does to a brand, and what its next call is answered from then on. */
const changes: [string, string, (brand: Brand) => Promise<unknown>][] = [
  [
    'whose key was revoked',
    'unauthorized',
    ({ key }) =>
      queryAsOwner(fixtures, sql`update auth.keys set revoked_at = now() where id = ${key}`),
  ],
  [
    'whose key is over',
    'unauthorized',
    ({ key }) =>
      queryAsOwner(
        fixtures,
        sql`update auth.keys set expires_at = now() - interval '1 second' where id = ${key}`,
      ),
  ],
  [
    'that was suspended',
    'unauthorized',
    ({ integration }) =>
      queryAsOwner(
        fixtures,
        sql`update auth.integrations set suspended_at = now() where id = ${integration}`,
      ),
  ],
  [
    'whose key may do less',
    'insufficient_scope',
    ({ key }) =>
      queryAsOwner(
        fixtures,
        sql`update auth.keys set scopes = '{consents:read}' where id = ${key}`,
      ),
  ],
  [
    'whose clinic took its grant back',
    'organization_not_granted',
    ({ integration }) =>
      queryAsOwner(
        fixtures,
        sql`update auth.grants set status = 'revoked' where integration = ${integration}`,
      ),
  ],
  [
    'who has a second clinic now',
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
  '%s is refused at its next call: nothing is read, written or said',
  async (_which, code, change) => {
    const brand = await openBrand('Changed')
    const { as, patient: id } = brand
    await invokeOk(fixtures, 'getPatient', { as, id })
    await change(brand)
    const calls: [Parameters<typeof invoke>[1], CallOptions][] = [
      ['getPatient', { as, id }],
      ['listPatients', { as }],
      ['listMedications', { as }],
      ['createPatient', { as, body: rivera }],
      ['updatePatient', { as, id, body: { first_name: 'Adele' } }],
      // Wrong in itself as well: who may not ask does not learn it.
      ['createPatient', { as, body: { unheard: 'of' } }],
    ]
    const before = await tableContents(fixtures)
    for (const [at, [operation, asked]] of calls.entries()) {
      const request = `req_${brand.integration.slice(4, 28)}${String(at).padStart(2, '0')}`
      const replied = await invoke(fixtures, operation, { ...asked, request })
      if (operation === 'listMedications' && code === 'insufficient_scope') continue
      expect([operation, replied.code]).toEqual([operation, code as typeof replied.code])
      await fixtures.context.auditWriter.flush()
      const [row, ...more] = await auditOf(request)
      expect([row, more]).toMatchObject([{ outcome: 'refused', code }, []])
    }
    expect(await tableContents(fixtures)).toEqual(before)
  },
)

test('has its own tenant in turn with others on one connection, and never theirs', async () => {
  const [ada, ben] = [await openBrand('Ada'), await openBrand('Ben')]
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
  const turns = [ada, ben, ada, ben].map(one => one.create())
  expect((await Promise.all(turns)).map(each => each.status)).toEqual([201, 201, 201, 201])
})

test('whose quota is used up is told so, and not let through when something changed', async () => {
  const limiter = openLimiter(2)
  const tight: Fixtures = { ...fixtures, context: { ...fixtures.context, limiter } }
  const brand = await openBrand('Used up')
  const call = () => invoke(tight, 'getPatient', { as: brand.as, id: brand.patient })
  expect([(await call()).status, (await call()).status]).toEqual([200, 200])
  expect((await call()).code).toBe('rate_limited')
  await queryAsOwner(
    fixtures,
    sql`update auth.keys set scopes = '{patients:read}' where id = ${brand.key}`,
  )
  expect((await call()).code).toBe('rate_limited')
  expect((await call()).code).toBe('rate_limited')
  await queryAsOwner(fixtures, sql`update auth.keys set revoked_at = now() where id = ${brand.key}`)
  const late = await call()
  expect([late.code, late.headers['ratelimit']]).toEqual(['unauthorized', undefined])
})
