import { expect, test } from 'bun:test'
import { rmSync } from 'node:fs'
import path from 'node:path'
import { SQL } from 'bun'
import { until } from '#http/testing/until.ts'
import { startEmbedded } from '../embedded/server.ts'
import { isRunning } from '../embedded/postmaster.ts'
import { endWhenIdle } from './idle.ts'
import { quickFolder } from './small-disk.ts'

test('the test server ends when no session has been open for a while, and not before', async () => {
  const folder = quickFolder()
  const dir = path.join(folder, 'postgres')
  const server = await startEmbedded({ dir, password: 'idle', durable: false, watch: false })
  const session = new SQL(server.url, { max: 1 })
  try {
    await session`select`
    const ended = endWhenIdle(dir, server.url, { checkMilliseconds: 20, checks: 3 })
    const checks = new Set<string>()
    await until(async () => {
      const rows = await session`
        select query_start::text as at from pg_stat_activity
         where query like '%pg_stat_database%' and pid <> pg_backend_pid()`
      for (const { at } of rows) checks.add(at)
      return checks.size > 6
    }, 10)
    expect(isRunning(server.pid, dir)).toBe(true)
    await session.close()
    await ended
    expect(isRunning(server.pid, dir)).toBe(false)
  } finally {
    await server.stop()
    rmSync(folder, { recursive: true })
  }
})

test('the test server ends immediately if its checkout folder was removed', async () => {
  const folder = quickFolder()
  const dir = path.join(folder, 'postgres')
  const server = await startEmbedded({ dir, password: 'idle', durable: false, watch: false })
  const session = new SQL(server.url, { max: 1 })
  try {
    await session`select`
    const settings = { checkMilliseconds: 20, isWanted: () => false }
    expect(await endWhenIdle(dir, server.url, settings)).toBe(true)
    expect(isRunning(server.pid, dir)).toBe(false)
  } finally {
    await session.close().catch(() => undefined)
    await server.stop()
    rmSync(folder, { recursive: true })
  }
})
