// `npm run admin`: every command prints help and reports errors in the same way.
import { beforeAll, describe, expect, test } from 'bun:test'
import { mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { commands } from './admin.ts'

const names = Object.keys(commands)

/** Runs the command without a database, in a folder where the test would notice any written
 *  file. */
const admin = (...words: string[]) => run(path.join(import.meta.dir, 'admin.ts'), words)

async function run(program: string, words: string[], more: Record<string, string> = {}) {
  const folder = mkdtempSync(path.join(tmpdir(), 'admin-'))
  const child = Bun.spawn([process.execPath, program, ...words], {
    // Invalid settings, which every command refuses and help never reads.
    env: { DATA_DIR: folder, PORT: 'none', ...more },
    stdout: 'pipe',
    stderr: 'pipe',
  })
  const out = await new Response(child.stdout).text()
  const problem = await new Response(child.stderr).text()
  const code = await child.exited
  const written = readdirSync(folder)
  rmSync(folder, { recursive: true })
  return { code, out, problem, written }
}

test('admin: lists every command', async () => {
  for (const words of [[], ['--help'], ['help']]) {
    const { code, out } = await admin(...words)
    expect(code).toBe(0)
    for (const name of names) expect(out).toMatch(new RegExp(`^  ${name} +\\S`, 'm'))
  }
})

test('admin: an unknown command is refused with the nearest existing one', async () => {
  const { code, problem } = await admin('keyz', 'list')
  expect(code).toBe(2)
  expect(problem).toContain('Did you mean keys?')
})

test('admin: without the database, says that it can’t be used and how to check it', async () => {
  // Nothing listens on this port.
  const url = 'postgres://app:password@127.0.0.1:9/telehealth'
  const { code, problem } = await run(path.join(import.meta.dir, 'admin.ts'), ['keys', 'list'], {
    DATABASE_URL: url,
    PORT: '8080',
    KEY_PEPPER: 'a'.repeat(44),
  })
  expect(code).toBe(1)
  expect(problem).toMatch(
    /^The database can't be used: [^\n]+\. `npm run admin -- doctor` checks it\.\n$/,
  )
})

test.each(['commands/worker.ts', 'server/main.ts', 'server/start.ts'])(
  '%s: --help only prints help',
  async file => {
    const program = path.join(import.meta.dir, '..', file)
    const { code, out, problem, written } = await run(program, ['--help'])
    expect([code, problem, written]).toEqual([0, '', []])
    expect(out).toMatch(/^[A-Z`]/)
  },
)

type Printed = { code: number; out: string; problem: string }

/** Runs command lines one after another in one process that is otherwise like `admin`'s. */
async function runAll(lines: readonly string[][]): Promise<Printed[]> {
  const script = `
    const { runAdmin } = await import(${JSON.stringify(path.join(import.meta.dir, 'admin.ts'))})
    const results = []
    for (const words of ${JSON.stringify(lines)}) {
      const printed = { out: '', problem: '' }
      console.log = text => (printed.out += text + '\\n')
      console.error = text => (printed.problem += text + '\\n')
      results.push({ code: await runAdmin(words), ...printed })
    }
    process.stdout.write(JSON.stringify(results))
    process.exit(0)`
  const { out, problem, written } = await run('-e', [script])
  expect([problem, written]).toEqual(['', []])
  return JSON.parse(out)
}

describe.each(names)('admin %s', name => {
  let printed: Printed[]
  beforeAll(async () => {
    printed = await runAll([
      [name, '--help'],
      [name, 'list', '--help'],
      [name, 'list'],
    ])
  })

  test.each([
    ['--help', 0],
    ['list --help', 1],
  ])('%s only prints help', (_, at) => {
    const { code, out, problem } = printed[at] as Printed
    expect([code, problem]).toEqual([0, ''])
    const [first, ...usage] = (out.split('\n\n', 1)[0] ?? '').split('\n')
    expect(first).toBe('Usage:')
    expect(usage.length).toBeGreaterThan(0)
    for (const line of usage)
      expect(line).toMatch(new RegExp(`^  (npm run admin -- ${name}| {4,})`))
    for (const line of out.trim().split('\n')) expect(line.length).toBeLessThanOrEqual(100)
  })

  test('reports an invalid setting in one sentence', () => {
    const { code, problem } = printed[2] as Printed
    expect(code).not.toBe(0)
    expect(problem).not.toContain('    at ')
  })
})
