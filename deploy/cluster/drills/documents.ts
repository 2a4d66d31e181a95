// Live-mode documents, whose bytes are uploaded to storage: each is reserved, uploaded, confirmed
// and read at a fixed rate, and each step is repeated with the same key until it gets a response.
import { createHash } from 'node:crypto'
import { type Access, type Call, openRequest } from './client.ts'
import { startAtRate, untilAnswered } from './rate.ts'
import { openGap, patient, retryable } from './writer.ts'

const outstandingMax = 60
const uploadMilliseconds = 5000

/** A one-pixel picture, and a private chunk of bytes that no other document has. */
export function picture(size: number): Uint8Array<ArrayBuffer> {
  const pixel = Buffer.from(
    'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
    'base64',
  )
  const typed = Buffer.concat([Buffer.from('drIl'), crypto.getRandomValues(Buffer.alloc(size))])
  const [length, sum] = [Buffer.alloc(4), Buffer.alloc(4)]
  length.writeUInt32BE(size)
  sum.writeUInt32BE(Bun.hash.crc32(typed))
  const end = pixel.length - 12
  return new Uint8Array(
    Buffer.concat([pixel.subarray(0, end), length, typed, sum, pixel.subarray(end)]),
  )
}

export const digestOf = (bytes: Uint8Array): string =>
  createHash('sha256').update(bytes).digest('hex')

export type Document = { readonly id: string; readonly digest: string; readonly size: number }
export type Reserved = { id: string; upload_url: string; upload_headers: Record<string, string> }
type Filed = { id: string; status: string; size_bytes: number }

const sizes = [2_000, 50_000, 400_000] as const

type Storage = { readonly address: string; readonly url: string }

/** A document's steps, each repeated until it gets a response. `storage` is the server of the
 *  signed URL, because drill clients can't resolve its name. */
function openSteps(access: Access, storage: Storage, call: Call, key: string) {
  const answers = new Map<string, number>()
  const toStorage = openRequest({ ...access, ...storage })
  const again = <T>(step: string, attempt: () => Promise<[number, T | undefined]>): Promise<T> =>
    untilAnswered(async () => {
      const [status, found] = await attempt()
      if (found !== undefined) return found
      const kind = `${step} ${status}`
      answers.set(kind, (answers.get(kind) ?? 0) + 1)
      if (!retryable.has(status)) throw new Error(kind)
      return undefined
    })
  const send = <T>(path: string, write?: { key: string; body: unknown }) =>
    again<T>(path.replace(/file_\w+/, '{id}'), async () => {
      const answer = await call(key, path, write)
      const isDone = answer !== null && answer.status < 300
      return [answer?.status ?? 0, isDone ? (JSON.parse(answer.text) as T) : undefined]
    })
  const put = ({ upload_url, upload_headers: headers }: Reserved, body: Uint8Array<ArrayBuffer>) =>
    again('upload', async () => {
      const { pathname, search } = new URL(upload_url)
      const signal = AbortSignal.timeout(uploadMilliseconds)
      const init = { method: 'PUT', headers, body, signal }
      const status = await toStorage(pathname + search, init).then(
        answer => answer.status,
        () => 0,
      )
      return [status, status === 200 ? true : undefined]
    })
  return { send, put, answers }
}

export function openDocuments(
  access: Access,
  storage: Storage,
  { call, key, run }: { call: Call; key: string; run: string },
  rate: number,
) {
  const attached = new Map<string, Document>()
  const unexpected: string[] = []
  const { send, put, answers } = openSteps(access, storage, call, key)
  const gap = openGap()

  async function file(owner: string, number: number): Promise<void> {
    const name = `${run}-${number}.png`
    const bytes = picture(sizes[number % sizes.length] ?? sizes[0])
    const reserving = { patient: owner, mime: 'image/png', size_bytes: bytes.length }
    const reserved = await send<Reserved>('/v1/files', { key: `${name}-reserve`, body: reserving })
    await put(reserved, bytes)
    gap.mark()
    const body = { patient: owner, kind: 'clinical_photo', filename: name }
    const path = `/v1/files/${reserved.id}/confirm`
    const { id } = await send<Filed>(path, { key: `${name}-confirm`, body })
    attached.set(name, { id, digest: digestOf(bytes), size: bytes.length })
    const read = await send<Filed>(`/v1/files/${id}`)
    if (read.status === 'attached' && read.size_bytes === bytes.length) return
    unexpected.push(`${name}: read ${read.status} with ${read.size_bytes} bytes`)
  }

  const owner = send<{ id: string }>('/v1/patients', { key: `${run}-owner`, body: patient(run) })
  const { counts, finish } = startAtRate(rate, outstandingMax, number =>
    owner
      .then(({ id }) => file(id, number))
      .catch((failure: Error) => void unexpected.push(`${number}: ${failure.message}`)),
  )
  return {
    attached,
    unexpected,
    answers,
    counts: () => ({ ...counts(), attached: attached.size }),
    /** The longest time without an upload since the previous call, in seconds. */
    uploadGap: gap.seconds,
    finish,
  }
}

export type Documents = ReturnType<typeof openDocuments>
