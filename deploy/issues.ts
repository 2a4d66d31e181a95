// Opens an issue for each that is told on its input, unless one of that title is open or closed:
// `bun content/due.ts --today=… --json | bun deploy/issues.ts`. It asks GitHub's own program, `gh`.
import { parseArgs } from 'node:util'

type Issue = { title: string; body: string }

const label = 'content'
/** GitHub's program, or the path of one that takes the same words. */
const { positionals } = parseArgs({ allowPositionals: true })
const program = positionals[0] ?? 'gh'

async function gh(...words: string[]): Promise<string> {
  const child = Bun.spawn([program, ...words], { stdout: 'pipe', stderr: 'inherit' })
  const [out, code] = await Promise.all([new Response(child.stdout).text(), child.exited])
  if (code !== 0) throw new Error(`gh ${words.slice(0, 2).join(' ')} ended with ${code}`)
  return out
}

const asked: Issue[] = await Bun.stdin.json()
const list = ['--state', 'all', '--label', label, '--limit', '1000', '--json', 'title']
const known: Issue[] = asked.length === 0 ? [] : JSON.parse(await gh('issue', 'list', ...list))
const titles = new Set(known.map(({ title }) => title))
const fresh = asked.filter(({ title }) => !titles.has(title))
if (fresh.length > 0) await gh('label', 'create', label, '--force')
for (const { title, body } of fresh) {
  await gh('issue', 'create', '--title', title, '--body', body, '--label', label)
  console.log(`opened: ${title}`)
}
console.log(`${asked.length} due, ${fresh.length} opened`)
