import { expect, test } from 'bun:test'
import { statfsSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { freeBytes, fullBytes, megabyte, nearlyFullBytes } from './disk.ts'

test('disk: less than 32 MB is full, and less than 256 MB nearly full', () => {
  expect([megabyte, fullBytes, nearlyFullBytes]).toEqual([1_048_576, 33_554_432, 268_435_456])
})

test('disk: a folder that is still to be created has the room of the one that it would be in', () => {
  const { bsize, blocks } = statfsSync(tmpdir())
  const missing = path.join(tmpdir(), 'nothing of this name', 'nor of this')
  for (const folder of [tmpdir(), missing]) {
    const free = freeBytes(folder)
    // In whole blocks; other processes write meanwhile.
    expect([free % bsize, free > 0, free <= blocks * bsize]).toEqual([0, true, true])
  }
})
