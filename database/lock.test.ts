// Tests the lock between processes, with another holder of the same file.

import { afterAll, expect, test } from 'bun:test'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { untilPaused } from '#http/testing/pauses.ts'
import { tryLock, waitForLock } from './lock.ts'

const folder = mkdtempSync(path.join(tmpdir(), 'lock-'))
afterAll(() => rmSync(folder, { recursive: true }))
let files = 0
const newFile = () => path.join(folder, `${++files}.lock`)

test('lock: has one holder at a time, and can be taken again after its release', () => {
  const file = newFile()
  const first = tryLock(file)
  expect(first).toBeDefined()
  expect(tryLock(file)).toBeUndefined()
  first?.release()
  const second = tryLock(file)
  expect(second).toBeDefined()
  second?.release()
})

test('lock: a file that cannot be locked does not count as locked by another process', () => {
  const file = newFile()
  writeFileSync(file, 'This is text, and no database. '.repeat(100))
  expect(() => tryLock(file)).toThrow('not a database')
})

test('lock: a waiting caller gets the lock once it is released, and blocks nothing while it waits', async () => {
  const file = newFile()
  const first = tryLock(file)
  const waiting = waitForLock(file, 30)
  await untilPaused(25, 3)
  first?.release()
  const second = await waiting
  expect(second).toBeDefined()
  expect(tryLock(file)).toBeUndefined()
  second?.release()
})

test('lock: a waiting caller gives up after its time limit', async () => {
  const file = newFile()
  const holder = tryLock(file)
  const began = performance.now()
  expect(await waitForLock(file, 0.5)).toBeUndefined()
  expect(performance.now() - began).toBeGreaterThanOrEqual(500)
  holder?.release()
})
