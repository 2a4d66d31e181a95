// The services that destinations send to, as one server on this machine with each service's host
// name. Each verifies request signatures with code independent of the sender's, and responds as the
// service documents.

import { importSPKI, jwtVerify } from 'jose'
import { createHmac, generateKeyPairSync } from 'node:crypto'
import { now } from '#database/clock.ts'
import { authority } from '#http/testing/receiver.ts'
import { verifierOf } from '../../testing/s3-server.ts'

const keys = { access_key_id: 'EXAMPLEACCESSKEYID', secret_access_key: 'the-secret-access-key' }
const pair = generateKeyPairSync('rsa', { modulusLength: 2048 })
const event_types = ['*']

/** Settings that the server accepts, for each kind of destination. */
export const bodies = {
  sqs: {
    sqs: { region: 'us-east-1', account: '123456789012', queue: 'events', ...keys },
    event_types,
  },
  eventbridge: { eventbridge: { region: 'us-east-1', bus: 'clinic', ...keys }, event_types },
  pubsub: {
    pubsub: {
      project: 'example-project',
      topic: 'events',
      client_email: 'sender@example.com',
      private_key_id: 'key1',
      private_key: String(pair.privateKey.export({ type: 'pkcs8', format: 'pem' })),
    },
    event_types,
  },
  event_hubs: {
    event_hubs: { namespace: 'example-ns', hub: 'events', key_name: 'send', key: 'c2VjcmV0' },
    event_types,
  },
  s3: { s3: { region: 'us-east-1', bucket: 'events', prefix: 'a/', ...keys }, event_types },
  kafka: (port: number) => ({
    kafka: {
      url: `https://kafka.receiver.example:${port}`,
      topic: 'events',
      username: 'clinic',
      password: 'a-password',
    },
    event_types,
  }),
}

/** A message that any service received. */
export type Arrived = { host: string; path: string; body: string; names: Record<string, string> }

type Accept = (request: Request, body: string) => Promise<Arrived[] | Response>

const refusal = (status: number) => new Response(null, { status })

const signedBy = (service: string) =>
  verifierOf(
    {
      region: 'us-east-1',
      accessKeyId: keys.access_key_id,
      secretAccessKey: keys.secret_access_key,
    },
    service,
  )
const verifiers = { sqs: signedBy('sqs'), events: signedBy('events'), s3: signedBy('s3') }

const arrivedIn = (request: Request) => {
  const url = new URL(request.url)
  return (body: string, names: Record<string, string> = {}): Arrived => ({
    host: url.hostname,
    path: url.pathname,
    body,
    names,
  })
}

/** Checks a shared access signature's `sr`, `sig`, `se` and `skn`. */
function isSigned(authorization: string, resource: string, key: string): boolean {
  const [scheme = '', text = ''] = authorization.split(' ')
  const parts = new URLSearchParams(text)
  const signed = `${encodeURIComponent(resource)}\n${parts.get('se')}`
  const expected = createHmac('sha256', key).update(signed).digest('base64')
  const isFresh = Number(parts.get('se')) > now() / 1000
  return scheme === 'SharedAccessSignature' && isFresh && parts.get('sig') === expected
}

