import { at } from './frontmatter.ts'
import { join } from 'node:path'
import { type Entry, valueOf } from '../entry.ts'
import type { Finding } from './finding.ts'

/** The largest image that a phone should load, in bytes. */
const largestImage = 300_000

/** The day of the last commit of each file of content; empty without a history. */
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

/** `updated` must not be older than the last change of the file. */
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
      message: `updated must not be ${updated}: the file was changed on ${last}`,
      fix: `write ${last}, if the meaning changed`,
      level: 'warning',
    },
  ]
}

/** Checks the size of the pictures of the content and of the site. */
export async function checkMedia(root: string): Promise<Finding[]> {
  const found: Finding[] = []
  for (const folder of ['content', 'site/public']) {
    const pictures = new Bun.Glob(`${folder}/**/*.{png,jpg,jpeg,webp,avif,gif,svg}`)
    for await (const path of pictures.scan({ cwd: root })) {
      const { size } = Bun.file(join(root, path))
      if (size <= largestImage) continue
      const message = `a picture must not be larger than ${largestImage / 1000} kB, and this one has ${Math.round(size / 1000)}`
      const fix = 'scale it down'
      found.push({ path, line: 1, column: 1, rule: 'M-size', message, fix })
    }
  }
  return found
}
