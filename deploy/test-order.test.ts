import { expect, test } from 'bun:test'
import { existsSync } from 'node:fs'
import path from 'node:path'

const exists = (name: string) => existsSync(path.join(import.meta.dir, '..', name))

test('order: every test file listed to start early exists', async () => {
  const longest = await Bun.file(path.join(import.meta.dir, 'longest-tests.json')).json()
  const names = Object.keys(longest)
  expect(names.length).toBeGreaterThan(10)
  expect(names.filter(name => !exists(name))).toEqual([])
})

test('order: every nightly test file exists', async () => {
  const names: string[] = await Bun.file(path.join(import.meta.dir, 'nightly-tests.json')).json()
  expect(names.length).toBeGreaterThan(0)
  expect(names.filter(name => !exists(name))).toEqual([])
})
