// The clinical tool server's errors as results and as statuses, its retries and pages, and the URL
// parameters that narrow the list.
import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { rivera } from '#contract/examples.ts'
import { queryAsOwner, tableContents } from '#clinical/testing/assertions.ts'
import { invoke, invokeOk, queuedCase } from '#clinical/testing/call.ts'
import { sql } from '#database/sql.ts'
import { type ClinicalTools, openClinicalTools, problemIn } from '../testing/clinical-tools.ts'

let server: ClinicalTools
beforeAll(async () => {
  server = await openClinicalTools()
})
afterAll(() => server.close())

const someOf = (prefix: string) => `${prefix}_${'0'.repeat(26)}`
const someId = someOf('case')

describe('tool server: refusals as results', () => {
  test('arguments: every error is reported in one response, with a pointer', async () => {
    const given = { id: 'pat_x', first_name: 5, zip: '1', idempotency_key: 'faults' }
    const problem = problemIn(await server.call('update_patient', given))
    expect(problem).toMatchObject({ code: 'invalid_request', status: 400 })
    expect(problem.errors).toEqual([
      {
        pointer: '#/id',
        code: 'invalid_format',
        message: 'id must be pat_ followed by 26 lowercase letters and digits.',
      },
      { pointer: '#/first_name', code: 'wrong_type', message: 'first_name must be a string.' },
      expect.objectContaining({ pointer: '#/zip', code: 'unknown_field' }),
    ])
    const list = problemIn(await server.call('list_cases', { limit: 'many', other: {} }))
    expect(list.errors.map(({ pointer }: { pointer: string }) => pointer)).toEqual([
      '#/limit',
      '#/other',
    ])
    const slashed = problemIn(await server.call('get_case', { id: someId, 'a/b ~': 1 }))
    expect(slashed.errors).toMatchObject([{ pointer: '#/a~1b%20~0', code: 'unknown_field' }])
    const inherited = JSON.parse('{"__proto__":{"first_name":"Grace"},"idempotency_key":"p"}')
    const unknown = problemIn(
      await server.call('update_patient', { ...inherited, id: someOf('pat') }),
    )
    expect(unknown.errors).toMatchObject([{ pointer: '#/__proto__', code: 'unknown_field' }])
    const wrong = problemIn(await server.call('get_case', { id: `pat_${'0'.repeat(26)}` }))
    expect(wrong.errors).toMatchObject([{ pointer: '#/id', code: 'invalid_format' }])
  })

  test('the problem is the same as in REST, except for its request ID', async () => {
    const { fixtures } = server
    const { id } = await queuedCase(fixtures)
    const result = await server.call('release_case', { id, idempotency_key: 'release' })
    const problem = problemIn(result)
    const rest = await invoke(fixtures, 'releaseCase', { id, key: 'release-2' })
    expect(rest.code).toBe('invalid_transition')
    expect(problem).toMatchObject({
      code: 'invalid_transition',
      request_id: result._meta?.['svc/request_id'],
      detail: rest.body.detail,
      ...rest.body.members,
    })
    const missing = problemIn(await server.call('get_case', { id: someId }))
    expect(missing).toMatchObject({ code: 'not_found', status: 404 })
  })

  test('a missing key, and one used for other arguments', async () => {
    const none = problemIn(await server.call('create_patient', rivera))
    expect(none).toMatchObject({ code: 'idempotency_key_required' })
    expect(none.errors).toMatchObject([{ pointer: '#/idempotency_key' }])
    const given = { ...rivera, idempotency_key: 'one-intent' }
    const count = async () => {
      const rows = await queryAsOwner<{ all: number }>(
        server.fixtures,
        sql`select (select count(*) from test.patients) + (select count(*) from test.events) as all`,
      )
      return Number(rows[0]?.all)
    }
    const before = await count()
    const first = await server.call('create_patient', given)
    expect(await count()).toBe(before + 2)
    const again = await server.call('create_patient', given)
    expect(again.content).toEqual(first.content)
    expect(again._meta).toMatchObject({
      'svc/original_request_id': first._meta?.['svc/request_id'],
    })
    const other = await server.call('create_patient', { ...given, first_name: 'Grace' })
    expect(problemIn(other)).toMatchObject({ code: 'idempotency_key_reused', status: 422 })
    expect(await count()).toBe(before + 2)
  })

  test("an unknown tool is an error that lists the credential's tools", async () => {
    const as = await server.keyWith(['visits:read'])
    const params = { name: 'create_webhook_endpoint', arguments: {} }
    const { status, body } = await server.ask('tools/call', params, { as })
    expect([status, body.error.code]).toEqual([200, -32_602])
    expect(body.error.message).toBe('Unknown tool: create_webhook_endpoint')
    expect(body.error.data.hint).toBe('Tools: list_slots, get_visit, get_join_link, docs_search.')
  })

  test('a page that has a next page says how to continue', async () => {
    for (const name of ['a', 'b', 'c']) {
      await server.call('create_patient', {
        ...rivera,
        external_id: 'paged',
        idempotency_key: name,
      })
    }
    const page = await server.call('list_patients', { limit: 2, external_id: 'paged' })
    const { data } = page.structuredContent as { data: { id: string }[] }
    const ids = data.map(({ id }) => id)
    expect(page.content[1]?.text).toBe(`More: call again with starting_after "${ids[1]}".`)
    const rest = { limit: 2, external_id: 'paged', starting_after: ids[1] }
    expect((await server.call('list_patients', rest)).content).toHaveLength(1)
    const catalog = await server.call('list_medications', { limit: 2 })
    const held = catalog.structuredContent as { data: { medication_id: string }[] }
    const last = held.data[1]?.medication_id
    expect(catalog.content[1]?.text).toBe(`More: call again with starting_after "${last}".`)
  })
})

