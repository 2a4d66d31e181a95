// Verifies webhooks with the contract's vectors, and tests common receiver mistakes.
import { createHmac } from 'node:crypto'
import { createContext, runInContext } from 'node:vm'
import { describe, expect, test } from 'bun:test'
import published from '#contract/vectors/webhook-signatures.json'
import { sdk, webhooks } from './testing/package.ts'

const { verifySignature, unwrap, signWebhook, isEvent, SignatureVerificationError } = webhooks
const secret = 'whsec_Zk3vQ0m8Jx1n4Tq7Yw2cR5uP9sL6hD0b'

/** The signature header, from an implementation independent of the library. */
function signature(secrets: readonly string[], seconds: number, body: string): string {
  const digests = secrets.map(one =>
    createHmac('sha256', one).update(`${seconds}.${body}`).digest('hex'),
  )
  return [`t=${seconds}`, ...digests.map(one => `v1=${one}`)].join(',')
}

/** The library's name for each expected result. */
const reasons: Record<string, readonly string[]> = {
  accepted: ['accepted'],
  stale: ['timestamp_too_old', 'timestamp_in_future'],
  mismatch: ['no_match'],
  no_signature: ['malformed_header'],
  malformed: ['malformed_header'],
}

const reasonOf = (work: Promise<unknown>) =>
  work.then(
    () => 'accepted',
    (error: unknown) => (error instanceof SignatureVerificationError ? error.reason : error),
  )

describe('webhooks: the contract’s vectors', () => {
  test('every outcome has vectors', () => {
    const outcomes = new Set(published.vectors.map(({ expected }) => expected))
    expect([...outcomes].toSorted()).toEqual(Object.keys(reasons).toSorted())
  })
  test.each(published.vectors.map(one => [one.name, one] as const))('%s', async (_, vector) => {
    const now = vector.now * 1000
    const found = await reasonOf(
      verifySignature(vector.body, vector.header, vector.secret, { now }),
    )
    expect(reasons[vector.expected]).toContain(found as string)
  })
})

