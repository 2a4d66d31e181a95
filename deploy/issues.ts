// Opens a GitHub issue for each item on standard input, unless an issue with the same title exists.
// Uses GitHub's CLI: `npm run --silent due -- --json | node deploy/run.mjs deploy/issues.ts`.
import { parseArgs } from 'node:util'

type Issue = { title: string; body: string }

const label = 'content'
/** GitHub's CLI, or the path of a program that takes the same arguments. */
const { positionals } = parseArgs({ allowPositionals: true })
const program = positionals[0] ?? 'gh'

async function gh(...args: string[]): Promise<string> {
  const child = Bun.spawn([program, ...args], { stdout: 'pipe', stderr: 'inherit' })
  const [out, code] = await Promise.all([new Response(child.stdout).text(), child.exited])
  if (code !== 0) throw new Error(`gh ${args.slice(0, 2).join(' ')} exited with ${code}`)
  return out
}

const due: Issue[] = await Bun.stdin.json()
const list = ['--state', 'all', '--label', label, '--limit', '1000', '--json', 'title']
const known: Issue[] = due.length === 0 ? [] : JSON.parse(await gh('issue', 'list', ...list))
const titles = new Set(known.map(({ title }) => title))
const fresh = due.filter(({ title }) => !titles.has(title))
if (fresh.length > 0) await gh('label', 'create', label, '--force')
for (const { title, body } of fresh) {
  await gh('issue', 'create', '--title', title, '--body', body, '--label', label)
  console.log(`opened: ${title}`)
}
console.log(`${due.length} due, ${fresh.length} opened`)
