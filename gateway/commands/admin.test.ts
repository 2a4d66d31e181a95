// `npm run admin`: every command prints help and reports errors in the same way.
import { describe, expect, test } from 'bun:test'
import { mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { commands } from './admin.ts'

const names = Object.keys(commands)

/** Runs the command without a database, in a folder where the test would notice any written
 *  file. */
const admin = (...words: string[]) => run(path.join(import.meta.dir, 'admin.ts'), words)

async function run(program: string, words: string[]) {
  const folder = mkdtempSync(path.join(tmpdir(), 'admin-'))
  const child = Bun.spawn([process.execPath, program, ...words], {
    // Invalid settings, which every command refuses and help never reads.
    env: { DATA_DIR: folder, PORT: 'none' },
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

test.each(['commands/worker.ts', 'server/main.ts', 'server/start.ts'])(
  '%s: --help only prints help',
  async file => {
    const program = path.join(import.meta.dir, '..', file)
    const { code, out, problem, written } = await run(program, ['--help'])
    expect([code, problem, written]).toEqual([0, '', []])
    expect(out).toMatch(/^[A-Z`]/)
  },
)

describe.each(names)('admin %s', name => {
  test.concurrent.each(['', 'list'])('%p --help only prints help', async word => {
    const { code, out, problem, written } = await admin(name, ...[word, '--help'].filter(Boolean))
    expect([code, problem, written]).toEqual([0, '', []])
    const [first, ...usage] = (out.split('\n\n', 1)[0] ?? '').split('\n')
    expect(first).toBe('Usage:')
    expect(usage.length).toBeGreaterThan(0)
    for (const line of usage)
      expect(line).toMatch(new RegExp(`^  (npm run admin -- ${name}| {4,})`))
    for (const line of out.trim().split('\n')) expect(line.length).toBeLessThanOrEqual(100)
  })

  test.concurrent('reports an invalid setting in one sentence', async () => {
    const { code, problem } = await admin(name, 'list')
    expect(code).not.toBe(0)
    expect(problem).not.toContain('    at ')
  })
})
