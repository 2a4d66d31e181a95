// Receiving webhooks: `@svc/sdk/webhooks`, for servers that need nothing else.

import { signatureToleranceSeconds, slug, webhookHeaders } from './generated/contract.ts'
import type { EventOf, KnownEventType } from './generated/events.ts'
import type { Event } from './generated/schemas/events.ts'
import { now, uuid } from './runtime.ts'
import { bytesOf, digest, isSame, type RawBody } from './signature.ts'

export type { EventOf, KnownEventType } from './generated/events.ts'
export type { Event } from './generated/schemas/events.ts'
export type { RawBody } from './signature.ts'

export type SignatureFault =
  | 'missing_header'
  | 'malformed_header'
  | 'wrong_secret_kind'
  | 'no_match'
  | 'timestamp_too_old'
  | 'timestamp_in_future'
  | 'body_parsed'

/** The request was not sent by the API, or not as you received it: answer 400. */
export class SignatureVerificationError extends Error {
  static {
    this.prototype.name = 'SignatureVerificationError'
  }
  constructor(
    /** Which check failed. */
    readonly reason: SignatureFault,
    message: string,
  ) {
    super(`${reason}: ${message}`)
  }
}

type HeaderValues = Readonly<Record<string, string | readonly string[] | undefined>>

/** The headers in any form, or the value of Service-Signature alone. */
export type HeaderSource = Headers | HeaderValues | string | null | undefined

export type VerifyOptions = {
  /** Between the time of the signature and your clock. Default: 300. */
  toleranceSeconds?: number | undefined
  /** Milliseconds since 1970, in place of your clock. */
  now?: number | undefined
}

type Signature = { readonly seconds: number; readonly digests: readonly string[] }

const fail = (reason: SignatureFault, message: string): never => {
  throw new SignatureVerificationError(reason, message)
}

/**
 * Checks that a request was sent by the API just now, and with this body. Pass the body as it was
 * received: parsed and written again it is another one.
 *
 * @throws {SignatureVerificationError} Its `reason` says which check failed.
 */
export async function verifySignature(
  rawBody: RawBody,
  headers: HeaderSource,
  secret: string | readonly string[],
  { toleranceSeconds = signatureToleranceSeconds, now: time = now() }: VerifyOptions = {},
): Promise<void> {
  const body = checkedBody(rawBody)
  const secrets = checkedSecrets(secret)
  const { seconds, digests } = signatureIn(headers)
  const expected = await Promise.all(secrets.map(one => digest(one, seconds, body)))
  // Every one is compared, so that the time says nothing.
  const matches = expected.flatMap(one => digests.map(other => isSame(one, other)))
  if (!matches.includes(true)) fail('no_match', mismatchText(rawBody))
  const age = Math.floor(time / 1000) - seconds
  const limit = `your clock differs from its time by more than ${toleranceSeconds} seconds.`
  if (age > toleranceSeconds) fail('timestamp_too_old', limit)
  if (-age > toleranceSeconds) fail('timestamp_in_future', limit)
}

/**
 * The event of a request whose signature is right.
 *
 * @throws {SignatureVerificationError} Its `reason` says which check failed.
 */
export async function unwrap(
  request: Request,
  secret: string | readonly string[],
  options?: VerifyOptions,
): Promise<Event> {
  if (request.bodyUsed) fail('body_parsed', 'something read the body of the request before.')
  const body = await request.text()
  await verifySignature(body, request.headers, secret, options)
  return JSON.parse(body) as Event
}

/** Whether an event is of one of these types; its `data` then has a type, too. */
export const isEvent = <T extends KnownEventType>(
  event: Event,
  ...types: readonly T[]
): event is Event & EventOf<T> => types.includes(event.type as T)

export type SignedWebhook = { readonly headers: Record<string, string>; readonly body: string }

