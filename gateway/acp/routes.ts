// The agentic checkout. A session is stateless: its ID is signed, every cart is the same, an update
// is only echoed, and the completion request repeats all relevant data. Only a session's completion
// and the responses to idempotency keys are stored, in memory for a dry run.
import {
  type AcpDate,
  acpDateOf,
  acpDates,
  acpKeyMax,
  acpNewest,
  acpSessions,
} from '#contract/site/acp.ts'
import { randomBytes } from '#database/clock.ts'
import type { BookingService } from '#booking/booking-service.ts'
import type { TextAnswer } from '#http/answer.ts'
import type { Endpoint } from '#http/endpoint.ts'
import type { HttpRequest } from '#http/http-request.ts'
import { BodyFault, isJsonType } from '#http/json-body.ts'
import { canonical } from '#booking/idempotency/canonical.ts'
import { keyConflict, keyInFlight } from '#booking/idempotency/refusals.ts'
import { type Stores, storeOf } from '#booking/idempotency/either-store.ts'
import type { Answer, Outcome } from '#booking/idempotency/store.ts'
import { complete } from './complete.ts'
import { type Cart, sessionBody } from './session-body.ts'
import { type CheckoutRequest, type Decided, isCompleted } from './decided.ts'
import { echoedCart, emptyCart, emptyNotes } from './cart.ts'
import { isDryRun } from './people.ts'
import { type Body, consentIn, faultsOfLines, readBuyer } from './read.ts'
import { consentRefused, expectFaults, refusalBody, refuse, type Refusal } from './refusals.ts'
import { type SessionIds, sessionIds } from './session-ids.ts'

type AcpParts = Stores & {
  readonly bookingService: BookingService
  /** Signs session IDs. Gateways with the same secret accept each other's sessions. */
  readonly secret: string
  /** The site's origin, without a trailing slash. */
  readonly base: string
}

type CheckoutEndpoint = {
  readonly path: string
  readonly status: 200 | 201
  decide(asked: CheckoutRequest): Decided | Promise<Decided>
}

export function acpEndpoints(parts: AcpParts): Endpoint[] {
  const ids = sessionIds(parts.secret)
  const completed = (id: string) => ({ scope: 'acp session', key: id, content: '' })
  const endpoints: CheckoutEndpoint[] = [
    {
      path: acpSessions,
      status: 201,
      decide: ({ body }) => merged(ids.make(randomBytes(16)), body, true),
    },
    { path: `${acpSessions}/:id`, status: 200, decide: ({ id, body }) => merged(id, body, false) },
    { path: `${acpSessions}/:id/complete`, status: 200, decide: asked => complete(parts, asked) },
    {
      path: `${acpSessions}/:id/cancel`,
      status: 200,
      decide: async ({ id }) => {
        const stores = [parts.idempotencyStore, parts.dryRunStore]
        const found = await Promise.all(stores.map(store => store.find(completed(id))))
        return found.every(each => each === undefined)
          ? { cart: { ...emptyCart(id), status: 'canceled', notes: [] } }
          : isCompleted
      },
    },
  ]
  return endpoints.map(endpoint => ({
    path: endpoint.path,
    methods: endpoint.path === `${acpSessions}/:id` ? ['GET', 'POST'] : ['POST'],
    errorFormat: 'acp',
    answer: request => answer(parts, ids, endpoint, request),
  }))
}

/** The cart with this request's data, which isn't stored. */
function merged(id: string, body: Body, isNew: boolean): Decided {
  const { buyer, faults } = readBuyer(body)
  if (consentIn(body) === false) return consentRefused
  const [first, ...more] = [...faultsOfLines(body, isNew), ...faults]
  return first === undefined ? { cart: echoedCart(id, buyer) } : expectFaults([first, ...more])
}

async function answer(
  { base, ...stores }: AcpParts,
  ids: SessionIds,
  endpoint: CheckoutEndpoint,
  request: HttpRequest,
): Promise<TextAnswer> {
  const asked = request.headers.get('api-version')
  const date = dateOf(asked, request.version)
  if (date === undefined) return refuse(unknownDate, acpNewest)
  const { id = '' } = request.params
  const write = (status: number, decided: Decided) => written(status, decided, date, base)
  const isKnown = endpoint.status === 201 || ids.isOurs(id)
  if (request.method !== 'POST') {
    return isKnown ? sent(write(200, { cart: emptyCart(id) })) : refuse(unknownSession, date)
  }
  const body = await readBody(request)
  if ('code' in body) return refuse(body, date)
  if (!isKnown) return refuse(unknownSession, date)
  const key = request.idempotencyKey
  if (key === null && acpDateOf(asked) === '2026-04-17') return refuse(keyRequired, date)
  const decide = async () => endpoint.decide({ request, date, body: body.content, id })
  if (key === null) return sent(write(endpoint.status, await decide()))
  const scope = `acp ${request.url.pathname}`
  const store = storeOf(stores, isDryRun(body.content))
  const outcome = await store.once({ scope, key, content: canonical(body.content) }, async () =>
    write(endpoint.status, await decide()),
  )
  return replied(outcome, date)
}

