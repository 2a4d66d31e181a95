// A small S3 server for tests. It stores objects in a folder, and verifies every request with a
// different implementation of Signature Version 4 than ours. It refuses requests with S3's own
// errors.

import { SignatureV4 } from '@smithy/signature-v4'
import { createHash, createHmac } from 'node:crypto'
import { mkdir, readdir, rm, stat } from 'node:fs/promises'
import path from 'node:path'
import { now } from '#database/clock.ts'
import type { Bucket } from '../storage/s3.ts'

class Sha256 {
  readonly #hash
  constructor(secret?: string | ArrayBuffer | ArrayBufferView) {
    this.#hash = secret === undefined ? createHash('sha256') : createHmac('sha256', bytesOf(secret))
  }
  update(data: string | ArrayBuffer | ArrayBufferView) {
    this.#hash.update(bytesOf(data))
  }
  digest = async () => new Uint8Array(this.#hash.digest())
  reset() {}
}

const bytesOf = (data: string | ArrayBuffer | ArrayBufferView): Buffer =>
  typeof data === 'string'
    ? Buffer.from(data)
    : ArrayBuffer.isView(data)
      ? Buffer.from(data.buffer, data.byteOffset, data.byteLength)
      : Buffer.from(data)

const error = (status: number, code: string) =>
  new Response(`<?xml version="1.0"?><Error><Code>${code}</Code></Error>`, { status })

/** Turns `20261120T150405Z` into `2026-11-20T15:04:05Z`. */
const momentOf = (text: string) =>
  new Date(text.replace(/^(....)(..)(..)T(..)(..)(..)Z$/, '$1-$2-$3T$4:$5:$6Z'))

/** Verifies that a request was signed with these credentials; returns the error response if not. */
export function verifierOf(
  { region, ...keys }: Omit<Bucket, 'endpoint' | 'bucket'>,
  service = 's3',
) {
  const signer = new SignatureV4({
    credentials: { accessKeyId: keys.accessKeyId, secretAccessKey: keys.secretAccessKey },
    region,
    service,
    sha256: Sha256,
    uriEscapePath: false,
    applyChecksum: false,
  })
  return async (request: Request, body = ''): Promise<Response | null> => {
    const url = new URL(request.url)
    const query = Object.fromEntries(url.searchParams)
    const inAddress = query['X-Amz-Signature']
    const authorization = request.headers.get('authorization') ?? ''
    const list = inAddress
      ? query['X-Amz-SignedHeaders']
      : /SignedHeaders=([^,]+)/.exec(authorization)?.[1]
    const signableHeaders = new Set((list ?? '').split(';'))
    const signed = [...signableHeaders].map(name => [name, request.headers.get(name) ?? ''])
    const unsigned = {
      method: request.method,
      protocol: url.protocol,
      hostname: url.hostname,
      port: Number(url.port),
      path: url.pathname,
      headers: Object.fromEntries(signed) as Record<string, string>,
      body,
    }
    const date = query['X-Amz-Date'] ?? request.headers.get('x-amz-date') ?? ''
    const options = { signingDate: momentOf(date), signableHeaders }
    if (!inAddress) {
      const expected = await signer.sign({ ...unsigned, query }, options)
      const ours = /Signature=(\w+)/.exec(expected.headers['authorization'] ?? '')?.[1]
      return authorization.endsWith(`Signature=${ours}`)
        ? null
        : error(403, 'SignatureDoesNotMatch')
    }
    const expiresIn = Number(query['X-Amz-Expires'])
    if (now() >= options.signingDate.getTime() + expiresIn * 1000) return error(403, 'AccessDenied')
    // A presigned URL doesn't cover the payload.
    unsigned.headers[payload] = 'UNSIGNED-PAYLOAD'
    const plain = Object.entries(query).filter(([name]) => !name.startsWith('X-Amz-'))
    const expected = await signer.presign(
      { ...unsigned, query: Object.fromEntries(plain) },
      {
        ...options,
        expiresIn,
        unsignableHeaders: new Set([payload]),
        unhoistableHeaders: new Set([...signableHeaders, payload]),
      },
    )
    const isOurs = expected.query?.['X-Amz-Signature'] === inAddress
    return isOurs ? null : error(403, 'SignatureDoesNotMatch')
  }
}

const payload = 'x-amz-content-sha256'

/** Returns one item per page, so a client has to read several pages. */
async function listOf(folder: string, { searchParams }: URL): Promise<Response> {
  const prefix = (searchParams.get('prefix') ?? '').replaceAll('/', '~')
  const after = searchParams.get('continuation-token') ?? ''
  const all = (await readdir(folder)).filter(name => name.startsWith(prefix) && name > after)
  const [name, ...others] = all.toSorted()
  if (name === undefined) return new Response('<ListBucketResult></ListBucketResult>')
  const { mtime } = await stat(path.join(folder, name))
  const next = others.length > 0 ? `<NextContinuationToken>${name}</NextContinuationToken>` : ''
  return new Response(
    `<ListBucketResult>${next}<Contents><Key>${name.replaceAll('~', '/')}</Key>` +
      `<LastModified>${mtime.toISOString()}</LastModified></Contents></ListBucketResult>`,
  )
}

/** A bucket's objects, stored in a folder by key, and the operations on an object. */
function objectsIn(folder: string, bucket: string) {
  const fileOf = (key: string) => path.join(folder, key.replaceAll('/', '~'))
  const tagOf = async (key: string) => {
    const file = Bun.file(fileOf(key))
    if (!(await file.exists())) return null
    return `"${createHash('md5')
      .update(await file.bytes())
      .digest('hex')}"`
  }

  async function copy(from: string, headers: Headers, key: string): Promise<Response> {
    const source = from.slice(`/${bucket}/`.length)
    const tag = await tagOf(source)
    if (tag === null) return error(404, 'NoSuchKey')
    if (headers.get('x-amz-copy-source-if-match') !== tag) return error(412, 'PreconditionFailed')
    await Bun.write(fileOf(key), await Bun.file(fileOf(source)).bytes())
    return new Response('<CopyObjectResult></CopyObjectResult>')
  }

  async function put(request: Request, key: string): Promise<Response> {
    const from = request.headers.get('x-amz-copy-source')
    if (from !== null) return copy(from, request.headers, key)
    const bytes = new Uint8Array(await request.arrayBuffer())
    const is = (name: string, algorithm: string) => {
      const digest = request.headers.get(name)
      return digest === null || digest === createHash(algorithm).update(bytes).digest('base64')
    }
    if (!is('content-md5', 'md5') || !is('x-amz-checksum-sha256', 'sha256')) {
      return error(400, 'BadDigest')
    }
    const signed = request.headers.get('x-amz-content-sha256')
    const hex = createHash('sha256').update(bytes).digest('hex')
    if (signed !== null && signed !== 'UNSIGNED-PAYLOAD' && signed !== hex) {
      return error(400, 'XAmzContentSHA256Mismatch')
    }
    if (request.headers.get('if-none-match') === '*' && (await tagOf(key)) !== null) {
      return error(412, 'PreconditionFailed')
    }
    await Bun.write(fileOf(key), bytes)
    return new Response(null)
  }

  async function get(request: Request, key: string): Promise<Response> {
    const etag = await tagOf(key)
    if (etag === null) return error(404, 'NoSuchKey')
    const file = Bun.file(fileOf(key))
    const headers = { etag, 'content-length': String(file.size) }
    if (request.method === 'HEAD') return new Response(null, { headers })
    const range = /^bytes=(\d+)-(\d+)$/.exec(request.headers.get('range') ?? '')
    return range
      ? new Response(file.slice(Number(range[1]), Number(range[2]) + 1), { status: 206 })
      : new Response(file)
  }

  const remove = async (key: string) => {
    await rm(fileOf(key), { force: true })
    return new Response(null, { status: 204 })
  }
  return { put, get, remove }
}

const stalled = () =>
  new ReadableStream({ start: controller => controller.enqueue(new Uint8Array(1)) })

type Listening = { hostname: string; port: number; tls: { certificate: string; key: string } }

/** Without `at`, uses a free port on this machine and no TLS. */
export function openS3(
  folder: string,
  { bucket, ...credentials }: Omit<Bucket, 'endpoint'>,
  at?: Listening,
) {
  const verify = verifierOf(credentials)
  const objects = objectsIn(folder, bucket)
  let isUnavailable = false
  let stalls = false
  let released: Promise<void> | null = null
  let held = 0
  const requests: string[] = []
  const server = Bun.serve({
    port: at?.port ?? 0,
    hostname: at?.hostname ?? '127.0.0.1',
    ...(at && { tls: { cert: Bun.file(at.tls.certificate), key: Bun.file(at.tls.key) } }),
    async fetch(request) {
      if (isUnavailable) return error(503, 'SlowDown')
      if (released) {
        held++
        await released
        held--
      }
      await mkdir(folder, { recursive: true })
      const url = new URL(request.url)
      const refused = await verify(request)
      requests.push(`${request.method} ${url.pathname} ${refused?.status ?? 200}`)
      if (refused) return refused
      const key = url.pathname.slice(`/${bucket}/`.length)
      if (url.pathname === `/${bucket}`) return listOf(folder, url)
      if (request.method === 'PUT') return objects.put(request, key)
      if (request.method === 'GET' && stalls) return new Response(stalled())
      if (request.method !== 'DELETE') return objects.get(request, key)
      return objects.remove(key)
    },
  })
  return {
    endpoint: `http://127.0.0.1:${server.port}`,
    folder,
    requests,
    setUnavailable: (is: boolean) => void (isUnavailable = is),
    /** Whether objects stop arriving after their first byte. */
    setStalled: (is: boolean) => void (stalls = is),
    /** How many requests wait for the end of `hold`. */
    held: () => held,
    /** Makes requests wait, until the returned function is called. */
    hold() {
      const { promise, resolve } = Promise.withResolvers<void>()
      released = promise
      return () => {
        released = null
        resolve()
      }
    },
    stop: () => server.stop(true),
  }
}
