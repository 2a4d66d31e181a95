// The FHIR preview's bulk export: the protocol and its access control.
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'bun:test'
import { mintKey } from '#auth/tokens.ts'
import { bulkExportsJob } from '#clinical/fhir/bulk/job.ts'
import { queryAsOwner } from '#clinical/testing/assertions.ts'
import { rawHttp } from '#http/testing/raw-http.ts'
import { withScopes } from '#clinical/testing/with-scopes.ts'
import { fhirTypeNames } from '#contract/fhir/resource-types.ts'
import { sql } from '#database/sql.ts'
import { base, bulkClient, locationOf, type Manifest } from '../testing/bulk.ts'
import { errorsOf, nameOf, openFhir, type Resource } from '../testing/fhir.ts'

let fhir: Awaited<ReturnType<typeof openFhir>>
beforeAll(async () => {
  fhir = await openFhir()
}, 60_000)
afterEach(async () => {
  const { fixtures } = fhir.gateway
  expect(fixtures.errors).toEqual([])
  await queryAsOwner(fixtures, sql`update test.bulk_exports set status = 'deleted'`)
})
afterAll(() => fhir.gateway.close())

const { call, kickOff, manifestOf } = bulkClient(() => fhir.gateway)

async function refusal(answer: Response) {
  const body = (await answer.json()) as Resource
  expect([body.resourceType, errorsOf(body)]).toEqual(['OperationOutcome', []])
  const [issue] = body['issue']
  return [answer.status, issue.details.coding[0].code, issue.expression?.[0]]
}

/** Downloads every file, and expects each line to be a valid resource of the file's type. */
async function resourcesOf({ output }: Manifest): Promise<Resource[]> {
  const all: Resource[] = []
  for (const { type, url, count } of output) {
    const answer = await call(url)
    expect([answer.status, answer.headers.get('content-type')]).toEqual([
      200,
      'application/fhir+ndjson',
    ])
    const lines = (await answer.text()).trimEnd().split('\n')
    expect(lines).toHaveLength(count)
    for (const line of lines) {
      const resource = JSON.parse(line) as Resource
      expect([nameOf(resource), errorsOf(resource)]).toEqual([`${type}/${resource.id}`, []])
      all.push(resource)
    }
  }
  return all
}

