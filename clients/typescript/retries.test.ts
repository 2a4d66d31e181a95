// What the library does when an answer does not come: against the API, behind a proxy that fails.
import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { until } from '#http/testing/until.ts'
import { openTestGateway } from '#gateway/testing/gateway.ts'
import { rivera } from '#clinical/testing/call.ts'
import { sdk } from './testing/package.ts'
import { type Fault, openProxy } from './testing/proxy.ts'

let gateway: Awaited<ReturnType<typeof openTestGateway>>
let upstream: string
beforeAll(async () => {
  gateway = await openTestGateway()
  upstream = `http://localhost:${gateway.port}`
})
afterAll(async () => {
  await gateway.close()
})

const clientOf = (baseUrl: string, options: object = {}) =>
  new sdk.Svc({ apiKey: gateway.fixtures.ada.test, baseUrl, ...options })

/** Creates a patient through these faults, and counts what the API has of it afterwards. */
async function createThrough(faults: Fault[], options: object = {}) {
  const proxy = await openProxy(upstream, ...faults)
  const external_id = crypto.randomUUID()
  const outcome = await clientOf(proxy.url, options)
    .patients.create({ ...rivera, external_id })
    .withResponse()
    .catch((error: unknown) => error as InstanceType<typeof sdk.APIError>)
  const direct = clientOf(upstream)
  const rows = await direct.patients.list({ external_id }).toArray({ max: 10 })
  const events = (
    await direct.events.list({ type: 'patient.created.v1' }).toArray({ max: 1000 })
  ).filter(({ resource }) => rows.some(({ id }) => id === resource.id))
  await proxy.close()
  expect(proxy.failures).toEqual([])
  const keys = new Set(proxy.seen.flatMap(({ key }) => key ?? []))
  return {
    outcome,
    rows: rows.length,
    events: events.length,
    keys: keys.size,
    seen: proxy.seen.length,
  }
}

describe('retries: one row and one event, with one key', () => {
  const cuts: [name: string, faults: Fault[], attempts: number, replayed: boolean][] = [
    ['nothing fails', [], 1, false],
    ['cut before the request is sent', ['cut before'], 2, false],
    ['cut after it is sent', ['cut after send'], 2, false],
    ['cut after the commit', ['cut after commit'], 2, true],
    ['cut in the body of the answer', ['cut in body'], 2, true],
    ['cut twice', ['cut after commit', 'cut in body'], 3, true],
    ['an answer later than the timeout', ['late'], 2, true],
    ['one request becomes two', ['twice'], 1, false],
  ]
  test.concurrent.each(cuts)('%s', async (_, faults, attempts, replayed) => {
    // Only where it is needed: a busy machine may take a second for an answer.
    const options = faults.includes('late') ? { timeout: 2500 } : {}
    const { outcome, ...counts } = await createThrough(faults, options)
    if (outcome instanceof Error) throw outcome
    expect(counts).toMatchObject({ rows: 1, events: 1, keys: 1 })
    // Of two that arrive at once either may be first, and the other one is to come again.
    if (faults[0] !== 'twice') {
      expect([counts.seen, outcome.attempts, outcome.replayed]).toEqual([
        attempts,
        attempts,
        replayed,
      ])
    }
    expect(outcome.idempotencyKey).toMatch(/^svcsdk_[0-9a-f-]{36}$/)
  })
  test.concurrent.each([408, 429, 500, 502, 503, 504])('%i: tried again', async status => {
    const { outcome, ...counts } = await createThrough([{ status }])
    if (outcome instanceof Error) throw outcome
    expect(counts).toEqual({ rows: 1, events: 1, keys: 1, seen: 2 })
  })
  test.concurrent('409 idempotency_in_progress: tried again, when Retry-After says', async () => {
    const code = 'idempotency_in_progress'
    const started = performance.now()
    const { outcome, ...counts } = await createThrough([
      { status: 409, code, headers: { 'retry-after': '1' } },
    ])
    if (outcome instanceof Error) throw outcome
    expect(counts).toEqual({ rows: 1, events: 1, keys: 1, seen: 2 })
    expect(performance.now() - started).toBeGreaterThan(1000)
  })
})

