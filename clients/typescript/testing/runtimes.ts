// The runtimes in which tests run programs, each in its own process.

import { existsSync, mkdirSync, writeFileSync } from 'node:fs'
import path from 'node:path'

const root = path.join(import.meta.dir, '../../..')

export async function run(command: string[], cwd: string, env: Record<string, string> = {}) {
  const child = Bun.spawn(command, {
    cwd,
    env: { PATH: process.env['PATH'] ?? '', HOME: process.env['HOME'] ?? '', ...env },
    stdout: 'pipe',
    stderr: 'pipe',
  })
  const [out, err] = await Promise.all([
    new Response(child.stdout).text(),
    new Response(child.stderr).text(),
  ])
  return { code: await child.exited, out, err }
}

/**
 * The Node that started the tests, and Bun; CLIENT_RUNTIMES=node@22,deno,workerd adds runtimes from
 * the npm registry, each installed once.
 */
export const more = (process.env['CLIENT_RUNTIMES'] ?? '').split(',').filter(Boolean)
export const runtimes = ['node', 'bun', ...more.filter(name => name !== 'workerd')]

export async function installed(runtime: string): Promise<string> {
  const [name = ''] = runtime.split('@')
  const place = path.join(root, '.data/clients/runtimes', runtime)
  if (!existsSync(place)) {
    mkdirSync(place, { recursive: true })
    writeFileSync(path.join(place, 'package.json'), '{ "private": true }\n')
    const done = await run(['npm', 'install', '--no-audit', '--no-fund', runtime], place)
    if (done.code !== 0) throw new Error(done.err)
  }
  return path.join(place, 'node_modules/.bin', name)
}

export async function commandOf(runtime: string): Promise<string[]> {
  if (runtime === 'node') return ['node']
  if (runtime === 'bun') return [process.execPath]
  const command = await installed(runtime)
  return runtime.startsWith('deno') ? [command, 'run', '-A', '--no-lock'] : [command]
}