describe('webhooks: verifySignature', () => {
  const seconds = 1_795_187_400
  const body = '{"id":"evt_1"}'
  const header = signature([secret], seconds, body)
  const at = { now: seconds * 1000 }

  test('accepts headers in every form', async () => {
    for (const headers of [
      header,
      new Headers({ 'service-signature': header }),
      { 'Service-Signature': header },
      { 'service-signature': [header] },
      [['Service-Signature', header] as const],
      new Map([['service-signature', [header, header]]] as const),
    ]) {
      expect(await reasonOf(verifySignature(body, headers, secret, at))).toBe('accepted')
    }
  })
  test('accepts bytes, and any of several secrets', async () => {
    const bytes = new TextEncoder().encode(body)
    const secrets = ['whsec_another', secret]
    expect(await reasonOf(verifySignature(bytes, header, secrets, at))).toBe('accepted')
    expect(await reasonOf(verifySignature(bytes.buffer, header, secrets, at))).toBe('accepted')
  })
  test('names the mistake', async () => {
    const parsed = JSON.parse(body) as string
    const cases: [reason: string, work: () => Promise<unknown>][] = [
      ['missing_header', () => verifySignature(body, {}, secret, at)],
      ['missing_header', () => verifySignature(body, undefined, secret, at)],
      ['malformed_header', () => verifySignature(body, 'v1=00', secret, at)],
      ['wrong_secret_kind', () => verifySignature(body, header, 'svc_sk_test_x', at)],
      ['wrong_secret_kind', () => verifySignature(body, header, `${secret}\n`, at)],
      ['wrong_secret_kind', () => verifySignature(body, header, '', at)],
      ['no_match', () => verifySignature(body, header, 'whsec_another', at)],
      ['timestamp_too_old', () => verifySignature(body, header, secret, { now: at.now + 301_000 })],
      [
        'timestamp_in_future',
        () => verifySignature(body, header, secret, { now: at.now - 301_000 }),
      ],
      ['body_parsed', () => verifySignature(parsed, header, secret, at)],
    ]
    for (const [reason, work] of cases) expect<unknown>(await reasonOf(work())).toBe(reason)
  })
  test('accepts bytes from another realm', async () => {
    const context = createContext({ text: body, TextEncoder })
    const bytes = runInContext('Uint8Array.from(text, one => one.charCodeAt(0))', context)
    expect(bytes instanceof Uint8Array).toBe(false)
    expect(await reasonOf(verifySignature(bytes, header, secret, at))).toBe('accepted')
    expect(await reasonOf(verifySignature(bytes.buffer, header, secret, at))).toBe('accepted')
  })
  test.each([
    ['parsed and serialized again', '{ "id": "evt_1" }'],
    ['got a line break', `${body}\n`],
    ['base64 encoded', btoa(body)],
    ['another character set', '{"id":"evt_\udce9"}'],
    ["this endpoint's secret", '{"id":"evt_2"}'],
  ])('explains a mismatch: %s', async (text, changed) => {
    await expect(verifySignature(changed, header, secret, at)).rejects.toThrow(text)
  })
  test('refuses two different signatures', async () => {
    const headers = { 'service-signature': [header, `${header}0`] }
    expect(await reasonOf(verifySignature(body, headers, secret, at))).toBe('malformed_header')
  })
  test('a wider tolerance accepts an older signature', async () => {
    const options = { now: at.now + 900_000, toleranceSeconds: 1000 }
    expect(await reasonOf(verifySignature(body, header, secret, options))).toBe('accepted')
  })
  test('a tolerance or time that is not a number is a TypeError that names the option', async () => {
    for (const name of ['toleranceSeconds', 'now']) {
      const work = verifySignature(body, header, secret, { ...at, [name]: NaN })
      await expect(work).rejects.toThrow(new TypeError(`${name} must be 0 or greater`))
    }
  })
})

describe('webhooks: signWebhook', () => {
  const event = { type: 'order.shipped.v1', status: 'shipped' } as const

  test('signs as the API does, with both secrets during a rotation', async () => {
    const timestamp = 1_795_187_400
    const previousSecret = 'whsec_b0Dh6Ls9Pu5Rc2wY7qT4n1xJ8m0Qv3kZ'
    const { body, headers } = await signWebhook({ event, secret, previousSecret, timestamp })
    const ours = signature([secret, previousSecret], timestamp, body)
    expect(headers['Service-Signature']).toBe(ours)
    expect(Object.keys(headers).toSorted()).toEqual([
      'Service-Delivery-Id',
      'Service-Event-Id',
      'Service-Event-Type',
      'Service-Signature',
      'content-type',
    ])
  })
  test('unwrap returns the event from a request or a raw body, and isEvent narrows it', async () => {
    const signed = await signWebhook({ event, secret })
    const request = () => new Request('http://localhost/', { method: 'POST', ...signed })
    const received = await unwrap(request(), secret)
    expect(received).toMatchObject({ type: 'order.shipped.v1', resource: { type: 'order' } })
    expect([isEvent(received, 'order.shipped.v1'), isEvent(received, 'case.queued.v1')]).toEqual([
      true,
      false,
    ])
    const svc = new sdk.Svc({ apiKey: 'svc_sk_test_x', webhookSecret: ['whsec_other', secret] })
    expect(await svc.webhooks.unwrap(request())).toEqual(received)
    const bytes = Buffer.from(signed.body)
    expect(await unwrap(bytes, signed.headers, secret)).toEqual(received)
    expect(await svc.webhooks.unwrap(bytes, Object.entries(signed.headers))).toEqual(received)
    const read = request()
    await read.text()
    expect(await reasonOf(unwrap(read, secret))).toBe('body_parsed')
  })
  test('an error has the same class in both package entries', () => {
    expect(sdk.SignatureVerificationError).toBe(SignatureVerificationError)
  })
})
