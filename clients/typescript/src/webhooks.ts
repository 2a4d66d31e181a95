// `@svc/sdk/webhooks`: webhook verification for servers that don't call the API.

import { signatureToleranceSeconds, slug, webhookHeaders } from './generated/contract.ts'
import type {
  BaseEvent,
  Event,
  EventOf,
  EventResource,
  EventType,
} from './generated/schemas/events.ts'
import { now, uuid } from './runtime.ts'
import { bytesOf, decoded, digest, encodedText, isSame, type RawBody } from './signature.ts'

export type { Event, EventOf, EventType, UnknownEvent } from './generated/schemas/events.ts'
export type { RawBody } from './signature.ts'

export type SignatureFault =
  | 'missing_header'
  | 'malformed_header'
  | 'wrong_secret_kind'
  | 'no_match'
  | 'timestamp_too_old'
  | 'timestamp_in_future'
  | 'body_parsed'

/** Verification failed. Respond with 400; `reason` is the check that failed. */
export class SignatureVerificationError extends Error {
  static {
    this.prototype.name = 'SignatureVerificationError'
  }
  constructor(
    /** The check that failed. */
    readonly reason: SignatureFault,
    message: string,
  ) {
    super(`${reason}: ${message}`)
  }
}

type HeaderValue = string | readonly string[] | undefined
type HeaderPairs = Iterable<readonly [string, HeaderValue]>

/** A request's headers: `Headers`, an object, pairs, or only the Service-Signature value. */
export type HeaderSource =
  | Headers
  | Readonly<Record<string, HeaderValue>>
  | HeaderPairs
  | string
  | null
  | undefined

export type VerifyOptions = {
  /** Maximum seconds between the signature's timestamp and your clock. Default: 300. */
  toleranceSeconds?: number | undefined
  /** The current time in milliseconds since 1970. Default: your clock. */
  now?: number | undefined
}

type Signature = { readonly seconds: number; readonly digests: readonly string[] }

const fail = (reason: SignatureFault, message: string): never => {
  throw new SignatureVerificationError(reason, message)
}

/**
 * Verifies that the API sent this body recently. Pass the body exactly as received, because parsing
 * and serializing it again changes its bytes.
 *
 * @throws {SignatureVerificationError} If a check fails; `reason` says which one.
 */
export async function verifySignature(
  rawBody: RawBody,
  headers: HeaderSource,
  secret: string | readonly string[],
  { toleranceSeconds = signatureToleranceSeconds, now: time = now() }: VerifyOptions = {},
): Promise<void> {
  for (const [name, value] of Object.entries({ toleranceSeconds, now: time })) {
    if (!(value >= 0)) throw new TypeError(`${name} must be 0 or greater`)
  }
  const body = checkedBody(rawBody)
  const secrets = checkedSecrets(secret)
  const signature = signatureIn(headers)
  const { seconds, digests } = signature
  const expected = await Promise.all(secrets.map(one => digest(one, seconds, body)))
  // Compares every pair, so timing reveals nothing.
  const matches = expected.flatMap(one => digests.map(other => isSame(one, other)))
  if (!matches.includes(true)) fail('no_match', await mismatchText(body, secrets, signature))
  const age = Math.floor(time / 1000) - seconds
  const limit = `its time is more than ${toleranceSeconds} seconds from your clock.`
  if (age > toleranceSeconds) fail('timestamp_too_old', limit)
  if (-age > toleranceSeconds) fail('timestamp_in_future', limit)
}

type Secrets = string | readonly string[]
type Verified = [headers: HeaderSource, secret: Secrets, options?: VerifyOptions]

/**
 * Verifies a delivery and returns its event. Pass an unread `Request`, or the raw body and headers,
 * as in Express with `express.raw()`, Fastify or Lambda.
 *
 * @throws {SignatureVerificationError} If a check fails; `reason` says which one.
 */
export function unwrap(request: Request, secret: Secrets, options?: VerifyOptions): Promise<Event>
export function unwrap(
  rawBody: RawBody,
  headers: HeaderSource,
  secret: Secrets,
  options?: VerifyOptions,
): Promise<Event>
export async function unwrap(delivery: Request | RawBody, ...rest: unknown[]): Promise<Event> {
  const isRequest = typeof (delivery as Request | null)?.text === 'function'
  const { bodyUsed, headers: own } = delivery as Request
  if (isRequest && bodyUsed) fail('body_parsed', 'something already read the request body.')
  const [headers, secret, options] = (isRequest ? [own, ...rest] : rest) as Verified
  const body = checkedBody(isRequest ? await (delivery as Request).arrayBuffer() : delivery)
  await verifySignature(body, headers, secret, options)
  return JSON.parse(decoded(body)) as Event
}

