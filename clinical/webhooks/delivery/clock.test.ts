import { expect, test } from 'bun:test'
import { clockOf } from './clock.ts'

test('webhook clock: is that of the database, and ahead of it by what a test says', () => {
  const inMilliseconds = "date_trunc('milliseconds', clock_timestamp())"
  const inTime = { text: inMilliseconds, values: [] }
  expect([clockOf().now.prepared, clockOf(() => 0).now.prepared]).toEqual([inTime, inTime])
  for (const seconds of [1, 60]) {
    expect(clockOf(() => seconds).now.prepared).toEqual({
      text: `${inMilliseconds} + $1::float8 * interval '1 second'`,
      values: [seconds],
    })
  }
})
