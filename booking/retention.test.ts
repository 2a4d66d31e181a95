// Tests when personal data is erased.
import { afterAll, beforeAll, expect, test } from 'bun:test'
import { eraseExpired } from './retention.ts'
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
  const buyer = { ...newBuyer(), lastName: 'Rivera', phone: '+12025550123', company: 'Clinic' }
  const { id } = taken(await book(slot.start, buyer)).booking
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
  const [row] = await owner`
    select row_to_json(b)::text as text from site.bookings b where id = ${id}`
  expect(row.text).toContain('"status":"held"')
  expect(row.text).not.toMatch(/Ada|rivera|Rivera|Clinic|1202/)
  expect(row.text).not.toContain(buyer.email)
})

test('retention: a failure to forget a network is reported', async () => {
  await owner`revoke delete on site.people_quotas from app_site`
  try {
    const { log } = recordingLog()
    const erasing = eraseExpired({ pool: one.pool, log, now: () => monday })
    await expect(erasing).rejects.toThrow('permission denied')
  } finally {
    await owner`grant delete on site.people_quotas to app_site`
  }
})