describe('fhir: $export', () => {
  test('responds with a status until all types’ files are written, then lists them', async () => {
    const { all } = fhir
    const started = await kickOff('?_outputFormat=ndjson')
    const location = locationOf(started)
    expect([started.status, location]).toEqual([
      202,
      expect.stringMatching(/exports\/bulk-\w{26}$/),
    ])
    const running = await call(location)
    expect([running.status, running.headers.get('retry-after')]).toEqual([202, '2'])
    expect(running.headers.get('x-progress')).toBe('0 resources in 0 files')
    const manifest = await manifestOf(started)
    expect(manifest).toMatchObject({
      request: `${base}/preview/fhir/$export?_outputFormat=ndjson`,
      requiresAccessToken: true,
      error: [],
    })
    expect(new Set(manifest.output.map(({ type }) => type))).toEqual(new Set(fhirTypeNames))
    const byName = (one: Resource, other: Resource) => nameOf(one).localeCompare(nameOf(other))
    expect((await resourcesOf(manifest)).toSorted(byName)).toEqual(all.toSorted(byName))
    expect((await call(location)).headers.get('expires')).toEndWith('GMT')
    expect((await call(manifest.output[0]?.url ?? '', { as: null })).status).toBe(401)
  })

  test('accepts types, a time, and patients in a POST', async () => {
    const { patient } = fhir
    const typed = await manifestOf(await kickOff('?_type=Patient&_type=Consent,Appointment'))
    expect(typed.output.map(({ type }) => type)).toEqual(['Patient', 'Consent', 'Appointment'])
    const since = await manifestOf(
      await kickOff(`?_type=Patient,Encounter&_since=${typed.transactionTime}`),
    )
    expect(since.output).toEqual([])
    const post = (patient: string, query = '') =>
      call(`/preview/fhir/Patient/$export${query}`, {
        method: 'POST',
        headers: { 'content-type': 'application/fhir+json' },
        body: JSON.stringify({
          resourceType: 'Parameters',
          parameter: [
            { name: '_type', valueString: 'Patient' },
            { name: 'patient', valueReference: { reference: `Patient/${patient}` } },
          ],
        }),
      })
    const posted = await manifestOf(await post(patient))
    expect((await resourcesOf(posted)).map(nameOf)).toEqual([`Patient/${patient}`])
    expect(posted.request).toBe(`${base}/preview/fhir/Patient/$export`)
    const query = `?_type=Consent&_since=${typed.transactionTime}`
    const both = await manifestOf(await post(patient, query))
    expect(both.output).toEqual([])
    expect(both.request).toBe(`${base}/preview/fhir/Patient/$export?${new URLSearchParams(query)}`)
    const unknown = await post('pat-01m7wqrwr07q7txy3ntfjc6jem')
    expect(await refusal(unknown)).toEqual([400, 'invalid_request', '#/patient'])
  })

  test.each([
    ['?_type=Observation', 400, 'http._type'],
    ['?_typeFilter=Patient%3Factive%3Dtrue', 400, 'http._typeFilter'],
    ['?patient=pat-01m7wqrwr07q7txy3ntfjc6jem', 400, 'http.patient'],
    ['?_since=yesterday', 400, 'http._since'],
    ['?_outputFormat=csv', 400, 'http._outputFormat'],
  ])('refuses %s', async (query, status, expression) => {
    expect(await refusal(await kickOff(query))).toEqual([status, 'invalid_request', expression])
  })

  const malformed = [
    '[]',
    '{}',
    '{"resourceType":"Parameters","parameter":{}}',
    '{"resourceType":"Parameters","parameter":[null]}',
    '{"resourceType":"Parameters","parameter":["_type"]}',
    '{"resourceType":"Parameters","parameter":[{}]}',
    '{"resourceType":"Parameters","parameter":[{"name":{"toString":1,"valueOf":1}}]}',
    '{"resourceType":"Parameters","parameter":[{"name":"_type"}]}',
    '{"resourceType":"Parameters","parameter":[{"name":"_type","valueString":{"toString":1,"valueOf":1}}]}',
    '{"resourceType":"Parameters","parameter":[{"name":"patient","valueReference":null}]}',
  ]
  test.each(malformed)('refuses the body %s, but an unknown key first', async body => {
    const init = { method: 'POST', headers: { 'content-type': 'application/fhir+json' }, body }
    const answer = await call('/preview/fhir/Patient/$export', init)
    expect((await refusal(answer)).slice(0, 2)).toEqual([400, 'invalid_request'])
    const as = mintKey('test', new Uint8Array(32))
    expect((await call('/preview/fhir/Patient/$export', { ...init, as })).status).toBe(401)
  })

  test('a POST with an empty body exports what its query requests', async () => {
    const { port, fixtures } = fhir.gateway
    const { status, headers } = await rawHttp(port)(
      'POST /preview/fhir/$export?_type=Patient&_type=Consent',
      { authorization: `Bearer ${fixtures.ada.test}`, 'transfer-encoding': 'chunked' },
      '0\r\n\r\n',
    )
    const started = new Response(null, { status, headers: [...headers] })
    const { output } = await manifestOf(started)
    expect(output.map(({ type }) => type)).toEqual(['Patient', 'Consent'])
  })

  test('handling=lenient ignores unsupported parameters, but not an invalid patient', async () => {
    const headers = { prefer: 'respond-async, handling=lenient' }
    const lenient = await kickOff('?_type=Observation,Consent&_typeFilter=x', { headers })
    expect((await manifestOf(lenient)).output.map(({ type }) => type)).toEqual(['Consent'])
    expect((await kickOff('?patient=x', { headers })).status).toBe(400)
    expect((await kickOff('', { method: 'HEAD' })).status).toBe(405)
  })

  test('one export runs at a time, and DELETE ends it and removes its files', async () => {
    const { fixtures } = fhir.gateway
    const started = await kickOff()
    const second = await kickOff()
    expect(second.headers.get('retry-after')).toBe('10')
    expect(await refusal(second)).toEqual([429, 'rate_limited', undefined])
    const { output } = await manifestOf(started)
    const gone = await call(locationOf(started), { method: 'DELETE' })
    expect(gone.status).toBe(202)
    for (const url of [locationOf(started), output[0]?.url ?? ''])
      expect((await call(url)).status).toBe(404)
    const [row] = await queryAsOwner<{ count: number }>(
      fixtures,
      sql`select count(*)::int from test.discarded_objects where key like 'test/x/%'`,
    )
    expect(row?.count).toBe(output.length)
  })

  test('files expire, and an hour later their bytes are removed', async () => {
    const { fixtures } = fhir.gateway
    const started = await kickOff('?_type=Patient')
    const { output } = await manifestOf(started)
    const count = async () =>
      (await queryAsOwner(fixtures, sql`select from test.bulk_files where object is not null`))
        .length
    const before = await count()
    await queryAsOwner(
      fixtures,
      sql`update test.bulk_exports set expires_at = now() - interval '2 hours'
           where id = ${locationOf(started).split('/').at(-1)?.replace('-', '_') ?? ''}`,
    )
    for (const url of [locationOf(started), output[0]?.url ?? ''])
      expect((await call(url)).status).toBe(404)
    await bulkExportsJob(fixtures.context).run(
      fixtures.workerContext as never,
      ['test'],
      () => null,
    )
    expect(await count()).toBe(before - output.length)
  })
})

describe('fhir: who may export', () => {
  test('a key exports only the types that its scopes cover', async () => {
    const { fixtures } = fhir.gateway
    const as = <T>(scopes: readonly string[], work: () => Promise<T>) =>
      withScopes(fixtures, fixtures.ada.integration, scopes, work)
    const whole = await manifestOf(await kickOff())
    await as(['visits:read'], async () => {
      const { output } = await manifestOf(await kickOff())
      expect(output.map(({ type }) => type)).toEqual(['Appointment'])
      for (const answer of [
        await kickOff('?_type=Patient'),
        await call(whole.output[0]?.url ?? ''),
      ])
        expect(await refusal(answer)).toEqual([403, 'insufficient_scope', undefined])
    })
    await as(['webhooks:manage'], async () =>
      expect(await refusal(await kickOff())).toEqual([403, 'insufficient_scope', undefined]),
    )
  })

  test('another integration and the other mode see none of the export', async () => {
    const { ada, ben } = fhir.gateway.fixtures
    const started = await kickOff()
    const { output } = await manifestOf(started)
    for (const as of [ben.test, ada.live])
      for (const [url, method] of [
        [locationOf(started), 'GET'],
        [locationOf(started), 'DELETE'],
        [output[0]?.url ?? '', 'GET'],
      ] as const)
        expect((await call(url, { as, method })).status).toBe(404)
    const own = await manifestOf(await kickOff('', { as: ben.test }), ben.test)
    expect(own.output).toEqual([])
  })
})
