// When personal data is erased, and that it happens every hour.
import { afterAll, beforeAll, expect, spyOn, test } from 'bun:test'
import { openPool } from '#database/pool.ts'
import { until } from '#http/testing/until.ts'
import { eraseExpired, openRetention } from './retention.ts'
import {
  type BookingServices,
  by,
  createBookingServices,
  monday,
  newBuyer,
  taken,
} from './testing/booking-service.ts'

let { one, owner, free, book, close } = {} as BookingServices
beforeAll(async () => {
  ;({ one, owner, free, book, close } = await createBookingServices())
})
afterAll(() => close())

const year = 365 * 86_400_000

function recordingLog() {
  const events: [string, unknown][] = []
  return {
    events,
    log: { event: (name: string, fields?: object) => void events.push([name, fields]) },
  }
}

test('retention: personal data is erased 365 days after the call or the request, once', async () => {
  const slot = await free()
  const { id } = taken(await book(slot.start)).booking
  await one.bookingService.requestCallback({ buyer: newBuyer(), via: by('mcp') })
  const { events, log } = recordingLog()
  const eraseAt = (moment: number) => eraseExpired({ pool: one.pool, log, now: () => moment })
  const asked = monday + year
  const ended = Date.parse(slot.end) + year
  const moments = [asked, asked + 1, asked + 1, ended, ended + 1, ended + 2]
  const erased: number[] = []
  for (const moment of moments) erased.push(await eraseAt(moment))
  expect(erased).toEqual([0, 1, 0, 0, 1, 0])
  expect(events).toEqual([
    ['booking.erased', { count: 1 }],
    ['booking.erased', { count: 1 }],
  ])
  const [row] = await owner`select status, email from site.bookings where id = ${id}`
  expect(row).toEqual({ status: 'held', email: null })
})

test('retention: it runs every hour, and logs when the database was away', async () => {
  const pool = openPool({ url: 'postgres://app_site@127.0.0.1:9/none', size: 1, name: 'away' })
  const { events, log } = recordingLog()
  const timers = spyOn(globalThis, 'setInterval')
  const retention = openRetention({ pool, log, now: () => monday })
  const [work, milliseconds] = timers.mock.calls[0] ?? []
  const timer = timers.mock.results[0]?.value as unknown as { hasRef(): boolean }
  timers.mockRestore()
  expect(milliseconds).toBe(3_600_000)
  // A gateway that has nothing else to do can end.
  expect(timer.hasRef()).toBe(false)
  if (typeof work === 'function') work()
  await until(() => events.length > 0)
  expect(events).toEqual([['booking.erase_failed', undefined]])
  retention.close()
  await pool.close()
})

test('retention: what keeps it from forgetting a network is not passed over', async () => {
  await owner`revoke delete on site.people_quotas from app_site`
  try {
    const { log } = recordingLog()
    const erasing = eraseExpired({ pool: one.pool, log, now: () => monday })
    await expect(erasing).rejects.toThrow('permission denied')
  } finally {
    await owner`grant delete on site.people_quotas to app_site`
  }
})
