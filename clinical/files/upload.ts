// The door for bytes: PUT /uploads/{token}, which is no operation of /v1. Its answers are text, as
// storage's are. What arrives is written aside, counted and digested, and takes its place only when
// it is whole and the reservation is still one; in test mode it is counted and nothing else.

import { limits } from '#contract/limits.ts'
import { isAway as isDatabaseAway } from '#database/failures.ts'
import { PoolTimeout, type Connection } from '#database/pool.ts'
import { sql } from '#database/sql.ts'
import type { AppContext } from '../pipeline/perform.ts'
import { keepsUploads } from '../modes.ts'
import { type LocalFile, type Spool, StorageAway, uploaded } from '../storage/storage.ts'
import { inTenant } from './in-tenant.ts'
import type { Named } from './tokens.ts'

/** After so long an upload is cut, however much of it has come. */
const secondsMax = 900
const atOnceMax = 64
/** So that one integration that sends slowly does not keep the others out. */
const shareMax = 16

type Reserved = { id: string; mime: string; declared_bytes: number | null }
type Upload = Extract<Named, { kind: 'upload' }>

/** What is said to whoever sends bytes that are not taken. */
class Refused extends Error {
  constructor(
    readonly status: number,
    message: string,
  ) {
    super(message)
  }
}

const mayCross = {
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

/** `patience` is told when an upload begins, and ends when it has had its time. */
export function uploadEndpoint(
  context: AppContext,
  patience = (): AbortSignal => AbortSignal.timeout(secondsMax * 1000),
) {
  const turns = openTurns()
  return async (request: Request, token: string): Promise<Response> => {
    // The address is all the credential there is, so a page of anybody's may use it.
    if (request.method === 'OPTIONS') return new Response(null, { status: 204, headers: mayCross })
    if (request.method !== 'PUT') return answer(405, 'Send PUT.', { allow: 'OPTIONS, PUT' })
    const named = context.files.tokens.open(token)
    const whose = named === null ? 'nobody' : `${named.mode} ${named.tenant}`
    if (!turns.take(whose)) return answer(503, 'Try again shortly.', { 'retry-after': '5' })
    try {
      await receive(context, request, named, patience())
      return answer(200, '')
    } catch (failure) {
      return refusalOf(context, failure)
    } finally {
      turns.give(whose)
    }
  }
}

/** How many uploads are under way, of each tenant and of all. */
function openTurns() {
  const counts = new Map<string, number>()
  let all = 0
  return {
    take(whose: string): boolean {
      const own = counts.get(whose) ?? 0
      if (all >= atOnceMax || own >= shareMax) return false
      all++
      counts.set(whose, own + 1)
      return true
    },
    give(whose: string): void {
      all--
      const own = (counts.get(whose) ?? 1) - 1
      if (own === 0) counts.delete(whose)
      else counts.set(whose, own)
    },
  }
}

function refusalOf(context: AppContext, failure: unknown): Response {
  // What is left of the body would be read as the next request.
  const close = { connection: 'close' }
  if (failure instanceof Refused) return answer(failure.status, failure.message, close)
  context.onError(failure)
  const isAway =
    failure instanceof StorageAway || failure instanceof PoolTimeout || isDatabaseAway(failure)
  return isAway
    ? answer(503, 'Try again shortly.', { ...close, 'retry-after': '1' })
    : answer(500, 'The upload failed. Nothing was stored.', close)
}

const over = 'The upload URL is not valid. Its reservation was confirmed or has ended.'

async function receive(
  context: AppContext,
  request: Request,
  named: Named | null,
  patience: AbortSignal,
): Promise<void> {
  if (named?.kind !== 'upload') throw new Refused(403, over)
  const reserved = await inTenant(context, named, connection => find(connection, named))
  if (!reserved) throw new Refused(403, over)
  const expected = lengthOf(request.headers, reserved)
  const isKept = keepsUploads(named.mode)
  const spool = isKept ? await context.files.storage.spool() : null
  try {
    const size = await pour(request, spool, expected, patience)
    if (spool) await keep(context, named, await spool.end(), request.headers)
    if (!(await inTenant(context, named, connection => note(connection, named, size)))) {
      if (isKept) await context.files.storage.remove(uploaded(named.mode, named.object))
      throw new Refused(403, over)
    }
  } finally {
    await spool?.discard()
  }
}

const stillReserved = ({ tenant, object }: Upload) => sql`
  tenant = ${tenant}::bigint and object = ${object} and status = 'reserved'
  and expires_at > now()
  and exists (select from patients p
               where p.tenant = files.tenant and p.id = files.patient and p.deleted_at is null)`

async function find(connection: Connection, named: Upload): Promise<Reserved | null> {
  const [row] = await connection.run<Reserved>(
    sql`select id, mime, declared_bytes from files where ${stillReserved(named)}`,
  )
  return row ?? null
}

async function note(connection: Connection, named: Upload, size: number): Promise<boolean> {
  const rows = await connection.run(
    sql`update files set size_bytes = ${size}::int where ${stillReserved(named)} returning id`,
  )
  return rows.length > 0
}

/** Every header of the reservation must be there as it was given, as storage elsewhere demands.
 *  Answers how many bytes must come, or null when that was not said. */
function lengthOf(headers: Headers, { id, mime, declared_bytes }: Reserved): number | null {
  const must = (name: string, value: string) => {
    if (headers.get(name) === value) return
    throw new Refused(403, `${name} must be sent as upload_headers has it.`)
  }
  must('Content-Type', mime)
  must('X-Upload-Reservation', id)
  if (declared_bytes !== null) must('Content-Length', String(declared_bytes))
  if (headers.has('content-encoding')) throw new Refused(403, 'Send the bytes without an encoding.')
  const length = headers.get('content-length')
  if (length === null) return null
  if (Number(length) > limits.fileBytesMax) throw tooLarge()
  return Number(length)
}

const tooLarge = () => new Refused(413, `A file has at most ${limits.fileBytesMax} bytes.`)

/** Takes the bytes in as they come, and answers how many came. */
async function pour(
  { body }: Request,
  spool: Spool | null,
  expected: number | null,
  patience: AbortSignal,
): Promise<number> {
  const next = chunksOf(body, patience)
  let size = 0
  for (let bytes = await next(); bytes; bytes = await next()) {
    size += bytes.length
    if (size > limits.fileBytesMax) throw tooLarge()
    await spool?.write(bytes)
  }
  if (size === 0) throw new Refused(400, 'The upload is empty.')
  if (expected !== null && size !== expected) throw new Refused(400, 'The upload ended early.')
  return size
}

/** One chunk after another, then null; a sender that is gone, or too slow, is refused. */
function chunksOf(body: Request['body'], patience: AbortSignal) {
  const reader = body?.getReader()
  const over = new Promise<never>((_, reject) => {
    const late = () => reject(new Refused(408, 'The upload took too long.'))
    patience.addEventListener('abort', late, { once: true })
    if (patience.aborted) late()
  })
  over.catch(() => reader?.cancel().catch(() => undefined))
  return async (): Promise<Uint8Array | null> => {
    const reading = reader?.read() ?? Promise.resolve({ done: true, value: undefined })
    const ended = reading.catch(() => {
      throw new Refused(400, 'The upload ended early.')
    })
    const { done, value } = await Promise.race([ended, over])
    return done || !value ? null : value
  }
}

async function keep(context: AppContext, named: Upload, file: LocalFile, headers: Headers) {
  const said = headers.get('content-md5')
  if (said !== null && said !== file.md5)
    throw new Refused(400, 'Content-MD5 must be the MD5 of the uploaded bytes.')
  await context.files.storage.take(uploaded(named.mode, named.object), file)
}
