// Uploads documents of the maximum size as slowly as a phone, so each upload is in progress while a
// gateway is replaced. Clients may repeat a failed PUT, but here no PUT may fail.
import { type Access, type Call, openRequest } from './client.ts'
import type { Reserved } from './documents.ts'
import { patient } from './writer.ts'

const bytesMax = 26_214_400
const pieces = 100
const piece = new Uint8Array(bytesMax / pieces).fill(7)

function slowly(seconds: number): ReadableStream<Uint8Array> {
  let sent = 0
  return new ReadableStream({
    async pull(controller) {
      if (sent++ === pieces) return controller.close()
      await Bun.sleep((seconds * 1000) / pieces)
      controller.enqueue(piece)
    },
  })
}

export type Upload = { readonly began: number; readonly ended: number }

/**
 * Runs `count` senders until `finish` is called. Each sender starts its next upload when its last
 * upload ends.
 */
export function openUploads(
  access: Access,
  call: Call,
  key: string,
  count: number,
  seconds: number,
) {
  const request = openRequest(access)
  const done: Upload[] = []
  const failed: string[] = []
  const stopping = new AbortController()
  const post = async <T>(path: string, body: unknown): Promise<T> => {
    const answer = await call(key, path, { key: crypto.randomUUID(), body })
    if (answer === null || answer.status >= 300)
      throw new Error(`${path}: ${answer?.status ?? 'none'}`)
    return JSON.parse(answer.text) as T
  }
  const upload = async (owner: string) => {
    const mime = 'application/pdf'
    const reserved = await post<Reserved>('/v1/files', { patient: owner, mime })
    const began = performance.now()
    const path = reserved.upload_url.slice(new URL(reserved.upload_url).origin.length)
    const headers = reserved.upload_headers
    const answer = await request(path, { method: 'PUT', headers, body: slowly(seconds) })
    if (answer.status !== 200) throw new Error(`upload: ${answer.status} ${await answer.text()}`)
    done.push({ began, ended: performance.now() })
    const confirming = { patient: owner, kind: 'photo_id', filename: 'license.pdf' }
    const filed = await post<{ size_bytes: number }>(`/v1/files/${reserved.id}/confirm`, confirming)
    if (filed.size_bytes !== bytesMax) throw new Error(`${filed.size_bytes} bytes arrived`)
  }
  const send = async (at: number) => {
    const { id } = await post<{ id: string }>(
      '/v1/patients',
      patient(`upload-${process.pid}-${at}`),
    )
    await Bun.sleep((at / count) * seconds * 1000)
    while (!stopping.signal.aborted) {
      await upload(id).catch((failure: Error) => failed.push(failure.message))
    }
  }
  const senders = Array.from({ length: count }, (_, at) => send(at))
  return {
    done,
    failed,
    async finish() {
      stopping.abort()
      await Promise.all(senders)
    },
  }
}
