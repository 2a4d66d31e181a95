// The bundle as it was assembled, piece by piece out of storage.

import { sql } from '#database/sql.ts'
import { Problem } from '#contract/problems.ts'
import { type Bytes, bundled, StorageAway } from '../storage/storage.ts'
import { read } from '../pipeline/handler.ts'
import { published } from '../pipeline/publish.ts'
import { opening } from './bundle.ts'
import { presentExports } from './export.ts'

type Found = {
  id: string
  status: 'pending' | 'completed' | 'failed'
  object: string
  sha256: string
  expires_at: string | null
}

const shown = sql`id, status, object, sha256, iso(expires_at) as expires_at`

function refusalOf(code: string, { status, expires_at }: Found): Problem {
  if (code === 'gone') {
    return new Problem('gone', {
      detail: 'The download was open for 24 hours.',
      members: { expires_at },
    })
  }
  return new Problem('export_not_ready', {
    detail: status === 'failed' ? 'The export failed.' : 'The export is not completed.',
    members: { current_status: status },
    ...(status === 'failed'
      ? { hint: 'Create a new export.' }
      : { headers: { 'retry-after': '1' } }),
  })
}

export const downloadExport = read('downloadExport', (call, { id }, { files }) => ({
  rows: sql`
    select id, ${published(shown)} as item,
           case when status <> 'completed' then 'export_not_ready'
                when expires_at <= now() then 'gone' end as refused
      ${presentExports(call)} and id = ${id}`,
  judged: {
    refusal: (code, item) => refusalOf(code, JSON.parse(item) as Found),
    answer: item => item,
  },
  attached: async item => {
    const { object, sha256 } = JSON.parse(item) as Found
    const stored = await files.storage.read(bundled(call.principal.mode, object))
    if (!stored) throw new StorageAway('a bundle is not where its job says')
    return {
      bytes: after(opening(id), stored),
      headers: {
        'content-disposition': `attachment; filename="export-${id}.json"`,
        etag: `"${Buffer.from(sha256, 'base64').toString('base64url')}"`,
      },
    }
  },
}))

/** The same bytes with a text before them. */
const after = (text: string, { size, open }: Bytes): Bytes => ({
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
