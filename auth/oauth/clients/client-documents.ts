// Clients identified by the URL of a document about them, instead of being registered (OAuth Client
// ID Metadata Document). The document is read before the person decides, and its client gets a row
// like a registered client's. The library, tokens and pages use that row's ID.

import { limits } from '#contract/limits.ts'
import { BodyFault, isJsonType, parseJson } from '#http/json-body.ts'
import { get, type Outgoing, secondsFresh } from '#http/outgoing/get.ts'
import type { OutgoingFailure } from '#http/outgoing/pinned-request.ts'
import { faultOfPublicUrl } from '#http/outgoing/public-url.ts'
import type { ConnectionPool, Row } from '#database/pool.ts'
import { sql } from '#database/sql.ts'
import type { AuditedCall } from '../audit.ts'
import { OAuthRefusal } from '../refuse.ts'
import { checkedMetadata, isPersonGrant } from './registration.ts'
import { type ClientDocument, saveDocument } from './save-document.ts'

export const isDocumentUrl = (clientId: string): boolean => /^https:/i.test(clientId)

/** Accepts only one spelling of each URL, so the URL shown is the URL requested. */
function urlOf(clientId: string): URL {
  const refused = (fault: string) => new OAuthRefusal('invalid_client', `client_id ${fault}`)
  const url = URL.parse(clientId)
  if (url === null || clientId.length > limits.clientDocumentUrlLengthMax) {
    throw refused(`must be a URL of at most ${limits.clientDocumentUrlLengthMax} characters`)
  }
  const fault = faultOfPublicUrl(clientId, 'https://agent.example.com/client.json')
  if (fault !== null) throw refused(fault)
  if (url.pathname === '/') throw refused('must have a path')
  // Normalizing a URL changes dots in the path, upper case and a default port.
  if (url.href !== clientId || /%2e/i.test(url.pathname)) throw refused('must be normalized')
  return url
}

type StoredClient = Row & { id: string; is_fresh: boolean; is_revoked: boolean }

type Parts = {
  readonly pool: ConnectionPool
  readonly outgoing: Outgoing
  /** Counts one read of a document for this caller, and returns the HMAC of the caller's network.
   *  Throws after too many reads. */
  counted(call: AuditedCall): Promise<string>
}

export type ClientDocuments = ReturnType<typeof openClientDocuments>

/** The maximum number of simultaneous reads for all callers. */
const readsMax = 32

export function openClientDocuments({ pool, outgoing, counted }: Parts) {
  /** The documents that are being read or saved, or their clients if they were saved already. */
  const reading = new Map<string, Promise<ClientDocument | string>>()

  const find = async (clientId: string): Promise<StoredClient | undefined> => {
    const [row] = await pool.use(connection =>
      connection.run<StoredClient>(sql`
        select c.id, c.document_expires_at > now() as is_fresh, c.revoked_at is not null as is_revoked
          from auth.clients c where c.document_url = ${clientId}`),
    )
    if (row?.is_revoked === true) throw unknownClient()
    return row
  }

  /** Reads the document, unless another caller has saved it in the meantime. */
  const readOrFind = async (url: URL): Promise<ClientDocument | string> => {
    const stored = await find(url.href)
    return stored?.is_fresh === true ? stored.id : readDocument(url, outgoing)
  }

  const startReading = (url: URL) => {
    if (reading.size >= readsMax) {
      throw new OAuthRefusal('temporarily_unavailable', 'too many documents are being read', {
        headers: { 'retry-after': '5' },
      })
    }
    const started = readOrFind(url)
    reading.set(url.href, started)
    return started
  }

  return {
    /** Returns the client that the document currently describes, for a request that a person will
     *  decide on. Callers that name the same document at the same time share a read, but each saves
     *  it under its own quota. */
    async current(call: AuditedCall, clientId: string): Promise<string> {
      const url = urlOf(clientId)
      const stored = await find(clientId)
      if (stored?.is_fresh === true) return stored.id
      const network = await counted(call)
      const save = async (read: Promise<ClientDocument | string>) => {
        const found = await read
        if (typeof found === 'string') return found
        return pool.use(connection => saveDocument(connection, call, network, found))
      }
      const running = reading.get(url.href)
      if (running !== undefined) return save(running)
      return save(startReading(url)).finally(() => reading.delete(url.href))
    },
    /** Returns the client of a document that was read earlier, for a request that a person has
     *  decided. */
    async known(clientId: string): Promise<string> {
      const stored = await find(clientId)
      if (stored === undefined) throw unknownClient()
      return stored.id
    },
  }
}

const unknownClient = () => new OAuthRefusal('invalid_client', 'client authentication failed')

const reasons = {
  blocked_address: 'must not resolve to a private address',
  dns_failure: 'must have a host that resolves',
  tls_failure: 'must have a valid certificate',
  connection_failed: 'must be reachable',
  protocol_failure: 'must be served with valid HTTP',
} as const

const reasonOf = (reason: OutgoingFailure, { seconds }: Outgoing) =>
  reason === 'timeout' ? `must be served within ${seconds} seconds` : reasons[reason]

async function readDocument(url: URL, outgoing: Outgoing): Promise<ClientDocument> {
  const { clientDocumentBytesMax: bytesMax } = limits
  const fetched = await get(url, { accept: 'application/json' }, outgoing, bytesMax)
  const refused = (fault: string) =>
    new OAuthRefusal('invalid_client', `the document at client_id ${fault}`)
  if ('refused' in fetched) throw refused(reasonOf(fetched.refused, outgoing))
  const { status, headers, body } = fetched
  if (status !== 200) throw refused(`must be served with 200 and no redirect, not ${status}`)
  if (body === 'too large') {
    throw refused(`must have at most ${bytesMax} bytes`)
  }
  if (!isJsonType(headers.get('content-type'))) throw refused('must be JSON')
  const metadata = metadataOf(objectIn(body, refused), url.href, refused)
  return { url: url.href, metadata, seconds: secondsFresh(headers, fresh) }
}

const fresh = {
  min: limits.clientDocumentFreshSecondsMin,
  default: limits.clientDocumentFreshSeconds,
  max: limits.clientDocumentFreshSecondsMax,
}

type CreateRefusal = (fault: string) => OAuthRefusal

function objectIn(body: Uint8Array, refused: CreateRefusal): object {
  const read = parseJson(body, limits.bodyDepthMax)
  const value = read instanceof BodyFault ? undefined : read.value
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    throw refused('must be a JSON object')
  }
  return value
}

/** Checks a document like a registration. No response lists the replaced values, so a client that
 *  relies on a secret, or on tokens without a person, is refused. */
function metadataOf(document: object, url: string, refused: CreateRefusal) {
  const given: Record<string, unknown> = { ...document }
  if (given['client_id'] !== url) throw refused('must have the client_id it was loaded from')
  if ('client_secret' in given || 'client_secret_expires_at' in given) {
    throw refused('must not contain a secret')
  }
  const { token_endpoint_auth_method: method, grant_types: types } = given
  if (method != null && method !== 'none') {
    throw refused('must set token_endpoint_auth_method to none')
  }
  if (Array.isArray(types) && !types.some(isPersonGrant)) {
    throw refused('must have a user grant in grant_types')
  }
  return checkedMetadata(given)
}