describe('tool server: 405, 400 and 429', () => {
  test('only POST is accepted', async () => {
    for (const method of ['GET', 'HEAD', 'DELETE', 'PUT']) {
      const { status, headers } = await fetch(server.url, { method })
      expect([method, status, headers.get('allow')]).toEqual([method, 405, 'OPTIONS, POST'])
    }
    const elsewhere = await fetch(new URL('/', server.url), { method: 'POST', body: '{}' })
    expect([elsewhere.status, await elsewhere.json()]).toEqual([
      404,
      expect.objectContaining({ hint: `The tool server is at ${server.url}.` }),
    ])
  })

  test('tools and read_only narrow the list, and nothing else can be called', async () => {
    const cases = await server.names({ query: '?tools=cases,orders' })
    expect(cases).toContain('list_orders')
    expect(cases).not.toContain('list_patients')
    expect(cases.at(-1)).toBe('docs_search')
    const reads = await server.names({ query: '?read_only=1' })
    expect(reads).toHaveLength(20)
    expect(await server.names({ query: '?read_only=true' })).toEqual(reads)
    expect(await server.names({ query: '?read_only=0' })).toHaveLength(46)
    expect(await server.names({ query: '?tools=Orders,%20visits&read_only=1' })).toEqual([
      'list_orders',
      'get_order',
      'list_slots',
      'get_visit',
      'get_join_link',
      'docs_search',
    ])
    const given = { name: 'create_patient', arguments: { ...rivera, idempotency_key: 'narrow' } }
    const before = await tableContents(server.fixtures)
    const { body } = await server.ask('tools/call', given, { query: '?read_only=1' })
    expect(body.error.code).toBe(-32_602)
    expect(await tableContents(server.fixtures)).toEqual(before)
    for (const query of ['?tools=case', '?tools=', '?read_only=yes']) {
      const refused = await server.ask('initialize', {}, { query })
      expect([query, refused.status]).toEqual([query, 400])
      expect(refused.body.error.data.errors[0].pointer).toBe(query.split('=')[0])
    }
    // If a misspelled name were ignored, a read-only client could write.
    const must = 'must not be present: this URL does not accept it.'
    for (const [query, pointer, message] of [
      ['?readonly=1', '?readonly', `readonly ${must} Did you mean read_only?`],
      ['?tools=cases&tool=orders', '?tool', `tool ${must} Did you mean tools?`],
      [`?${server.fixtures.ada.test}`, '?', `This parameter ${must}`],
    ] as const) {
      const { status, body: refused } = await server.ask('tools/list', {}, { query })
      expect([status, refused.error.data.errors]).toEqual([
        400,
        [{ pointer, code: 'unknown_field', message }],
      ])
    }
    const { body: unknown } = await server.ask('ping', {}, { query: '?tools=case' })
    expect(unknown.error.data.hint).toStartWith('Groups: organization, patients, cases, messages,')
  })

  test('429 with Retry-After; both surfaces’ calls are counted together', async () => {
    const limited = await openClinicalTools({ rateLimit: 3 })
    await limited.call('get_organization')
    await invokeOk(limited.fixtures, 'getOrganization')
    await limited.ask('tools/list')
    const { status, headers, body } = await limited.ask('tools/call', { name: 'get_organization' })
    expect([status, body.error.data.code]).toEqual([429, 'rate_limited'])
    expect(Number(headers.get('retry-after'))).toBeGreaterThan(0)
    expect(headers.get('ratelimit-remaining')).toBe('0')
    await limited.close()
  })
})
