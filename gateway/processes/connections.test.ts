// deploy/README.md promises the numbers of connections, so the tests repeat them as literals.
import { expect, test } from 'bun:test'
import { readFileSync } from 'node:fs'
import path from 'node:path'
import { gatewayConnections, sumOf, workerConnections } from './connections.ts'

const root = path.join(import.meta.dir, '../..')

test('connections: a gateway opens seven times POOL_SIZE plus eight, as documented', () => {
  expect([1, 10].map(size => sumOf(gatewayConnections(size)))).toEqual([15, 78])
  expect([1, 4].map(size => sumOf(workerConnections(size, false)))).toEqual([7, 16])
  expect([1, 4].map(size => sumOf(workerConnections(size)))).toEqual([9, 18])
  const page = readFileSync(path.join(root, 'deploy/README.md'), 'utf8').replaceAll(/\s+/g, ' ')
  for (const words of [
    'seven times `POOL_SIZE` plus eight',
    'three times `WORKER_POOL_SIZE` plus four',
  ])
    expect([words, page.includes(words)]).toEqual([words, true])
})

/** The pools of operator commands, and those that are open only during startup. */
const brief = new Set([
  'schema',
  'encryption keys',
  'sandbox',
  'local owner',
  'local clinic',
  'peppers',
  'doctor',
  'operator',
])
const opening = /openPool\(\{|openModePools\(\{|new SQL\(\{/g
const literal = /(?:name|application_name): (?:'([^']+)'|`([^`$]*)\$\{mode\}`)/g

async function namesIn(folder: string): Promise<string[]> {
  const found: string[] = []
  for await (const file of new Bun.Glob(`${folder}/**/*.{ts,tsx}`).scan(root)) {
    if (/\.test\.|testing\/|^gateway\/commands\/(?!worker)/.test(file)) continue
    const text = readFileSync(path.join(root, file), 'utf8')
    for (const { index } of text.matchAll(opening)) {
      // An address may be spread into the call, with its settings right before it.
      const near = text.slice(Math.max(0, index - 120), text.indexOf('})', index))
      for (const [, plain, prefix] of near.matchAll(literal))
        found.push(...(plain === undefined ? [`${prefix}test`, `${prefix}live`] : [plain]))
    }
  }
  return found
}

test('connections: every process’s pools and listeners are in its table', async () => {
  const folders = ['gateway', 'auth', 'portal', 'console', 'booking', 'clinical', 'http', 'mcp']
  const names = (await Promise.all(folders.map(namesIn))).flat().filter(name => !brief.has(name))
  const modes = names.flatMap(name =>
    ['gateway', 'worker', 'metrics'].includes(name) ? [`${name} test`, `${name} live`] : [name],
  )
  // database/ opens connections for the process entry and for online jobs.
  const known = Object.keys({ ...gatewayConnections(1), ...workerConnections(1) })
  expect([...new Set([...modes, 'telehealth', 'online jobs'])].sort()).toEqual(known.sort())
})
