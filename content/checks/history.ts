import { at } from './frontmatter.ts'
import { join } from 'node:path'
import { type Entry, valueOf } from '../read.ts'
import type { Finding } from './finding.ts'

/** An image that a phone should have to load. */
const largestImage = 300_000

/** The day on which each file of content was last committed; nothing where there is no history. */
export async function committedDays(root: string): Promise<Map<string, string>> {
  const command = ['git', 'log', '--format=%x00%cs', '--name-only', '--', 'content']
  const child = Bun.spawn(command, { cwd: root, stdout: 'pipe', stderr: 'ignore' })
  const [log, code] = await Promise.all([new Response(child.stdout).text(), child.exited])
  const days = new Map<string, string>()
  if (code !== 0) return days
  for (const commit of log.split('\0').slice(1)) {
    const [day = '', ...paths] = commit.split('\n').filter(Boolean)
    for (const path of paths) if (!days.has(path)) days.set(path, day)
  }
  return days
}

const day = 86_400_000

/** A page whose text changed after the day that it gives: readers are told too little. */
export function checkUpdated(entry: Entry, committed: ReadonlyMap<string, string>): Finding[] {
  const updated = valueOf(entry, 'updated')
  const last = committed.get(entry.path)
  if (typeof updated !== 'string' || last === undefined) return []
  if (Date.parse(last) - Date.parse(updated) <= day) return []
  return [
    {
      path: entry.path,
      ...at(entry, ['updated']),
      rule: 'F-committed',
      message: `updated says ${updated}, and the file was changed on ${last}`,
      fix: `write ${last}, if the meaning changed`,
      level: 'warning',
    },
  ]
}

/** Pictures of the texts, and of the site. */
export async function checkMedia(root: string): Promise<Finding[]> {
  const found: Finding[] = []
  for (const room of ['content', 'site/public']) {
    const pictures = new Bun.Glob(`${room}/**/*.{png,jpg,jpeg,webp,avif,gif,svg}`)
    for await (const path of pictures.scan({ cwd: root })) {
      const { size } = Bun.file(join(root, path))
      if (size <= largestImage) continue
      const message = `a picture of ${Math.round(size / 1000)} kB`
      const fix = `make it smaller than ${largestImage / 1000} kB`
      found.push({ path, line: 1, column: 1, rule: 'M-size', message, fix })
    }
  }
  return found
}
