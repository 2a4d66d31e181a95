// Every call that a text names must exist.
import { expect, test } from 'bun:test'
import path from 'node:path'
import { operationIds, table } from '#contract/api.ts'

const modules = ['contract', 'clinical', 'gateway', 'auth', 'http', 'booking', 'mcp'] as const
const root = path.join(import.meta.dir, '../..')

/** Replaces the parameters of a route or of a template string. */
const withoutNames = (route: string) => route.replaceAll(/\{\w+\}|\$\{[^}]*\}/g, '{}')

test('hints: every call that a text names is an operation', async () => {
  const routes = new Set(
    operationIds.map(id => withoutNames(`${table[id].method} ${table[id].path}`)),
  )
  const unknown: string[] = []
  let named = 0
  for (const module of modules) {
    for await (const file of new Bun.Glob(`${module}/**/*.ts`).scan(root)) {
      if (/\.(test|suite)\.ts$|\/testing\//.test(file)) continue
      const text = await Bun.file(path.join(root, file)).text()
      for (const [call] of text.matchAll(/\b(GET|POST|PATCH|PUT|DELETE) \/v1\/[\w/{}$-]*/g)) {
        named++
        if (!routes.has(withoutNames(call))) unknown.push(`${file}: ${call}`)
      }
    }
  }
  expect(unknown).toEqual([])
  expect(named).toBeGreaterThan(10)
})
