// PUT /uploads/{token}, which isn't an operation of /v1. It responds with text, like a storage
// service. Bytes are written to a spool file, counted and hashed, and moved to storage only if
// they're complete and the reservation is still open. In test mode they're only counted.

import { limits } from '#contract/limits.ts'
import { isAway as isDatabaseAway } from '#database/failures.ts'
import type { Connection } from '#database/pool.ts'
import { sql } from '#database/sql.ts'
import { isFramed } from '#http/read-bytes.ts'
import { tenantNow } from '../pipeline/clock.ts'
import type { AppContext } from '../pipeline/perform.ts'
import { keepsUploads } from '../modes.ts'
import { type LocalFile, type Spool, StorageUnavailable, uploadKey } from '../storage/storage.ts'
import { inTenant } from './in-tenant.ts'
import type { TokenPayload } from '../tokens.ts'

/** The time limit for one upload, in seconds. */
const secondsMax = 900
const atOnceMax = 64
/** The limit per tenant keeps one slow sender from blocking other senders. */
const shareMax = 16

type Reserved = { id: string; mime: string; declared_bytes: number | null }
type Upload = Extract<TokenPayload, { kind: 'upload' }>

/** Refuses an upload with a status and a message for the sender. */
class UploadRefused extends Error {
  constructor(
    readonly status: number,
    message: string,
  ) {
    super(message)
  }
}

const corsHeaders = {
  'access-control-allow-origin': '*',
  'access-control-allow-methods': 'PUT',
  'access-control-allow-headers': 'content-md5, content-type, x-upload-reservation',
  'access-control-max-age': '86400',
}

const answer = (status: number, text: string, more: Record<string, string> = {}) =>
  new Response(text === '' ? null : `${text}\n`, {
    status,
    headers: {
      'content-type': 'text/plain; charset=utf-8',
      'cache-control': 'no-store',
      'x-content-type-options': 'nosniff',
      'access-control-allow-origin': '*',
      ...more,
    },
  })

/** `openDeadline` is called when an upload starts; its signal aborts the upload. */
export function uploadEndpoint(
  context: AppContext,
  openDeadline = (): AbortSignal => AbortSignal.timeout(secondsMax * 1000),
) {
  const quota = openUploadQuota()
  return async (request: Request, token: string): Promise<Response> => {
    // The URL is the only credential, so pages from any origin may send it.
    if (request.method === 'OPTIONS')
      return new Response(null, { status: 204, headers: corsHeaders })
    if (request.method !== 'PUT') return answer(405, 'Send PUT.', { allow: 'OPTIONS, PUT' })
    const named = context.files.tokens.open(token)
    const owner = named === null ? 'unknown' : `${named.mode} ${named.tenant}`
    if (!quota.acquire(owner)) return answer(503, 'Try again shortly.', { 'retry-after': '5' })
    try {
      await receive(context, request, named, openDeadline())
      return answer(200, '')
    } catch (failure) {
      return refusalOf(context, failure)
    } finally {
      quota.release(owner)
    }
  }
}

/** Limits concurrent uploads, per tenant and in total. */
function openUploadQuota() {
  const counts = new Map<string, number>()
  let all = 0
  return {
    acquire(owner: string): boolean {
      const own = counts.get(owner) ?? 0
      if (all >= atOnceMax || own >= shareMax) return false
      all++
      counts.set(owner, own + 1)
      return true
    },
    release(owner: string): void {
      all--
      const own = (counts.get(owner) ?? 1) - 1
      if (own === 0) counts.delete(owner)
      else counts.set(owner, own)
    },
  }
}

function refusalOf(context: AppContext, failure: unknown): Response {
  // Otherwise, the rest of the body would be read as the next request.
  const close = { connection: 'close' }
  if (failure instanceof UploadRefused) return answer(failure.status, failure.message, close)
  context.onError(failure)
  const isAway = failure instanceof StorageUnavailable || isDatabaseAway(failure)
  return isAway
    ? answer(503, 'Try again shortly.', { ...close, 'retry-after': '1' })
    : answer(500, 'The upload failed. Nothing was stored.', close)
}

const invalidUrl = 'The upload URL is not valid. Its reservation was confirmed or has expired.'

