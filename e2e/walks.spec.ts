// The integrator's and the clinic's walks over HTTP, run as against a deployment, on their own
// platform, where no other test signs in its staff.
import { type ChildProcess, execFile, spawn } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { expect, test } from '@playwright/test'
import { root } from './servers.ts'

const bun = path.join(root, 'node_modules', '.bin', 'bun')
let folder = ''
let platform: ChildProcess | undefined
let printed = ''

/** Uses none of the other tests' platform settings. */
const env = () => ({
  PATH: process.env['PATH'] ?? '',
  HOME: process.env['HOME'] ?? '',
  DATA_DIR: folder,
})

// In sequence, in one worker, with one platform.
test.describe.configure({ mode: 'default' })

test.beforeAll(async () => {
  test.setTimeout(180_000)
  printed = ''
  folder = mkdtempSync(path.join(tmpdir(), 'walks-'))
  platform = spawn(bun, ['gateway/server/start.ts'], { cwd: root, env: { ...env(), PORT: '0' } })
  await new Promise<void>((resolve, reject) => {
    platform?.stdout?.on('data', (piece: Buffer) => {
      printed += piece.toString()
      if (printed.includes('/docs/quickstart')) resolve()
    })
    platform?.stderr?.on('data', (piece: Buffer) => (printed += piece.toString()))
    platform?.once('exit', code => reject(new Error(`the platform ended with ${code}: ${printed}`)))
  })
})

test.afterAll(async () => {
  if (platform?.exitCode === null) {
    const ended = new Promise(resolve => platform?.once('exit', resolve))
    platform.kill('SIGTERM')
    await ended
  }
  rmSync(folder, { recursive: true, force: true })
})

/** Runs `npm test -- scenarios` with these words; returns its exit code and output. */
const scenarios = (...words: string[]) =>
  new Promise<{ code: number; text: string }>(resolve => {
    execFile(
      bun,
      ['e2e/scenario.ts', ...words],
      { cwd: root, env: env() },
      (failure, stdout, stderr) =>
        resolve({ code: Number(failure?.code ?? 0), text: stdout + stderr }),
    )
  })

test('startup says that its own database is for development only', () => {
  expect(printed).toMatch(/Database .*no security releases.* DATABASE_URL/)
})

test('go-live and clinic-staff run fully, twice, alongside a scenario, and exit with 1 if a step fails', async () => {
  test.setTimeout(300_000)
  const { url } = JSON.parse(readFileSync(path.join(folder, 'dev.json'), 'utf8')) as { url: string }
  const whole = await scenarios('go-live', 'clinic-staff', 'integrator-goes-live', `--url=${url}`)
  expect(whole.text).toContain('Every step passed.')
  expect(whole.text.match(/^ok /gm)?.length).toBeGreaterThan(40)
  expect(whole.code, whole.text).toBe(0)
  const wrong = await scenarios('clinic-staff', `--url=${url}`, '--live_key=svc_sk_live_wrong')
  expect(wrong.text).toContain('401')
  expect(wrong.code, wrong.text).toBe(1)
  const again = await scenarios('go-live', 'clinic-staff', `--url=${url}`)
  expect(again.code, again.text).toBe(0)
})
