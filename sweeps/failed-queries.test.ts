// The log lines for failed queries.
import { afterAll, beforeAll, expect, test } from 'bun:test'
import { invoke } from '#clinical/testing/call.ts'
import { type Fixtures, openFixtures } from '#clinical/testing/fixtures.ts'
import { sql, type Statement } from '#database/sql.ts'
import { addressReader } from '#http/client-address.ts'
import { newRequestId } from '#http/http-request.ts'
import { createRouter } from '#http/router.ts'
import { callFailure, requestFailure } from '#gateway/server/failures.ts'

let fixtures: Fixtures
beforeAll(async () => {
  fixtures = await openFixtures()
})
afterAll(() => fixtures.close())

type Fields = Readonly<Record<string, unknown>>
function openLog() {
  const events: [name: string, fields: Fields][] = []
  return { events, event: (name: string, fields: Fields = {}) => void events.push([name, fields]) }
}

test('a query that fails is logged with its operation and its statement, without values', async () => {
  const log = openLog()
  const run = (statement: Statement) => fixtures.owner.use(connection => connection.run(statement))
  const context = { ...fixtures.context, onError: callFailure(log) }
  await run(sql`alter table test.patients rename to patients_away`)
  const query = { external_id: 'secret-of-ada' }
  const { status } = await invoke({ ...fixtures, context }, 'listPatients', { query })
  await run(sql`alter table test.patients_away rename to patients`)
  expect(status).toBe(500)
  const [[name, fields] = ['', {}]] = log.events
  expect([name, fields['operation'], fields['sqlstate']]).toEqual([
    'call.failed',
    'listPatients',
    '42P01',
  ])
  expect(String(fields['statement'])).toContain('from patients')
  expect(JSON.stringify(fields)).not.toContain('secret-of-ada')
})

test('a query from any other endpoint is logged with its route', async () => {
  const log = openLog()
  const { pools } = fixtures.context
  const router = createRouter({
    groups: [],
    plain: [
      {
        path: '/things/:id',
        async answer({ params }) {
          const id = params['id'] ?? ''
          await pools.test.use(connection =>
            connection.run(sql`select name from things where id = ${id}`),
          )
          return new Response()
        },
      },
    ],
    fallback: () => new Response(null, { status: 404 }),
    isAllowedHost: () => true,
    addressOf: addressReader([]),
    newRequestId,
    base: '',
    log: { request() {} },
    onError: requestFailure(log),
  })
  const request = new Request('http://localhost/things/ada-rivera')
  expect((await router(request, { requestIP: () => null })).status).toBe(500)
  expect(log.events).toMatchObject([
    [
      'request.failed',
      { route: '/things/{id}', statement: 'select name from things where id = $1' },
    ],
  ])
  expect(JSON.stringify(log.events)).not.toContain('ada-rivera')
})