async function receive(
  context: AppContext,
  request: Request,
  named: TokenPayload | null,
  deadline: AbortSignal,
): Promise<void> {
  if (named?.kind !== 'upload') throw new UploadRefused(403, invalidUrl)
  const reserved = await inTenant(context, named, connection => find(connection, named))
  if (!reserved) throw new UploadRefused(403, invalidUrl)
  const expected = lengthOf(request.headers, reserved)
  const isKept = keepsUploads(named.mode)
  const spool = isKept ? await context.files.storage.spool() : null
  try {
    const size = await receiveBytes(request, spool, expected, deadline)
    if (spool) await storeUpload(context, named, await spool.end(), request.headers)
    if (!(await inTenant(context, named, connection => recordSize(connection, named, size)))) {
      if (isKept) await context.files.storage.remove(uploadKey(named.mode, named.object))
      throw new UploadRefused(403, invalidUrl)
    }
  } finally {
    await spool?.discard()
  }
}

const stillReserved = ({ tenant, object }: Upload) => sql`
  tenant = ${tenant}::bigint and object = ${object} and status = 'reserved'
  and expires_at > ${tenantNow}
  and exists (select from patients p
               where p.tenant = files.tenant and p.id = files.patient and p.deleted_at is null)`

async function find(connection: Connection, named: Upload): Promise<Reserved | null> {
  const [row] = await connection.run<Reserved>(
    sql`select id, mime, declared_bytes from files where ${stillReserved(named)}`,
  )
  return row ?? null
}

async function recordSize(connection: Connection, named: Upload, size: number): Promise<boolean> {
  const rows = await connection.run(
    sql`update files set size_bytes = ${size}::int where ${stillReserved(named)} returning id`,
  )
  return rows.length > 0
}

/** Checks the reservation's headers, as S3 does with signed headers. Returns the declared length,
 *  or null without a Content-Length. */
function lengthOf(headers: Headers, { id, mime, declared_bytes }: Reserved): number | null {
  const requireHeader = (name: string, value: string) => {
    if (headers.get(name) === value) return
    throw new UploadRefused(403, `${name} must be sent exactly as in upload_headers.`)
  }
  requireHeader('Content-Type', mime)
  requireHeader('X-Upload-Reservation', id)
  if (declared_bytes !== null) requireHeader('Content-Length', String(declared_bytes))
  if (headers.has('content-encoding'))
    throw new UploadRefused(403, 'Send the bytes without a Content-Encoding.')
  const length = headers.get('content-length')
  if (length === null) return null
  if (Number(length) > limits.fileBytesMax) throw tooLarge()
  return Number(length)
}

const tooLarge = () =>
  new UploadRefused(413, `A file can have at most ${limits.fileBytesMax} bytes.`)

/** Writes the body to the spool, and returns its size in bytes. */
async function receiveBytes(
  request: Request,
  spool: Spool | null,
  expected: number | null,
  deadline: AbortSignal,
): Promise<number> {
  const next = chunksOf(request.body, deadline)
  let size = 0
  for (let bytes = await next(); bytes; bytes = await next()) {
    size += bytes.length
    if (size > limits.fileBytesMax) throw tooLarge()
    await spool?.write(bytes)
  }
  if (size === 0) throw new UploadRefused(400, 'The upload is empty.')
  if ((expected !== null && size !== expected) || !(await isFramed(request))) throw cutOff()
  return size
}

const cutOff = () => new UploadRefused(400, 'The upload ended early.')

/** Reads one chunk after another, then null; refuses when the sender aborts or is too slow. */
function chunksOf(body: Request['body'], deadline: AbortSignal) {
  const reader = body?.getReader()
  const timedOut = new Promise<never>((_, reject) => {
    const late = () => reject(new UploadRefused(408, 'The upload took too long.'))
    deadline.addEventListener('abort', late, { once: true })
    if (deadline.aborted) late()
  })
  timedOut.catch(() => reader?.cancel().catch(() => undefined))
  return async (): Promise<Uint8Array | null> => {
    const reading = reader?.read() ?? Promise.resolve({ done: true, value: undefined })
    const ended = reading.catch(() => {
      throw cutOff()
    })
    const { done, value } = await Promise.race([ended, timedOut])
    return done || !value ? null : value
  }
}

async function storeUpload(context: AppContext, named: Upload, file: LocalFile, headers: Headers) {
  const contentMd5 = headers.get('content-md5')
  if (contentMd5 !== null && contentMd5 !== file.md5)
    throw new UploadRefused(400, 'Content-MD5 must be the MD5 of the uploaded bytes.')
  await context.files.storage.store(uploadKey(named.mode, named.object), file)
}
