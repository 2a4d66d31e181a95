// The models stored in auth.artifacts: codes, refresh tokens, device codes, interactions.

import type { AdapterPayload } from 'oidc-provider'
import { limits } from '#contract/limits.ts'
import { networkOf } from '#http/limits/rate-limiter.ts'
import { isRefreshToken } from '../../tokens.ts'
import { ageOf } from '../request.ts'
import { currentRequest, currentRoute } from './current-request.ts'
import { normalizedUserCode } from '../secrets.ts'
import {
  type ArtifactRow,
  findArtifact,
  pollDevice,
  removeArtifact,
  saveCode,
  saveDevice,
  saveInteraction,
} from '../tokens/artifacts.ts'
import { errors } from './library.ts'
import { type AdapterParts, type Find, type Model, theRequest } from './model.ts'

/** The payload that the library reads from any row, with the value restored. */
function payloadOf(kind: string, value: string, row: ArtifactRow): AdapterPayload {
  return {
    ...row.payload,
    kind,
    jti: value,
    clientId: row.client,
    ...(row.person === null ? {} : { accountId: row.person }),
    ...(row.family_id === null ? {} : { grantId: row.family_id }),
    ...(row.consumed_ago === null ? {} : { consumed: true }),
    iat: row.iat,
    exp: row.exp,
  }
}

/** The fields that the payload omits: the value, and the fields stored in the row's columns. */
const omitted = new Set(
  'jti kind clientId grantId accountId consumed iat exp sessionUid sid returnTo userCode session'.split(
    ' ',
  ),
)

const storedPayload = (payload: AdapterPayload): Record<string, unknown> =>
  Object.fromEntries(Object.entries(payload).filter(([name]) => !omitted.has(name)))

function rememberFamily({ family_id: id, family }: ArtifactRow): void {
  if (id !== null) currentRequest()?.families.set(id, family)
}

const consumeLater = async (value: string): Promise<void> => {
  const request = theRequest()
  const found = request.found.get(value)
  if (found === undefined) throw new Error('only a value that was found can be consumed')
  request.consumed = found
}

/** Whether the current request arrived before the response to the request that consumed the value,
 *  so no response was lost, and it isn't a sign of theft. Called once the row has been read: the
 *  request is now older than `consumed_ago` if it arrived before the value was consumed, however
 *  long the statement waited. */
function isConcurrentWith(
  { responseTimes }: AdapterParts,
  name: string,
  { consumed_ago }: ArtifactRow,
): boolean {
  if (consumed_ago === null) return false
  const request = theRequest()
  return responseTimes.cameBefore(name, request.arrived) ?? consumed_ago < ageOf(request)
}

const cameSecond = () => new errors.InvalidGrant('another request came first')

const nameOf = ({ secrets }: AdapterParts, value: string) => secrets.hash(value).toHex()

function findConsumable(parts: AdapterParts, kind: 'code' | 'refresh', model: string): Find {
  const { pool, secrets } = parts
  return async value => {
    const request = theRequest()
    const hashes = secrets.hashes(value)
    const row = await pool.use(connection => findArtifact(connection, kind, hashes))
    if (row === undefined || row.family_id === null) return undefined
    rememberFamily(row)
    const isRefresh = kind === 'refresh' && currentRoute() === 'token'
    const name = nameOf(parts, value)
    const isConcurrent = isRefresh && isConcurrentWith(parts, name, row)
    const ago = row.consumed_ago ?? Number.POSITIVE_INFINITY
    const isRetry = isRefresh && ago < limits.refreshGraceSeconds * 1000
    if (isConcurrent && !isRetry) throw cameSecond()
    request.found.set(value, { kind, hashes, name, family: row.family_id, isRetry, isConcurrent })
    const payload = payloadOf(model, value, row)
    if (isRetry) {
      delete payload.consumed
      const found = await storedSuccessor(parts, value)
      if (found !== undefined) request.successor = found
    }
    return payload
  }
}

/** While a pepper is being replaced, the gateway that responded first may have had a different
 *  newest pepper. */
