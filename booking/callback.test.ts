// Tests callback requests. A request stays open for a day, and promises a reply by the end of the
// next working day.
import { afterAll, beforeAll, expect, test } from 'bun:test'
import { createBookingService } from './create-service.ts'
import { openOpening } from './opening.ts'
import {
  type BookingServices,
  by,
  createBookingServices,
  monday,
  newBuyer,
  testHours,
  testLinks,
} from './testing/booking-service.ts'

const day = 86_400_000

let { one, owner, mailOf, close } = {} as BookingServices
beforeAll(async () => {
  ;({ one, owner, mailOf, close } = await createBookingServices())
})
afterAll(() => close())

async function ask(buyer = newBuyer(), moment = monday) {
  one.clock.now = moment
  try {
    const answer = await one.bookingService.requestCallback({ buyer, via: by('mcp') })
    if (answer.kind !== 'requested') throw new Error(answer.kind)
    return answer
  } finally {
    one.clock.now = monday
  }
}
const closedAt = async (id: string) =>
  (await owner`select closed_at from site.callbacks where id = ${id}`)[0].closed_at?.getTime()

test('callback: stays open for 24 hours, then the next request closes it', async () => {
  const buyer = newBuyer()
  const [first, other] = [await ask(buyer), await ask()]
  expect(await ask(buyer, monday + day - 1)).toMatchObject({ id: first.id, replayed: true })
  const second = await ask(buyer, monday + day)
  expect(second.replayed).toBe(false)
  expect(second.id).not.toBe(first.id)
  expect(await closedAt(first.id)).toBe(monday + day)
  const third = await ask(buyer, monday + 2 * day)
  expect(third.replayed).toBe(false)
  expect(await Promise.all([first, second, third, other].map(({ id }) => closedAt(id)))).toEqual([
    monday + day,
    monday + 2 * day,
    undefined,
    undefined,
  ])
})

test('callback: its own emails are sent before the email about its abuse report', async () => {
  const { id } = await ask()
  const queued = (waits: boolean) => [
    { audience: 'buyer', kind: 'callback', sequence: 0, waits },
    { audience: 'sales', kind: 'callback', sequence: 0, waits },
  ]
  expect(await mailOf(id)).toEqual(queued(true))
  await one.bookingService.reportAbuse(id)
  expect(await mailOf(id)).toEqual([
    ...queued(false),
    { audience: 'sales', kind: 'abuse_reported', sequence: 1, waits: true },
  ])
})

test('callback: without a working day in the next 60 days, the promise is 60 days', async () => {
  const first = Temporal.PlainDate.from('2027-03-08')
  /** The promised time if the company is closed for this many days after today. */
  const promised = async (days: number) => {
    const closed = Array.from({ length: days }, (_, at) => first.add({ days: at + 1 }).toString())
    const service = createBookingService({
      pool: one.pool,
      opening: openOpening({ ...testHours, closed }),
      links: testLinks,
      now: () => monday,
      wake() {},
      isDryRun: true,
      secret: 'a secret of the tests',
      peoplePerHour: 1,
    })
    const answer = await service.requestCallback({ buyer: newBuyer(), via: by('mcp') })
    return 'replyBy' in answer && answer.replyBy
  }
  // The end of a Thursday during daylight saving time.
  expect(await promised(58)).toBe('2027-05-06T21:00:00.000Z')
  expect(await promised(59)).toBe('2027-05-07T13:30:00.000Z')
})
