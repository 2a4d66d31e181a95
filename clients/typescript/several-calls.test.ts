// The packed library's methods that make several requests: uploads, polling, waiting, and both
// consents.
import { afterAll, beforeAll, expect, test } from 'bun:test'
import { openTestGateway } from '#gateway/testing/gateway.ts'
import { completePending } from '#clinical/testing/exports.ts'
import { until } from '#http/testing/until.ts'
import { queuedCase, rivera } from '#clinical/testing/call.ts'
import { sdk } from './testing/package.ts'

let gateway: Awaited<ReturnType<typeof openTestGateway>>
let sent: { method: string; path: string; headers: Headers }[] = []
/** Responses for the next uploads, instead of the real responses. */
let uploads: (Response | Error)[] = []
/** Loses the response to the next request whose key ends with this text. */
let lost = 'none'
const clientOf = (apiKey: string) => {
  const baseUrl = `http://localhost:${gateway.port}`
  return new sdk.Svc({
    apiKey,
    baseUrl,
    fetch: (async (address: string, init: RequestInit) => {
      const { pathname, search } = new URL(address)
      const headers = new Headers(init.headers)
      sent.push({ method: init.method ?? '', path: pathname, headers })
      const failed = init.method === 'PUT' ? uploads.shift() : undefined
      if (failed instanceof Error) throw failed
      // Signed URLs have the API's public address, whose port is different in tests.
      const response = failed ?? (await fetch(baseUrl + pathname + search, init))
      if (!headers.get('idempotency-key')?.endsWith(lost)) return response
      lost = 'none'
      throw new TypeError('cut')
    }) as typeof fetch,
  })
}
let svc: InstanceType<typeof sdk.Svc>
beforeAll(async () => {
  gateway = await openTestGateway()
  svc = clientOf(gateway.fixtures.ada.test)
})
afterAll(async () => {
  await gateway.close()
})

const photo = {
  kind: 'photo_id',
  filename: 'license.jpg',
  mime: 'image/jpeg',
  body: new Uint8Array(1000),
} as const

test('files.upload: reserves, sends the bytes without the credential, and confirms', async () => {
  const { patient } = await queuedCase(gateway.fixtures)
  sent = []
  const file = await svc.files.upload({ ...photo, patient })
  expect([file.status, file.size_bytes, file.filename]).toEqual(['attached', 1000, 'license.jpg'])
  expect(sent.map(({ method }) => method)).toEqual(['POST', 'PUT', 'POST'])
  expect(sent.map(({ headers }) => headers.has('authorization'))).toEqual([true, false, true])
})

test('files.upload: a failed upload is resent in full, and a refused one is not', async () => {
  const { patient } = await queuedCase(gateway.fixtures)
  sent = []
  uploads = [new TypeError('cut'), new Response('', { status: 503 })]
  expect((await svc.files.upload({ ...photo, patient })).size_bytes).toBe(1000)
  expect(sent.filter(({ method }) => method === 'PUT')).toHaveLength(3)
  sent = []
  uploads = [new Response('', { status: 403 })]
  await expect(svc.files.upload({ ...photo, patient })).rejects.toMatchObject({
    status: 403,
    path: '(storage)',
  })
  expect(sent.map(({ method }) => method)).toEqual(['POST', 'PUT'])
})

const failure = (call: PromiseLike<unknown>): Promise<{ idempotencyKey?: string }> =>
  Promise.resolve(call).then(
    () => expect.unreachable('it succeeded'),
    (error: { idempotencyKey?: string }) => error,
  )

test('files.upload: a retry with the error’s key uploads one file, whichever step failed', async () => {
  const { patient } = await queuedCase(gateway.fixtures)
  const once = { maxRetries: 0 }
  const { created_at: since } = await svc.test.webhooks.trigger({ type: 'order.shipped.v1' })
  const steps = [
    () => (lost = '-create'),
    () => (uploads = [new TypeError('cut')]),
    () => (lost = '-confirm'),
  ]
  for (const fail of steps) {
    fail()
    const { idempotencyKey = '' } = await failure(svc.files.upload({ ...photo, patient }, once))
    const file = await svc.files.upload({ ...photo, patient }, { ...once, idempotencyKey })
    expect(file.status).toBe('attached')
    const again = await svc.files.upload({ ...photo, patient }, { ...once, idempotencyKey })
    expect(again).toEqual(file)
    lost = '-confirm'
    const cut = failure(svc.files.upload({ ...photo, patient }, { ...once, idempotencyKey }))
    expect(await cut).toBeInstanceOf(sdk.ConnectionError)
  }
  const events = await svc.events.list({ since, type: 'file.attached.v1' }).toArray({ max: 10 })
  expect(events).toHaveLength(steps.length)
})