async function storedSuccessor({ pool, secrets }: AdapterParts, value: string) {
  const candidates = secrets.successors(value)
  if (candidates.length === 1) return candidates[0]
  for (const candidate of candidates) {
    const hashes = secrets.hashes(candidate)
    const row = await pool.use(connection => findArtifact(connection, 'refresh', hashes))
    if (row !== undefined) return candidate
  }
  return undefined
}

export function refreshTokenModel(parts: AdapterParts): Model {
  const find = findConsumable(parts, 'refresh', 'RefreshToken')
  return {
    find: async value => (isRefreshToken(value) ? find(value) : undefined),
    consume: consumeLater,
    async upsert(value, payload, seconds) {
      theRequest().refresh = { value, payload: storedPayload(payload), seconds: Number(seconds) }
    },
  }
}

export function codeModel(parts: AdapterParts): Model {
  const { pool, secrets } = parts
  return {
    find: findConsumable(parts, 'code', 'AuthorizationCode'),
    consume: consumeLater,
    async upsert(value, payload, seconds) {
      const stands = await pool.use(connection =>
        saveCode(connection, {
          kind: 'code',
          hash: secrets.hash(value),
          pepper: secrets.pepper,
          client: String(payload.clientId),
          family: payload.grantId ?? null,
          payload: storedPayload(payload),
          seconds: Number(seconds),
        }),
      )
      if (!stands) throw new errors.AccessDenied('the consent was withdrawn')
    },
  }
}

export function deviceModel(parts: AdapterParts): Model {
  const { pool, secrets } = parts
  return {
    async find(value) {
      const request = theRequest()
      const hashes = secrets.hashes(value)
      const row = await pool.use(connection => pollDevice(connection, hashes, request.client ?? ''))
      if (row === undefined) return undefined
      if (row.is_hasty) throw new errors.SlowDown()
      const name = nameOf(parts, value)
      if (isConcurrentWith(parts, name, row)) throw cameSecond()
      rememberFamily(row)
      if (row.family_id !== null) {
        request.found.set(value, {
          kind: 'device',
          hashes,
          name,
          family: row.family_id,
          isRetry: false,
        })
      }
      const payload = payloadOf('DeviceCode', value, row)
      // A person who only opened the page hasn't approved the request.
      if (row.family_id === null) delete payload.accountId
      return row.is_denied ? { ...payload, error: 'access_denied' } : payload
    },
    consume: async value => {
      // A denied device gets no tokens.
      if (theRequest().found.has(value)) await consumeLater(value)
    },
    async upsert(value, payload, seconds) {
      const { params } = payload as { params: { scope?: string; resource?: unknown } }
      const stored = { ...storedPayload(payload), scope: params.scope, resource: params.resource }
      const isSaved = await pool.use(connection =>
        saveDevice(connection, {
          kind: 'device',
          hash: secrets.hash(value),
          pepper: secrets.pepper,
          userCode: secrets.hash(`user code ${normalizedUserCode(payload.userCode ?? '')}`),
          client: String(payload.clientId),
          network: networkOf(theRequest().call.address),
          payload: stored,
          seconds: Number(seconds),
        }),
      )
      if (!isSaved) throw new errors.TemporarilyUnavailable('too many device codes are open')
    },
  }
}

export function interactionModel({ pool, secrets, resumeUrl }: AdapterParts): Model {
  const named = (id: string) => `interaction ${id}`
  return {
    async find(id) {
      const row = await pool.use(connection =>
        findArtifact(connection, 'interaction', secrets.hashes(named(id))),
      )
      if (row === undefined) return undefined
      return { ...payloadOf('Interaction', id, row), returnTo: resumeUrl(id) }
    },
    async upsert(id, payload, seconds) {
      const { client_id } = payload.params as { client_id: string }
      const artifact = {
        kind: 'interaction',
        hash: secrets.hash(named(id)),
        pepper: secrets.pepper,
        client: client_id,
      } as const
      const stored = storedPayload(payload)
      await pool.use(connection =>
        saveInteraction(connection, { ...artifact, payload: stored, seconds: Number(seconds) }),
      )
    },
    /** Only one of several simultaneous requests gets the code. */
    async destroy(id) {
      const hashes = secrets.hashes(named(id))
      const removed = await pool.use(connection => removeArtifact(connection, hashes))
      if (removed.length === 0) throw new errors.SessionNotFound('the request has ended')
    },
  }
}
