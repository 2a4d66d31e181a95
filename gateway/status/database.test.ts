import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { openPool } from '#database/pool.ts'
import { sql } from '#database/sql.ts'
import { type TestDatabase, testDatabase } from '#database/testing/database.ts'
import { watchWrites } from './database.ts'

let database: TestDatabase
beforeAll(async () => {
  database = await testDatabase()
})
afterAll(() => database.close())

let time = Date.UTC(2026, 10, 28)
const watch = (isReadOnly = async () => false) => watchWrites(() => time, isReadOnly)
const refused = (errno: string) => Object.assign(new Error('refused'), { errno })

describe('database:writes', () => {
  test('passes while no write is refused', async () => {
    const writes = watch()
    writes.note(refused('23505'))
    writes.note(new Error('The connection was lost.'))
    expect(await writes.check.run()).toEqual({ status: 'pass' })
  })

  test.each([
    ['53100', 'disk'],
    ['25006', 'primary'],
  ])('fails for fifteen seconds after a request hit %s', async (state, word) => {
    const writes = watch()
    writes.note(refused(state))
    for (const [later, status] of [
      [14_999, 'fail'],
      [1, 'pass'],
    ] as const) {
      time += later
      const found = await writes.check.run()
      expect([found.status, found.output?.includes(word) ?? false]).toEqual([
        status,
        status === 'fail',
      ])
    }
  })

  test('fails while the database is read-only, even without a request', async () => {
    expect((await watch(async () => true).check.run()).status).toBe('fail')
  })

  test('a pool reports the error that ended a request', async () => {
    const writes = watch()
    const pool = openPool({
      url: database.urls.test,
      size: 1,
      name: 'writes',
      path: 'test, public',
      settings: { default_transaction_read_only: 'on' },
      onFailure: writes.note,
    })
    const write = sql`create temporary table nothing (id int)`
    await expect(pool.use(connection => connection.run(write))).rejects.toThrow()
    expect((await writes.check.run()).status).toBe('fail')
    await pool.close()
  })
})
