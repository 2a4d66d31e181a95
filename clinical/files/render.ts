import { documentKey, StorageUnavailable } from '../storage/storage.ts'
import type { Rendered } from '../viewer/viewer.ts'
import type { Files } from './files.ts'
import type { Mime } from './sniff.ts'

type Page = { object: string; mime: Mime; page: number }

/** Renders a page of a stored document of live mode. */
export async function renderStored(
  { storage, viewer }: Pick<Files, 'storage' | 'viewer'>,
  { object, mime, page }: Page,
): Promise<Rendered> {
  const bytes = await storage.read(documentKey('live', object))
  if (!bytes) throw new StorageUnavailable('a document is not where its row says')
  const opened = await bytes.open()
  const blob = opened instanceof Blob ? opened : await new Response(opened).blob()
  return viewer.render(blob, { mime, page })
}