/** A webhook as the API would send it, for the tests of your receiver. */
export async function signWebhook(webhook: {
  /** What is left out is made up. */
  event: Partial<Event> & Pick<Event, 'type'>
  secret: string
  /** Seconds since 1970. Default: now. */
  timestamp?: number | undefined
  /** While a secret is being replaced, both sign. */
  previousSecret?: string | undefined
}): Promise<SignedWebhook> {
  const { secret, previousSecret, timestamp = Math.floor(now() / 1000) } = webhook
  const event = complete(webhook.event, timestamp)
  const body = JSON.stringify(event)
  const secrets = [secret, ...(previousSecret === undefined ? [] : [previousSecret])]
  const digests = await Promise.all(secrets.map(one => digest(one, timestamp, bytesOf(body))))
  const signature = [`t=${timestamp}`, ...digests.map(one => `v1=${one}`)].join(',')
  return {
    body,
    headers: {
      'content-type': 'application/json',
      [webhookHeaders.signature]: signature,
      [webhookHeaders.event]: event.id,
      [webhookHeaders.type]: event.type,
      [webhookHeaders.delivery]: idOf('dlv'),
    },
  }
}

/** In the form of the ids of the API. */
const idOf = (prefix: string) => `${prefix}_0${uuid().replaceAll('-', '').slice(0, 25)}`

const prefixes: Readonly<Record<string, string>> = { patient: 'pat', consent: 'cons', order: 'ord' }

function complete(event: Partial<Event> & Pick<Event, 'type'>, seconds: number): Event {
  const [kind = '', status = ''] = event.type.split('.')
  const prefix = prefixes[kind] ?? { prescription: 'rx', visit: 'vis', charge: 'chg' }[kind]
  return {
    id: idOf('evt'),
    created_at: new Date(seconds * 1000).toISOString(),
    organization: idOf('org'),
    mode: 'test',
    resource: { type: kind, id: idOf(prefix ?? (kind === 'webhook_endpoint' ? 'we' : kind)) },
    status,
    previous_status: null,
    ...event,
  }
}

function checkedBody(body: unknown): Uint8Array {
  if (typeof body === 'string' || body instanceof Uint8Array || body instanceof ArrayBuffer) {
    return bytesOf(body)
  }
  return fail(
    'body_parsed',
    'the body was parsed before it was verified. Express: express.raw({ type: "application/json" }) ' +
      'on this route. Next.js: await request.text(). Lambda: event.body, decoded if isBase64Encoded.',
  )
}

function checkedSecrets(secret: string | readonly string[]): readonly string[] {
  const secrets = typeof secret === 'string' ? [secret] : secret
  for (const one of secrets) {
    if (one.startsWith(`${slug}_`)) {
      fail('wrong_secret_kind', 'this is a credential; the secret of an endpoint begins whsec_.')
    }
    if (one !== one.trim()) fail('wrong_secret_kind', 'the secret has white space around it.')
  }
  if (secrets.join('') === '') fail('wrong_secret_kind', 'the secret is empty.')
  return secrets
}

function valueIn(headers: HeaderSource): string | null | undefined {
  if (typeof headers !== 'object' || headers === null) return headers
  if (typeof (headers as Headers).get === 'function') {
    return (headers as Headers).get(webhookHeaders.signature)
  }
  const name = webhookHeaders.signature.toLowerCase()
  const found = Object.entries(headers as HeaderValues).find(([key]) => key.toLowerCase() === name)
  return Array.isArray(found?.[1]) ? found[1].join(',') : (found?.[1] as string | undefined)
}

function signatureIn(headers: HeaderSource): Signature {
  const value = valueIn(headers)
  if (value === null || value === undefined) {
    return fail('missing_header', `the request has no ${webhookHeaders.signature}.`)
  }
  const pairs = value.split(',').map(part => part.trim().split('='))
  const valuesOf = (key: string) => pairs.flatMap(([name, text]) => (name === key ? [text] : []))
  const [time = '', ...others] = valuesOf('t')
  const digests = valuesOf('v1').filter(text => text !== undefined)
  if (!/^\d+$/.test(time) || others.length > 0 || digests.length === 0) {
    return fail('malformed_header', `${webhookHeaders.signature} is t=<seconds>,v1=<digest>.`)
  }
  return { seconds: Number(time), digests }
}

/** What can be said without the secret. */
function mismatchText(body: unknown): string {
  const isRewritten = typeof body === 'string' && /^\s|\s$|^\{\s|^\{"[^"]*": /.test(body)
  return isRewritten
    ? 'the body is not as it was sent: it was parsed and written again. Pass the raw bytes.'
    : 'no signature is of this body under this secret. Is it the secret of this endpoint, whole?'
}
