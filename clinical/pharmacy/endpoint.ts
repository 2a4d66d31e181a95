// POST /pharmacies/{connection}/updates, at the API's origin: a pharmacy's updates on orders
// transmitted to it. The signature is the credential; an unknown connection and a wrong signature
// get the same response.

import { isId, prefixes } from '#contract/ids.ts'
import { pharmacyLimits, UpdateBody } from '#contract/pharmacy/protocol.ts'
import { invalid, Problem } from '#contract/problems.ts'
import { type AuditedCall, type Caller, insertAuditRows, unauthenticated } from '#auth/audit.ts'
import type { Connection, ConnectionPool } from '#database/pool.ts'
import { BodyFault, bodyProblem, type BodyLimits, parseObject, readBody } from '#http/json-body.ts'
import type { HttpRequest } from '#http/http-request.ts'
import { type PlainEndpoint, problemResponse } from '#http/router.ts'
import type { AppContext } from '../pipeline/perform.ts'
import { problemOf, refusalRow } from '../pipeline/refuse.ts'
import { Reader, shapeOf } from '../pipeline/validate.ts'
import { readPharmacy } from './connection.ts'
import type { Pharmacy, Update } from './provider.ts'
import { verifiedId } from './signature.ts'
import { applyUpdate } from './update.ts'

const updatesPath = '/pharmacies/:connection/updates'

const bodyLimits: BodyLimits = {
  bytesMax: pharmacyLimits.updateBytesMax,
  depthMax: 8,
  takesJsonSuffix: false,
  milliseconds: 10_000,
}

type State = { readonly audited: AuditedCall; caller: Caller }

/** `pool` belongs to the role app_pharmacy. */
export const pharmacyEndpoint = (context: AppContext, pool: ConnectionPool): PlainEndpoint => ({
  path: updatesPath,
  async answer(request) {
    const state: State = { audited: auditedOf(request), caller: unauthenticated }
    try {
      return await receive(context, pool, request, state)
    } catch (failure) {
      const isOwn = failure instanceof Problem && state.caller !== unauthenticated
      if (isOwn && !failure.isAudited) await auditRefused(pool, state, failure)
      const problem = isOwn ? failure : await problemOf({ context, ...state }, failure)
      request.addLogFields({ code: problem.code })
      return problemResponse(problem, request, context.base)
    }
  },
})

const auditedOf = ({ id, address, headers }: HttpRequest): AuditedCall => ({
  surface: 'pharmacy',
  action: 'updateOrder',
  target: null,
  request: id,
  address,
  agent: headers.get('user-agent')?.slice(0, 256) ?? null,
})

const auditRefused = (pool: ConnectionPool, { caller, audited }: State, problem: Problem) =>
  pool.use(connection => connection.run(insertAuditRows(caller, audited, refusalRow(problem))))

async function receive(
  context: AppContext,
  pool: ConnectionPool,
  request: HttpRequest,
  state: State,
): Promise<Response> {
  if (request.method !== 'POST') {
    throw new Problem('method_not_allowed', { headers: { allow: 'POST' } })
  }
  if (!context.isLiveOpen()) {
    throw new Problem('service_unavailable', { detail: 'Live mode is not open on this server.' })
  }
  const bytes = await readBody(request.raw, bodyLimits)
  if (bytes instanceof BodyFault) {
    request.closesConnection ||= bytes.isUnread
    throw bodyProblem(bytes, 'v1', bodyLimits)
  }
  const id = request.params['connection'] ?? ''
  const known = isId(prefixes.pharmacy, id)
    ? await pool.use(connection => readPharmacy(connection, context.webhooks.encryption, id))
    : null
  const body = new TextDecoder().decode(bytes)
  const update = verifiedId(request.headers, body, known?.secrets ?? [], context.now())
  if (known === null || update === null) throw unsigned()
  state.caller = callerOfPharmacy(known)
  const read = readUpdate(bytes, request.headers, context.now())
  state.audited.target = read.data.order
  const digest = new Bun.CryptoHasher('sha256', body).digest('hex')
  const received = { pharmacy: known, id: update, digest, update: read }
  const apply = (connection: Connection) =>
    applyUpdate(connection, received, context, state.audited)
  const { result, tenant } = await pool.use(apply)
  if (tenant !== null) context.wakeUps.live.notify(tenant)
  request.addLogFields({ result })
  return Response.json(
    { result },
    { headers: { 'cache-control': 'no-store', 'request-id': request.id } },
  )
}

const unsigned = () =>
  new Problem('unauthorized', {
    detail: 'The signature is missing, not valid, or older than five minutes.',
    hint: 'Sign the body as Standard Webhooks describes, with the secret of this connection and the current time.',
    headers: { 'www-authenticate': 'Webhook' },
  })

const callerOfPharmacy = ({ id, organization }: Pharmacy): Caller => ({
  ...unauthenticated,
  mode: 'live',
  organization,
  credential: id,
})

function readUpdate(bytes: Uint8Array<ArrayBuffer>, headers: Headers, now: number): Update {
  const read = parseObject(bytes, headers, bodyLimits)
  if (read === undefined || read instanceof BodyFault) {
    const fault = read ?? new BodyFault('json', 'The body must not be empty.')
    throw bodyProblem(fault, 'v1', bodyLimits)
  }
  const reader = new Reader(now)
  const update = reader.read(shapeOf(UpdateBody), read, '#', 'The body') as Update
  if (reader.faults.length === 0) refuseContent(reader, update, now)
  if (reader.faults.length > 0) throw invalid(reader.faults)
  return update
}

/** Checks rules that a schema can't express. */
function refuseContent(reader: Reader, { type, timestamp, data }: Update, now: number): void {
  if (Date.parse(timestamp) > now + pharmacyLimits.toleranceSeconds * 1000) {
    reader.refuse('#/timestamp', 'too_large', 'timestamp must not be in the future.')
  }
  const hasReason = type === 'order.blocked' || type === 'order.failed'
  if (type === 'order.blocked' && data.reason === undefined) {
    reader.refuse('#/data/reason', 'required', 'reason must be present for order.blocked.')
  }
  if (!hasReason && data.reason !== undefined) {
    reader.refuse('#/data/reason', 'unknown_field', `reason must not be present for ${type}.`)
  }
  if (type !== 'order.shipped' && data.tracking !== undefined) {
    reader.refuse('#/data/tracking', 'unknown_field', `tracking must not be present for ${type}.`)
  }
}
