// Storage in a bucket that speaks S3. Uploads of documents go straight there, to an address whose
// every header is signed; what the house sends itself carries its digests. A signed address can be
// used again until it ends, which is why what is filed has a key of its own (inspect.ts).

import { AwsV4Signer } from 'aws4fetch'
import { rm } from 'node:fs/promises'
import { type LocalFile, type Storage, StorageAway } from './storage.ts'

export type Bucket = {
  endpoint: string
  bucket: string
  region: string
  accessKeyId: string
  secretAccessKey: string
}

type Asked = {
  method: 'GET' | 'HEAD' | 'PUT' | 'DELETE'
  key?: string
  query?: Record<string, string>
  headers?: Record<string, string>
  body?: Blob
  /** Statuses that mean something other than a fault. */
  takes?: readonly number[]
  seconds?: number
}

type Ask = (asked: Asked) => Promise<Response>

/** How long one call may take; a confirmation waits for four of them. */
const secondsMax = 5
const bundleSecondsMax = 60

/** `aside` is where bytes of this machine wait before they are taken in. */
export function openBucket(bucket: Bucket, aside: Storage, now: () => number): Storage {
  const { ask, sign } = speaker(bucket, now)
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
    async take(key, file) {
      const status = await send(ask, key, file)
      // Its key is drawn anew each time: what is there already is this file, sent by a first try.
      if (status === 412 && (await this.stat(key))?.size !== file.size) {
        throw new StorageAway('storage holds other bytes under a new key')
      }
      await rm(file.path, { force: true })
    },
    async stat(key) {
      const { status, headers } = await ask({ method: 'HEAD', key, takes: [404] })
      if (status === 404) return null
      return { size: Number(headers.get('content-length')), tag: headers.get('etag') ?? '' }
    },
    async slice(key, start, end) {
      const headers = { range: `bytes=${start}-${end - 1}` }
      const answer = await ask({ method: 'GET', key, headers, takes: [404] })
      return answer.status === 404 ? null : new Uint8Array(await answer.arrayBuffer())
    },
    async read(key) {
      const stored = await this.stat(key)
      return (
        stored && {
          size: stored.size,
          open: async () => (await ask({ method: 'GET', key, seconds: 3600 })).body ?? new Blob(),
        }
      )
    },
    async keep(from, to, tag) {
      const headers = {
        'x-amz-copy-source': `/${bucket.bucket}/${from}`,
        'x-amz-copy-source-if-match': tag,
      }
      const answer = await ask({ method: 'PUT', key: to, headers, takes: [404, 412] })
      if (!answer.ok) return false
      // A copy that fails half way is answered with 200, and says so in its body.
      if ((await answer.text()).includes('<Error>')) throw new StorageAway('storage did not copy')
      return true
    },
    async remove(key) {
      await ask({ method: 'DELETE', key, takes: [404] })
    },
    sweep: (prefix, seconds) =>
      prefix === 'aside'
        ? aside.sweep(prefix, seconds)
        : sweep(ask, `${prefix}/`, now() - seconds * 1000),
  }
}

/** Sends a file with its digests, where there is none yet. */
async function send(ask: Ask, key: string, file: LocalFile): Promise<number> {
  const headers = {
    'content-md5': file.md5,
    'x-amz-checksum-sha256': file.sha256,
    'x-amz-content-sha256': Buffer.from(file.sha256, 'base64').toString('hex'),
    'if-none-match': '*',
  }
  const asked = { headers, body: Bun.file(file.path), takes: [412], seconds: bundleSecondsMax }
  return (await ask({ method: 'PUT', key, ...asked })).status
}

/** Removes what was written before that moment, page by page of the list. */
async function sweep(ask: Ask, prefix: string, before: number): Promise<number> {
  let count = 0
  for (let token: string | undefined = ''; token !== undefined;) {
    const more: Record<string, string> = token === '' ? {} : { 'continuation-token': token }
    const query = { 'list-type': '2', prefix, ...more }
    const page = await (await ask({ method: 'GET', query })).text()
    for (const [, one = ''] of page.matchAll(/<Contents>(.*?)<\/Contents>/gs)) {
      const key = within(one, 'Key')
      const written = Date.parse(within(one, 'LastModified') ?? '')
      if (key === undefined || !(written < before)) continue
      await ask({ method: 'DELETE', key, takes: [404] })
      count++
    }
    token = within(page, 'NextContinuationToken')
  }
  return count
}

/** The text of an element. Our keys, and tokens of lists, hold nothing that XML would escape. */
const within = (xml: string, name: string): string | undefined =>
  new RegExp(`<${name}>([^<]*)</${name}>`).exec(xml)?.[1]

/** Calls of one bucket, signed as AWS Signature Version 4 says. */
function speaker({ endpoint, bucket, ...credential }: Bucket, now: () => number) {
  const sign = ({ method, key, query = {}, headers = {} }: Asked, inAddress = false) => {
    const url = new URL(`${endpoint}/${bucket}${key === undefined ? '' : `/${key}`}`)
    for (const [name, value] of Object.entries(query)) url.searchParams.set(name, value)
    const datetime = new Date(now()).toISOString().replaceAll(/[:-]|\.\d{3}/g, '')
    const signer = { ...credential, service: 's3', url: url.href, method, headers, datetime }
    return new AwsV4Signer({ ...signer, signQuery: inAddress, allHeaders: true }).sign()
  }
  const ask = async (asked: Asked): Promise<Response> => {
    const { url, headers } = await sign(asked)
    const { method, body, takes = [], seconds = secondsMax } = asked
    const signal = AbortSignal.timeout(seconds * 1000)
    const init = { method, headers, signal, redirect: 'error' as const, ...(body ? { body } : {}) }
    const answer = await fetch(url, init).catch((cause: unknown) => {
      throw new StorageAway('storage does not answer', { cause })
    })
    if (answer.ok || takes.includes(answer.status)) return answer
    const code = within(await answer.text(), 'Code') ?? 'no code'
    throw new StorageAway(`storage answers ${answer.status} (${code}) to ${method}`)
  }
  return { ask, sign }
}