const accepts: Readonly<Record<string, Accept>> = {
  'sqs.us-east-1.amazonaws.com': async (request, body) => {
    if (await verifiers.sqs(request, body)) return refusal(403)
    if (request.headers.get('x-amz-target') !== 'AmazonSQS.SendMessageBatch') return refusal(400)
    const { Entries } = JSON.parse(body) as {
      Entries: { MessageBody: string; MessageAttributes: Record<string, { StringValue: string }> }[]
    }
    if (Entries.length > 10) return refusal(400)
    return Entries.map(({ MessageBody, MessageAttributes }) => {
      const names = Object.entries(MessageAttributes).map(([name, one]) => [name, one.StringValue])
      return arrivedIn(request)(MessageBody, Object.fromEntries(names))
    })
  },
  'events.us-east-1.amazonaws.com': async (request, body) => {
    if (await verifiers.events(request, body)) return refusal(403)
    const { Entries } = JSON.parse(body) as {
      Entries: { Detail: string; DetailType: string; EventBusName: string }[]
    }
    if (Entries.length > 10) return refusal(400)
    return Entries.map(({ Detail, DetailType, EventBusName }) =>
      arrivedIn(request)(Detail, { DetailType, EventBusName }),
    )
  },
  'pubsub.googleapis.com': async (request, body) => {
    const [, token = ''] = (request.headers.get('authorization') ?? '').split(' ')
    const key = await importSPKI(
      String(pair.publicKey.export({ type: 'spki', format: 'pem' })),
      'RS256',
    )
    const claims = { issuer: 'sender@example.com', audience: 'https://pubsub.googleapis.com/' }
    const verified = await jwtVerify(token, key, claims).catch(() => null)
    if (verified === null) return refusal(401)
    const { messages } = JSON.parse(body) as {
      messages: { data: string; attributes: Record<string, string> }[]
    }
    return messages.map(one =>
      arrivedIn(request)(Buffer.from(one.data, 'base64').toString(), one.attributes),
    )
  },
  'example-ns.servicebus.windows.net': async (request, body) => {
    const resource = 'https://example-ns.servicebus.windows.net/events'
    if (!isSigned(request.headers.get('authorization') ?? '', resource, 'c2VjcmV0'))
      return refusal(401)
    const events = JSON.parse(body) as { Body: string; UserProperties: Record<string, string> }[]
    return events.map(one => arrivedIn(request)(one.Body, one.UserProperties))
  },
  'kafka.receiver.example': async (request, body) => {
    const expected = `Basic ${btoa('clinic:a-password')}`
    if (request.headers.get('authorization') !== expected) return refusal(401)
    const isJson = request.headers.get('content-type') === 'application/vnd.kafka.json.v2+json'
    if (!isJson) return refusal(415)
    const { records } = JSON.parse(body) as { records: { key: string; value: object }[] }
    return records.map(({ key, value }) => arrivedIn(request)(JSON.stringify(value), { key }))
  },
  's3.us-east-1.amazonaws.com': async (request, body) => {
    if (request.method !== 'PUT' || (await verifiers.s3(request, body))) return refusal(403)
    return [arrivedIn(request)(body)]
  },
}

/** Returns a service's response to messages, some of them rejected. */
function answerTo(host: string, arrived: readonly Arrived[], isTaken: (one: Arrived) => boolean) {
  const each = <T>(make: (isOk: boolean, at: number) => T) =>
    arrived.map((one, at) => make(isTaken(one), at))
  if (host.startsWith('sqs')) {
    const entries = each((isOk, at) => ({ isOk, Id: String(at), Code: 'InternalError' }))
    const { taken = [], others = [] } = Object.groupBy(entries, ({ isOk }) =>
      isOk ? 'taken' : 'others',
    )
    return { Successful: taken, Failed: others }
  }
  if (host.startsWith('events')) {
    const entry = (isOk: boolean) =>
      isOk ? { EventId: '1' } : { ErrorCode: 'ThrottlingException' }
    return { FailedEntryCount: 0, Entries: each(entry) }
  }
  if (host.startsWith('kafka')) {
    const offset = (isOk: boolean, at: number) =>
      isOk
        ? { partition: 0, offset: at, error_code: null, error: null }
        : { partition: null, offset: null, error_code: 50003, error: 'not available' }
    return { offsets: each(offset) }
  }
  return { messageIds: each((_, at) => String(at)) }
}

export function openCloud() {
  const { cert, key } = authority.sign(Object.keys(accepts))
  /** The messages in each accepted request. */
  const requests: Arrived[][] = []
  let isTaken: (one: Arrived) => boolean = () => true
  const server = Bun.serve({
    port: 0,
    hostname: '127.0.0.1',
    tls: { cert, key },
    async fetch(request) {
      const { hostname } = new URL(request.url)
      const arrived = (await accepts[hostname]?.(request, await request.text())) ?? refusal(404)
      if (arrived instanceof Response) return arrived
      requests.push(arrived.filter(isTaken))
      return Response.json(answerTo(hostname, arrived, isTaken))
    },
  })
  return {
    requests,
    port: server.port ?? 0,
    arrived: () => requests.flat(),
    takeOnly: (test: (one: Arrived) => boolean) => void (isTaken = test),
    stop: () => server.stop(true),
  }
}

export type Cloud = ReturnType<typeof openCloud>
