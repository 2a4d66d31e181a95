// Tests which times are listed: the number of days, their range, and the time that a canceled call
// frees.
import { afterAll, beforeAll, expect, test } from 'bun:test'
import { type AvailabilityQuery, availabilityDaysMax } from './booking-service.ts'
import {
  type BookingServices,
  createBookingServices,
  monday,
  taken,
} from './testing/booking-service.ts'

let { one, free, book, close } = {} as BookingServices
beforeAll(async () => {
  ;({ one, free, book, close } = await createBookingServices())
})
afterAll(() => close())

const startsOf = async (query?: AvailabilityQuery) =>
  (await one.bookingService.availability(query)).map(({ start }) => start)
const daysOf = async (query?: AvailabilityQuery) => [
  ...new Set((await startsOf(query)).map(start => start.slice(0, 10))),
]

test('availability: without a number of days, lists seven days from today', async () => {
  // The company is closed on the tenth, and a weekend follows the twelfth.
  expect(await daysOf()).toEqual(['2027-03-08', '2027-03-09', '2027-03-11', '2027-03-12'])
})

test.each([1, 0, -3, 0.5])('availability: %p days count as one day', async days => {
  expect(await daysOf({ from: '2027-03-11', days })).toEqual(['2027-03-11'])
})

test('availability: more than 31 days count as 31', async () => {
  expect(availabilityDaysMax).toBe(31)
  const starts = await startsOf({ days: 1000 })
  expect([starts[0], starts.at(-1)]).toEqual([
    '2027-03-08T18:00:00.000Z',
    '2027-04-07T20:30:00.000Z',
  ])
})

test('availability: the list ends at the last bookable time', async () => {
  expect((await startsOf({ from: '2027-04-05', days: 7 })).at(-1)).toBe('2027-04-08T13:00:00.000Z')
})

test('availability: a booked time is not listed, even as the first one', async () => {
  const first = '2027-03-09T14:00:00.000Z'
  // The slot's notice period ends now.
  one.clock.now = Date.parse(first) - 4 * 3_600_000
  try {
    expect((await startsOf())[0]).toBe(first)
    taken(await book(first))
    expect((await startsOf())[0]).toBe('2027-03-09T14:30:00.000Z')
  } finally {
    one.clock.now = monday
  }
})

test('availability: a canceled call frees its time, and another person books it', async () => {
  const { start } = await free(5)
  const { booking } = taken(await book(start))
  expect(await startsOf({ days: 31 })).not.toContain(start)
  await one.bookingService.cancel(booking.id)
  expect(await startsOf({ days: 31 })).toContain(start)
  expect(taken(await book(start)).booking.slot?.start).toBe(start)
})
