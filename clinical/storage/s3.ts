// Storage in a bucket with the S3 interface. Clients upload documents directly to the bucket, to a
// URL with signed headers; the gateway's requests include digests of the body. A signed URL can be
// used until it expires, so confirmed documents are copied to their own key (inspect.ts).

import { AwsV4Signer } from 'aws4fetch'
import { rm } from 'node:fs/promises'
import { type LocalFile, type Storage, StorageUnavailable } from './storage.ts'

export type Bucket = {
  endpoint: string
  bucket: string
  region: string
  accessKeyId: string
  secretAccessKey: string
}

type S3Request = {
  method: 'GET' | 'HEAD' | 'PUT' | 'DELETE'
  key?: string
  query?: Record<string, string>
  headers?: Record<string, string>
  body?: Blob
  /** Statuses that aren't errors. */
  takes?: readonly number[]
  seconds?: number
}

type SendRequest = (call: S3Request) => Promise<Response>

/** The timeout for one request; a confirmation makes four of them. */
const secondsMax = 5
const bundleSecondsMax = 60
/** The timeout for a download by a slow client. */
const downloadSecondsMax = 3600

/** `aside` is the local storage for spool files before they're sent. */
export function openBucket(bucket: Bucket, aside: Storage, now: () => number): Storage {
  const { request, sign } = s3Client(bucket, now)
  return {
    spool: aside.spool,
    async direct(key, { mime, size, seconds }) {
      const headers = {
        'Content-Type': mime,
        ...(size === null ? {} : { 'Content-Length': String(size) }),
      }
      const query = { 'X-Amz-Expires': String(seconds) }
      const signed = await sign({ method: 'PUT', key, headers, query }, true)
      return { url: signed.url.href, headers }
    },
    async store(key, file) {
      const status = await putFile(request, key, file)
      // Keys are random, so an existing object of the same size is this file from a first attempt.
      if (status === 412 && (await this.stat(key))?.size !== file.size) {
        throw new StorageUnavailable('storage already has different bytes under this key')
      }
      await rm(file.path, { force: true })
    },
    async stat(key) {
      const { status, headers } = await request({ method: 'HEAD', key, takes: [404] })
      if (status === 404) return null
      return { size: Number(headers.get('content-length')), tag: headers.get('etag') ?? '' }
    },
    async slice(key, start, end) {
      const headers = { range: `bytes=${start}-${end - 1}` }
      const answer = await request({ method: 'GET', key, headers, takes: [404] })
      return answer.status === 404 ? null : new Uint8Array(await answer.arrayBuffer().catch(failed))
    },
    async read(key, part, seconds = downloadSecondsMax) {
      const stored = await this.stat(key)
      if (!stored) return null
      const size = part ? part.end - part.start : stored.size
      const headers = part ? { range: `bytes=${part.start}-${part.end - 1}` } : {}
      const opened = async () =>
        (await request({ method: 'GET', key, headers, seconds })).body ?? new Blob()
      return { size, open: async () => (size === 0 ? new Blob() : opened()) }
    },
    async copyIfUnchanged(from, to, tag) {
      const headers = {
        'x-amz-copy-source': `/${bucket.bucket}/${from}`,
        'x-amz-copy-source-if-match': tag,
      }
      const answer = await request({ method: 'PUT', key: to, headers, takes: [404, 412] })
      if (!answer.ok) return false
      // S3 responds with 200 even when a copy fails after it started; the body then contains an
      // error.
      if ((await answer.text().catch(failed)).includes('<Error>'))
        throw new StorageUnavailable('storage did not copy the object')
      return true
    },
    async remove(key) {
      await request({ method: 'DELETE', key, takes: [404] })
    },
    removeOlderThan: (prefix, seconds) =>
      prefix === 'aside'
        ? aside.removeOlderThan(prefix, seconds)
        : sweep(request, `${prefix}/`, now() - seconds * 1000),
  }
}

const failed = (cause: unknown): never => {
  throw new StorageUnavailable('storage does not respond', { cause })
}

/** Sends a file with its digests, unless an object with that key exists. */
async function putFile(request: SendRequest, key: string, file: LocalFile): Promise<number> {
  const headers = {
    'content-md5': file.md5,
    'x-amz-checksum-sha256': file.sha256,
    'x-amz-content-sha256': Buffer.from(file.sha256, 'base64').toString('hex'),
    'if-none-match': '*',
  }
  const call = { headers, body: Bun.file(file.path), takes: [412], seconds: bundleSecondsMax }
  return (await request({ method: 'PUT', key, ...call })).status
}

/** Removes objects written before a timestamp, page by page. */
async function sweep(request: SendRequest, prefix: string, before: number): Promise<number> {
  let count = 0
  for (let token: string | undefined = ''; token !== undefined;) {
    const more: Record<string, string> = token === '' ? {} : { 'continuation-token': token }
    const query = { 'list-type': '2', prefix, ...more }
    const page = await (await request({ method: 'GET', query })).text().catch(failed)
    for (const [, one = ''] of page.matchAll(/<Contents>(.*?)<\/Contents>/gs)) {
      const key = within(one, 'Key')
      const written = Date.parse(within(one, 'LastModified') ?? '')
      if (key === undefined || !(written < before)) continue
      await request({ method: 'DELETE', key, takes: [404] })
      count++
    }
    token = within(page, 'NextContinuationToken')
  }
  return count
}

/** Returns an element's text. Keys and continuation tokens contain nothing that XML escapes. */
const within = (xml: string, name: string): string | undefined =>
  new RegExp(`<${name}>([^<]*)</${name}>`).exec(xml)?.[1]

/** Requests to one bucket, signed with AWS Signature Version 4. */
function s3Client({ endpoint, bucket, ...credential }: Bucket, now: () => number) {
  const sign = ({ method, key, query = {}, headers = {} }: S3Request, inAddress = false) => {
    const url = new URL(`${endpoint}/${bucket}${key === undefined ? '' : `/${key}`}`)
    for (const [name, value] of Object.entries(query)) url.searchParams.set(name, value)
    const datetime = new Date(now()).toISOString().replaceAll(/[:-]|\.\d{3}/g, '')
    const signer = { ...credential, service: 's3', url: url.href, method, headers, datetime }
    return new AwsV4Signer({ ...signer, signQuery: inAddress, allHeaders: true }).sign()
  }
  const request = async (call: S3Request): Promise<Response> => {
    const { url, headers } = await sign(call)
    const { method, body, takes = [], seconds = secondsMax } = call
    const signal = AbortSignal.timeout(seconds * 1000)
    const init = { method, headers, signal, redirect: 'error' as const, ...(body ? { body } : {}) }
    const answer = await fetch(url, init).catch(failed)
    if (answer.ok || takes.includes(answer.status)) return answer
    const code = within(await answer.text().catch(failed), 'Code') ?? 'no code'
    throw new StorageUnavailable(`storage responded with ${answer.status} (${code}) to ${method}`)
  }
  return { request, sign }
}
