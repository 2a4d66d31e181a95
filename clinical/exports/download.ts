// Streams the bundle from storage.

import { sql } from '#database/sql.ts'
import { Problem, problems } from '#contract/problems.ts'
import { type Bytes, bundleKey, StorageUnavailable } from '../storage/storage.ts'
import { tenantNow } from '../pipeline/clock.ts'
import { read } from '../pipeline/handler.ts'
import { published } from '../pipeline/publish.ts'
import { bundleStart } from './bundle.ts'
import { presentExports } from './export.ts'

type ExportRow = {
  id: string
  status: 'pending' | 'completed' | 'failed'
  object: string
  sha256: string
  expires_at: string | null
}

const exportRowColumns = sql`id, status, object, sha256, iso(expires_at) as expires_at`

function refusalOf(code: string, { status, expires_at }: ExportRow): Problem {
  if (code === 'gone') {
    return new Problem('gone', {
      detail: 'The download expired 24 hours after the export was completed.',
      members: { expires_at },
    })
  }
  return new Problem('export_not_ready', {
    detail: status === 'failed' ? 'The export failed.' : 'The export is not completed yet.',
    members: { current_status: status },
    ...(status === 'failed' ? { hint: problems.gone.hint } : { headers: { 'retry-after': '1' } }),
  })
}

export const downloadExport = read('downloadExport', (call, { id }, { files }) => ({
  rows: sql`
    select id, ${published(exportRowColumns)} as item,
           case when status <> 'completed' then 'export_not_ready'
                when expires_at <= ${tenantNow} then 'gone' end as refused
      ${presentExports(call)} and id = ${id}`,
  refusable: {
    refusal: (code, item) => refusalOf(code, JSON.parse(item) as ExportRow),
    answer: item => item,
  },
  attachment: async item => {
    const { object, sha256 } = JSON.parse(item) as ExportRow
    const stored = await files.storage.read(bundleKey(call.principal.mode, object))
    if (!stored) throw new StorageUnavailable("the export's bundle is missing from storage")
    return {
      bytes: prefixed(bundleStart(id), stored),
      headers: {
        'content-disposition': `attachment; filename="export-${id}.json"`,
        etag: `"${Buffer.from(sha256, 'base64').toString('base64url')}"`,
      },
    }
  },
}))

/** Returns the bytes with `text` before them. */
const prefixed = (text: string, { size, open }: Bytes): Bytes => ({
  size: Buffer.byteLength(text) + size,
  async open() {
    const opened = await open()
    const reader = (opened instanceof Blob ? opened.stream() : opened).getReader()
    return new ReadableStream<Uint8Array>({
      start: controller => controller.enqueue(new TextEncoder().encode(text)),
      async pull(controller) {
        const { done, value } = await reader.read()
        if (done) controller.close()
        else controller.enqueue(value)
      },
      cancel: reason => reader.cancel(reason),
    })
  },
})