/** The protocol version of the response. The site's own date, or no date, means the newest. */
const dateOf = (asked: string | null, ours: string): AcpDate | undefined =>
  asked === null || asked.trim() === ours ? acpNewest : acpDateOf(asked)

async function readBody(request: HttpRequest): Promise<{ content: Body } | Refusal> {
  const bytes = await request.body()
  // A body may be absent, because some endpoints don't need one.
  if (bytes.length === 0) return { content: {} }
  const type = request.headers.get('content-type')
  if (type !== null && !isJsonType(type)) return notJson(415)
  const read = request.parseJson(bytes)
  if (read instanceof BodyFault) return notJson(400)
  const { value } = read
  const isObject = typeof value === 'object' && value !== null && !Array.isArray(value)
  return isObject ? { content: value as Body } : notJson(400)
}

const notJson = (status: 400 | 415): Refusal => ({
  status,
  code: status === 415 ? 'unsupported_media_type' : 'invalid',
  word: status === 415 ? 'unsupported' : 'invalid',
  message:
    status === 415
      ? 'The body must be JSON: send Content-Type: application/json.'
      : 'The body must be a JSON object in UTF-8.',
  param: '$',
})

type Sendable = Answer & { readonly headers?: Readonly<Record<string, string>> }

function written(status: number, decided: Decided, date: AcpDate, site: string): Sendable {
  if ('code' in decided) {
    const body = JSON.stringify(refusalBody(decided, date))
    return { status: decided.status, body, headers: decided.headers ?? {} }
  }
  const headers = decided.isDryRun ? { 'service-dry-run': 'true' } : {}
  return { status, body: textOf(decided.cart, date, site), headers }
}

/** Every session's cart is the same except for its ID, so the cart's text is built once. The text
 *  is ASCII, because a single typographic quotation mark makes JavaScript store two bytes per
 *  character, and such a text takes twice as long to join and send. */
const emptyTexts = new Map<string, readonly string[]>()

function textOf(cart: Cart, date: AcpDate, site: string): string {
  const { notes, buyer, status } = cart
  if (notes !== emptyNotes || buyer !== undefined || status !== 'ready_for_payment') {
    return JSON.stringify(sessionBody(cart, date, site))
  }
  const name = `${date} ${site}`
  let text = emptyTexts.get(name)
  if (text === undefined) {
    text = ascii(JSON.stringify(sessionBody({ ...cart, id: '~~' }, date, site))).split('~~')
    emptyTexts.set(name, text)
  }
  return text.join(cart.id)
}

/** JSON with every non-ASCII character escaped. Decoding it from bytes makes JavaScript store one
 *  byte per character. */
function ascii(json: string): string {
  const escaped = json.replace(
    /[^\x20-\x7e]/g,
    unit => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`,
  )
  return Buffer.from(escaped).toString('latin1')
}

const sent = (answer: Sendable): TextAnswer => ({ type: 'application/json', ...answer })

function replied(outcome: Outcome, date: AcpDate): TextAnswer {
  if (outcome.kind === 'conflict') return refuse({ ...keyConflict, word: 'conflict' }, date)
  if (outcome.kind === 'in_flight') {
    return refuse({ ...keyInFlight(outcome.retrySeconds), word: 'conflict' }, date)
  }
  const { answer, replayed } = outcome
  return sent(replayed ? { ...answer, headers: { 'idempotent-replayed': 'true' } } : answer)
}

const unknownDate: Refusal = {
  status: 400,
  code: 'unsupported_api_version',
  word: 'unsupported',
  message: 'API-Version must be one of supported_versions, or omitted.',
  members: { supported_versions: acpDates.toReversed() },
}

const unknownSession: Refusal = {
  status: 404,
  code: 'not_found',
  message: `This checkout session does not exist. Create one: POST ${acpSessions}.`,
}

const keyRequired: Refusal = {
  status: 400,
  code: 'idempotency_key_required',
  word: 'missing',
  message: `Version 2026-04-17 requires an Idempotency-Key of 1 to ${acpKeyMax} characters.`,
}
