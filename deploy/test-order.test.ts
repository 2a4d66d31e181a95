import { expect, test } from 'bun:test'
import { existsSync } from 'node:fs'
import path from 'node:path'

test('order: every test file listed to start early exists', async () => {
  const longest = await Bun.file(path.join(import.meta.dir, 'longest-tests.json')).json()
  const names = Object.keys(longest)
  expect(names.length).toBeGreaterThan(10)
  expect(names.filter(name => !existsSync(path.join(import.meta.dir, '..', name)))).toEqual([])
})