describe('retries: none where another attempt would not help', () => {
  const refused: [status: number, code: string | undefined][] = [
    [400, 'invalid_request'],
    [401, 'unauthorized'],
    [403, 'insufficient_scope'],
    [404, 'not_found'],
    [405, 'method_not_allowed'],
    [409, 'invalid_transition'],
    [409, 'export_not_ready'],
    [410, 'gone'],
    [413, 'payload_too_large'],
    [415, 'unsupported_media_type'],
    [422, 'idempotency_key_reused'],
    [501, 'live_not_available'],
    [301, undefined],
    [418, undefined],
  ]
  test.concurrent.each(refused)('%i %s', async (status, code) => {
    const fault = { status, headers: { 'retry-after': '1' }, ...(code ? { code } : {}) }
    const { outcome, ...counts } = await createThrough([fault])
    expect(outcome).toBeInstanceOf(sdk.APIError)
    expect(outcome).toMatchObject({ status, code: code ?? 'unknown', attempts: 1 })
    expect(counts).toMatchObject({ rows: 0, events: 0, seen: 1 })
  })
  test.concurrent('a Retry-After of more than a minute is in the error', async () => {
    const fault = { status: 503, code: 'service_unavailable', headers: { 'retry-after': '61' } }
    const { outcome, seen } = await createThrough([fault])
    expect(outcome).toBeInstanceOf(sdk.ServiceUnavailableError)
    expect([outcome instanceof sdk.APIError && outcome.retryAfter, seen]).toEqual([61, 1])
  })
  test.concurrent('maxRetries: 0 tries once, and the error has the key to try again', async () => {
    const { outcome, seen, rows } = await createThrough(['cut after commit'], { maxRetries: 0 })
    expect(outcome).toBeInstanceOf(sdk.ConnectionError)
    expect(outcome).toMatchObject({
      attempts: 1,
      idempotencyKey: expect.stringMatching(/^svcsdk_/),
    })
    expect([seen, rows]).toEqual([1, 1])
  })
  test.concurrent('after the last attempt the error says so', async () => {
    const { outcome, seen } = await createThrough(['cut before', 'cut before', 'cut before'])
    expect(outcome).toBeInstanceOf(sdk.ConnectionError)
    expect([(outcome as Error).message, seen]).toEqual([
      expect.stringContaining('POST /v1/patients, 3 attempts'),
      3,
    ])
  })
})

describe('calls: what the caller chooses', () => {
  test('a signal ends a call between two attempts, with its own reason', async () => {
    const proxy = await openProxy(upstream, { status: 503, headers: { 'retry-after': '30' } })
    const controller = new AbortController()
    const call = clientOf(proxy.url).organization.get({ signal: controller.signal })
    void until(() => proxy.seen.length > 0).then(() => controller.abort(new Error('the user left')))
    await expect(call.then(String)).rejects.toThrow('the user left')
    await proxy.close()
  })
  test('a key of your own replays the first answer, and is refused for another body', async () => {
    const svc = clientOf(upstream)
    const options = { idempotencyKey: crypto.randomUUID() }
    const first = await svc.patients.create(rivera, options).withResponse()
    const second = await svc.patients.create(rivera, options).withResponse()
    expect([second.data, second.replayed, second.idempotencyKey]).toEqual([
      first.data,
      true,
      options.idempotencyKey,
    ])
    const other = svc.patients.create({ ...rivera, first_name: 'Bea' }, options).then(String)
    await expect(other).rejects.toBeInstanceOf(sdk.IdempotencyKeyReusedError)
  })
  test('an id is required, so that no item becomes a list', async () => {
    const svc = clientOf(upstream)
    await expect(svc.patients.get('').then(String)).rejects.toThrow('needs an id for {id}')
    const missing = undefined as unknown as string
    await expect(svc.patients.delete(missing).then(String)).rejects.toThrow('needs an id')
  })
})
