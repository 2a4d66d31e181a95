import { spawnSync } from 'node:child_process'
import path from 'node:path'
import { expect, test } from '@playwright/test'
import { root } from './house.ts'

const bun = path.join(root, 'node_modules', '.bin', 'bun')

function run(script: string, ...args: string[]) {
  const { status, stdout, stderr } = spawnSync(bun, [script, ...args], {
    cwd: root,
    encoding: 'utf8',
  })
  return { status, said: `${stdout}${stderr}` }
}

test('the house misses nothing that scanners for agents look for', ({ baseURL }) => {
  const { status, said } = run('e2e/ready.ts', '--url', baseURL ?? '')
  expect(said).toContain(' 0 missed')
  expect(status, said).toBe(0)
})

test('what is not a site is not called ready', () => {
  const { status, said } = run('e2e/ready.ts', '--url', 'http://127.0.0.1:9')
  expect(status, said).toBe(1)
})
