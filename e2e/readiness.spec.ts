import { spawn } from 'node:child_process'
import path from 'node:path'
import { text } from 'node:stream/consumers'
import { expect, test } from '@playwright/test'
import { root } from './servers.ts'

const bun = path.join(root, 'node_modules', '.bin', 'bun')

async function run(script: string, ...args: string[]) {
  const child = spawn(bun, [script, ...args], { cwd: root, stdio: ['ignore', 'pipe', 'pipe'] })
  const ended = new Promise<number | null>(resolve => child.on('close', resolve))
  const [out, error] = await Promise.all([text(child.stdout), text(child.stderr)])
  return { status: await ended, output: `${out}${error}` }
}

test('readiness: the site passes every check of scanners for agents', async ({ baseURL }) => {
  const { status, output } = await run('e2e/readiness.ts', '--url', baseURL ?? '')
  expect(output).toContain(' 0 missed')
  expect(status, output).toBe(0)
})

test('readiness: an address without a site fails', async () => {
  const { status, output } = await run('e2e/readiness.ts', '--url', 'http://127.0.0.1:9')
  expect(status, output).toBe(1)
})