/** Whether an event has one of these types. Narrows its `data` and `resource`. */
export const isEvent = <T extends EventType>(
  event: Event,
  ...types: readonly T[]
): event is EventOf<T> => types.includes(event.type as T)

/** An event's type, which can be newer than this version, and any of its other fields. */
type EventFields = Partial<BaseEvent> & {
  type: EventType | (string & {})
  resource?: EventResource
  data?: unknown
}

export type SignedWebhook = { readonly headers: Record<string, string>; readonly body: string }

/** Creates a signed webhook as the API would send it, for testing your receiver. */
export async function signWebhook(webhook: {
  /** Fields you omit get made-up values. */
  event: EventFields
  secret: string
  /** Seconds since 1970. Default: now. */
  timestamp?: number | undefined
  /** Also signs with this secret, as the API does during a rotation. */
  previousSecret?: string | undefined
}): Promise<SignedWebhook> {
  const { secret, previousSecret, timestamp = Math.floor(now() / 1000) } = webhook
  const event = complete(webhook.event, timestamp)
  const body = JSON.stringify(event)
  const secrets = [secret, ...(previousSecret === undefined ? [] : [previousSecret])]
  const digests = await Promise.all(secrets.map(one => digest(one, timestamp, encodedText(body))))
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

/** A made-up ID in the API's format. */
const idOf = (prefix: string) => `${prefix}_0${uuid().replaceAll('-', '').slice(0, 25)}`

const prefixes: Readonly<Record<string, string>> = { patient: 'pat', consent: 'cons', order: 'ord' }

function complete(event: EventFields, seconds: number) {
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
  const bytes = bytesOf(body)
  if (bytes !== null) return bytes
  return fail(
    'body_parsed',
    "pass the raw body, not a parsed one: express.raw({ type: '*/*' }), await request.text(), or event.body in Lambda.",
  )
}

function checkedSecrets(secret: string | readonly string[]): readonly string[] {
  const secrets = typeof secret === 'string' ? [secret] : secret
  for (const one of secrets) {
    if (one !== one.trim())
      fail('wrong_secret_kind', 'the secret has spaces or line breaks around it.')
    if (one === '' || one.startsWith(`${slug}_`)) {
      fail('wrong_secret_kind', "this isn't an endpoint's secret.")
    }
  }
  return secrets
}

/** The signature header's distinct values. */
function valuesIn(headers: HeaderSource): readonly string[] {
  if (headers === null || headers === undefined) return []
  if (typeof headers === 'string') return [headers]
  const name = webhookHeaders.signature.toLowerCase()
  const pairs = Symbol.iterator in headers ? [...(headers as HeaderPairs)] : Object.entries(headers)
  const found = pairs.filter(([key]) => key.toLowerCase() === name)
  return [...new Set(found.flatMap(([, value]) => value ?? []))]
}

function signatureIn(headers: HeaderSource): Signature {
  const [value, ...more] = valuesIn(headers)
  if (value === undefined) {
    return fail('missing_header', `the request has no ${webhookHeaders.signature} header.`)
  }
  const pairs = value.split(',').map(part => part.trim().split('='))
  const valuesOf = (key: string) => pairs.flatMap(([name, text]) => (name === key ? [text] : []))
  const [time = '', ...others] = valuesOf('t')
  const digests = valuesOf('v1').filter(text => text !== undefined)
  if (!/^\d+$/.test(time) || others.length + more.length > 0 || digests.length === 0) {
    return fail(
      'malformed_header',
      `${webhookHeaders.signature} must be one t=<seconds>,v1=<digest>.`,
    )
  }
  return { seconds: Number(time), digests }
}

/** Explains a mismatch by checking for common mistakes. */
async function mismatchText(
  body: Uint8Array,
  secrets: readonly string[],
  { seconds, digests }: Signature,
): Promise<string> {
  const text = decoded(body)
  // Base64 for a body that starts with {".
  if (text.startsWith('eyJ')) return 'the body is base64 encoded. Decode it if isBase64Encoded.'
  try {
    const compact = encodedText(JSON.stringify(JSON.parse(text)))
    const expected = await Promise.all(secrets.map(one => digest(one, seconds, compact)))
    if (expected.some(one => digests.includes(one))) {
      return 'the body was parsed and serialized again, or got a line break. Pass the bytes received.'
    }
  } catch {}
  return text.includes('\uFFFD')
    ? 'the body was decoded with another character set. Pass the bytes received.'
    : "no signature matches. Check that it's this endpoint's secret."
}