test('files.upload: an error from storage says what storage said', async () => {
  const live = clientOf(gateway.fixtures.ada.live)
  const { id: patient } = await live.patients.create(rivera)
  const options = { idempotencyKey: crypto.randomUUID() }
  const refusal = 'Send the bytes without a Content-Encoding.'
  const headers = { 'content-type': 'text/plain; charset=utf-8' }
  uploads = [new Response(`${refusal}\n`, { status: 403, headers })]
  const first = live.files.upload({ ...photo, patient }, options)
  const message = `unknown (403) PUT (storage): ${refusal}`
  await expect(first).rejects.toMatchObject({ message, detail: refusal })
  // The replayed reservation has no bytes to confirm, so storage's refusal is the reason.
  const xml = { 'content-type': 'application/xml' }
  uploads = [
    new Response('<Error><Code>AccessDenied</Code></Error>', { status: 403, headers: xml }),
  ]
  sent = []
  const error = await failure(live.files.upload({ ...photo, patient }, options))
  expect(error).toMatchObject({ path: '(storage)', status: 403, ...options })
  expect(String(error)).toEndWith('PUT (storage): the response is application/xml')
  expect(sent.map(({ method }) => method)).toEqual(['POST', 'PUT', 'POST'])
})

test('files.upload: a confirmation that can be retried keeps its own error', async () => {
  const confirmations = {
    'unknown (403) PUT': [422, 'validation_failed'],
    'rate_limited (429) POST': [429, 'rate_limited'],
    'idempotency_in_progress (409) POST': [409, 'idempotency_in_progress'],
  } as const
  for (const [message, [status, code]] of Object.entries(confirmations)) {
    const answer = (url: string, { method }: RequestInit) => {
      if (method === 'PUT') return new Response('', { status: 403 })
      if (url.endsWith('/confirm')) return Response.json({ code, status }, { status })
      const reserved = { id: 'file_1', upload_url: 'https://storage.example', upload_headers: {} }
      return Response.json(reserved, { headers: { 'idempotent-replayed': 'true' } })
    }
    const options = { apiKey: 'svc_sk_test_0', fetch: answer as unknown as typeof fetch }
    const again = new sdk.Svc({ ...options, maxRetries: 0 })
    const error = (await failure(again.files.upload({ ...photo, patient: 'pat_1' }))) as Error
    expect(error.message).toStartWith(message)
  }
})

test('events.iterate: continues where it stopped, and waits for new events', async () => {
  const first = await svc.test.webhooks.trigger({ type: 'order.shipped.v1' })
  const second = await svc.test.webhooks.trigger({ type: 'case.approved.v1' })
  const found: string[] = []
  for await (const event of svc.events.iterate({ since: first.created_at, interval: 50 })) {
    found.push(event.id)
    if (found.length === 2) break
    sent = []
    void until(() => sent.length > 1).then(() =>
      svc.test.webhooks.trigger({ type: 'order.shipped.v1' }),
    )
  }
  expect(found[0]).toBe(second.id)
  const chosen: string[] = []
  const types = ['case.approved.v1', 'case.declined.v1'] as const
  const before = { since: new Date(Date.parse(first.created_at) - 1).toISOString(), types }
  const events = svc.events.iterate(before)
  expect(events.cursor).toBe(before.since)
  for await (const event of events) {
    chosen.push(event.id)
    break
  }
  expect(chosen).toEqual([second.id])
  expect(events.cursor).toBe(second.created_at)
})

test('events.iterate: the cursor moves past events that types leaves out', async () => {
  const first = await svc.test.webhooks.trigger({ type: 'order.shipped.v1' })
  const last = await svc.test.webhooks.trigger({ type: 'order.failed.v1' })
  const types = ['case.declined.v1', 'case.withdrawn.v1'] as const
  const controller = new AbortController()
  const { signal } = controller
  const events = svc.events.iterate({ since: first.created_at, types, interval: 10 }, { signal })
  const wait = events.next().catch(() => {})
  await until(() => events.cursor === last.created_at)
  controller.abort()
  await wait
})

test('events.iterate: a signal ends the wait', async () => {
  const controller = new AbortController()
  sent = []
  void until(() => sent.length > 0).then(() => controller.abort(new Error('stopped')))
  const iterate = async () => {
    for await (const _ of svc.events.iterate({}, { signal: controller.signal }));
  }
  await expect(iterate()).rejects.toThrow('stopped')
})

