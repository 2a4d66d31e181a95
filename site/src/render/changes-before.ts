import { join } from 'node:path'
import { z } from 'astro/zod'

const written = z.object({
  changes: z.array(
    z.object({
      page: z.string(),
      old_hash: z.string().nullable(),
      new_hash: z.string(),
      time: z.string(),
    }),
  ),
})

/** What the site that is served now says of itself; nothing, when none is. */
export async function changesBefore() {
  const file = Bun.file(join(process.cwd(), 'site/dist/changes.json'))
  if (!(await file.exists())) return []
  const read = written.safeParse(await file.json())
  return read.success ? read.data.changes : []
}
