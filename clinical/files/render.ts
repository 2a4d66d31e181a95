import { documentKey, StorageUnavailable } from '../storage/storage.ts'
import type { Rendered } from '../viewer/viewer.ts'
import type { Mime } from '../viewer/sniff.ts'
import type { Files } from '../services.ts'

/** Long enough for the largest document. */
const readSeconds = 30

type Page = { object: string; mime: Mime; page: number }

/** Reads the bytes of a document stored in live mode. */
export async function readStored({ storage }: Pick<Files, 'storage'>, object: string) {
  const bytes = await storage.read(documentKey('live', object), undefined, readSeconds)
  if (!bytes) throw new StorageUnavailable('the document is missing from storage')
  const opened = await bytes.open()
  if (opened instanceof Blob) return opened
  return new Response(opened).blob().catch((cause: unknown) => {
    throw new StorageUnavailable('storage did not send the document in time', { cause })
  })
}

/** Renders a page of a document stored in live mode. */
export async function renderStored(files: Files, { object, mime, page }: Page): Promise<Rendered> {
  return files.viewer.render(await readStored(files, object), { mime, page })
}
