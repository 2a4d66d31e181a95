import { resolve } from 'node:path'
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

/** What the build before says of itself; nothing, when there is none. See `astro-build.ts`. */
export async function changesBefore() {
  const [, , , before = 'site/dist'] = process.argv
  const file = Bun.file(resolve(before, 'changes.json'))
  if (!(await file.exists())) return []
  const read = written.safeParse(await file.json())
  return read.success ? read.data.changes : []
}