test('cases.waitFor: returns the case once its status matches, or times out', async () => {
  const { id } = await queuedCase(gateway.fixtures)
  sent = []
  void until(() => sent.length > 0).then(() => svc.test.cases.decide(id, { decision: 'approve' }))
  expect((await svc.cases.waitFor(id, { status: ['approved', 'declined'] })).status).toBe(
    'approved',
  )
  const began = performance.now()
  await svc.cases.get(id)
  // Enough for a read on this machine.
  const timeout = 100 + 10 * Math.ceil(performance.now() - began)
  const waiting = svc.cases.waitFor(id, { status: ['declined'], timeout })
  await expect(waiting).rejects.toThrow(`the case is approved after ${timeout} ms, not declined`)
})

test('cases.waitFor: a request that times out before the wait does keeps its own error', async () => {
  const never = ((_: string, { signal }: { signal: AbortSignal }) =>
    new Promise((_resolve, reject) => {
      signal.addEventListener('abort', () => reject(signal.reason as Error))
    })) as unknown as typeof fetch
  const options = { apiKey: 'svc_sk_test_0', fetch: never, timeout: 50, maxRetries: 0 }
  for (const timeout of [0, 600_000]) {
    const waiting = new sdk.Svc(options).cases.waitFor('case_1', { status: ['declined'], timeout })
    await expect(waiting).rejects.toThrow('no response in 50 ms')
  }
})

test('consents.recordBoth: a retry with its key after a lost connection repeats neither consent', async () => {
  const { id } = await svc.patients.create(rivera)
  const versions = { telehealth: '2026-09-01', privacy: '2026-10-01' }
  const options = { idempotencyKey: crypto.randomUUID() }
  const first = await svc.consents.recordBoth(id, versions, options)
  const again = await svc.consents.recordBoth(id, versions, options)
  expect([again.telehealth, again.privacy]).toEqual([first.telehealth, first.privacy])
  const all = await svc.consents.list(id).toArray({ max: 10 })
  expect(all.map(({ kind, version }) => [kind, version])).toEqual(Object.entries(versions))
})

test('consents.recordBoth: a retry with the error’s key records each consent once', async () => {
  for (const step of ['telehealth', 'privacy']) {
    const { id } = await svc.patients.create(rivera)
    const versions = { telehealth: '2026-09-01', privacy: '2026-10-01' }
    lost = `-${step}`
    const error = await failure(svc.consents.recordBoth(id, versions, { maxRetries: 0 }))
    const { idempotencyKey = '' } = error
    await svc.consents.recordBoth(id, versions, { idempotencyKey })
    expect(await svc.consents.list(id).toArray({ max: 10 }), step).toHaveLength(2)
  }
})

test('a key without the read scope records consents and sends messages', async () => {
  const { ada, key } = gateway.fixtures
  const scopes = ['patients:write', 'cases:write', 'test:manage'] as const
  const mode = 'test' as const
  const writer = clientOf(
    await key({ integration: ada.integration, mode, name: 'Writer', scopes: [...scopes] }),
  )
  const { id: patient } = await svc.patients.create(rivera)
  const versions = { telehealth: '2026-09-01', privacy: '2026-09-01' }
  const { telehealth } = await writer.consents.recordBoth(patient, versions)
  expect({ ...telehealth }).toEqual({
    id: expect.stringMatching(/^cons_/),
    kind: 'telehealth',
    version: '2026-09-01',
  } as never)
  const { id } = await queuedCase(gateway.fixtures)
  const message = await writer.messages.create(id, { body: 'Hello' })
  expect([message.id, message.body]).toEqual([expect.stringMatching(/^msg_/), 'Hello'])
  expect(await writer.test.cases.clinicianMessage(id, { body: 'Yes' })).toHaveProperty('id')
})

test('every result has its request’s id, hidden from JSON and equality', async () => {
  const organization = await svc.organization.get()
  expect(organization.requestId).toStartWith('req_')
  expect(Object.keys(organization)).not.toContain('requestId')
  expect(JSON.stringify(organization)).not.toContain('req_')
  const events: unknown[] = []
  const stop = svc.on('response', event => void events.push(event))
  const { requestId } = await svc.medications.list()
  stop()
  await svc.medications.list()
  expect(events).toEqual([
    expect.objectContaining({ method: 'GET', path: '/v1/medications', status: 200, requestId }),
  ])
})

test('exports.download: returns the bytes as received, and 304 for an earlier ETag', async () => {
  const { patient } = await queuedCase(gateway.fixtures)
  const { id } = await svc.exports.create(patient)
  await completePending(gateway.fixtures)
  const response = await svc.exports.download(id)
  expect((await response.json()).patient.id).toBe(patient)
  const ifNoneMatch = response.headers.get('etag') ?? ''
  expect((await svc.exports.download(id, { ifNoneMatch })).status).toBe(304)
})
