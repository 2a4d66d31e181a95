// Tests changes by a link's holder while something else changes the call too.
import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import type { SQL } from 'bun'
import {
  type BookingServices,
  by,
  createBookingServices,
  isOverBefore,
  monday,
  newBuyer,
  runIntoLock,
  taken,
} from './testing/booking-service.ts'

let { one, other, owner, free, book, mailOf, close } = {} as BookingServices
beforeAll(async () => {
  ;({ one, other, owner, free, book, mailOf, close } = await createBookingServices())
})
afterAll(() => close())

const newCall = async () => taken(await book((await free()).start)).booking
async function newCallback(): Promise<string> {
  const answer = await one.bookingService.requestCallback({ buyer: newBuyer(), via: by('mcp') })
  return 'id' in answer ? answer.id : ''
}
const lockCall = (id: string) => (connection: SQL) =>
  connection`select from site.bookings where id = ${id} for update`
const lockCallback = (id: string) => (connection: SQL) =>
  connection`select from site.callbacks where id = ${id} for update`
const rowOf = async (id: string) =>
  (await owner`select status, sequence, email from site.bookings where id = ${id}`)[0]
const emailsAbout = async (id: string, kind: string) =>
  (await mailOf(id)).filter(each => each.kind === kind)

// Runs first, because a later test moves the clock past the quota's hour.
test('booking: two simultaneous confirmations return one place in the quota', async () => {
  const { id } = await newCall()
  const people = async () => (await owner`select people from site.people_quotas`)[0].people
  const before = await people()
  const confirm = (gateway: typeof one) => () => gateway.bookingService.confirmPerson(id)
  await runIntoLock(owner, lockCall(id), [confirm(one), confirm(other)])
  expect(await people()).toBe(before - 1)
})

describe('booking: a change is stored before the response', () => {
  test.each([
    ['a confirmation', (id: string) => one.bookingService.confirmPerson(id)],
    ['a cancellation', (id: string) => one.bookingService.cancel(id)],
    ['a report', (id: string) => one.bookingService.reportAbuse(id)],
  ])('%s of a call', async (_, change) => {
    const { id } = await newCall()
    expect(await isOverBefore(owner, lockCall(id), () => change(id))).toBe(false)
  })

  test('a report about a callback', async () => {
    const id = await newCallback()
    const report = () => one.bookingService.reportAbuse(id)
    expect(await isOverBefore(owner, lockCallback(id), report)).toBe(false)
  })
})

describe('booking: a call during a concurrent change', () => {
  test('accepts two simultaneous moves and keeps the later time', async () => {
    const { id } = await newCall()
    const starts = [(await free(3)).start, (await free(4)).start]
    const moves = starts.map(start => () => one.bookingService.move(id, start))
    const answers = await runIntoLock(owner, lockCall(id), moves)
    expect(answers).toEqual([{ kind: 'moved' }, { kind: 'moved' }])
    expect(await rowOf(id)).toMatchObject({ status: 'confirmed', sequence: 2 })
  })

  test('accepts two simultaneous moves to the same time, as of a form that is sent twice', async () => {
    const { id } = await newCall()
    const { start } = await free(3)
    const move = () => one.bookingService.move(id, start)
    const answers = await runIntoLock(owner, lockCall(id), [move, move])
    expect(answers).toEqual([{ kind: 'moved' }, { kind: 'moved' }])
    expect(await rowOf(id)).toMatchObject({ status: 'confirmed', sequence: 1 })
  })

  /** Closes the call, as the person's next request does once the call is over. */
  const closing = (id: string) => (connection: SQL) =>
    connection`update site.bookings set status = 'held' where id = ${id}`

  test('is not moved if it was closed', async () => {
    const { id } = await newCall()
    const { start } = await free(3)
    const move = () => one.bookingService.move(id, start)
    expect(await runIntoLock(owner, closing(id), [move])).toEqual([{ kind: 'closed' }])
    expect(await rowOf(id)).toMatchObject({ status: 'held', sequence: 0 })
  })

  test('is not canceled if it was closed', async () => {
    const { id } = await newCall()
    await runIntoLock(owner, closing(id), [() => one.bookingService.cancel(id)])
    expect(await rowOf(id)).toMatchObject({ status: 'held', sequence: 0 })
    expect(await emailsAbout(id, 'cancelled')).toEqual([])
  })

  test('is erased if it is moved during an abuse report', async () => {
    const { id } = await newCall()
    const to = await free(5)
    const move = (connection: SQL) =>
      connection`update site.bookings set sequence = sequence + 1, starts_at = ${to.start},
                        ends_at = ${to.end} where id = ${id}`
    await runIntoLock(owner, move, [() => one.bookingService.reportAbuse(id)])
    expect(await rowOf(id)).toEqual({ status: 'cancelled', sequence: 2, email: null })
    expect(await emailsAbout(id, 'abuse_reported')).toHaveLength(2)
  })

  test('sends no email to sales if it is erased at the same time', async () => {
    const { id } = await newCall()
    const erase = (connection: SQL) => connection`
      update site.bookings set status = 'held', person = null, email = null, first_name = null,
             erased_at = now() where id = ${id}`
    await runIntoLock(owner, erase, [() => one.bookingService.reportAbuse(id)])
    expect(await rowOf(id)).toEqual({ status: 'held', sequence: 0, email: null })
    expect(await emailsAbout(id, 'abuse_reported')).toEqual([])
  })

  test('still counts as completed when two requests close it', async () => {
    const buyer = newBuyer()
    const slot = await free()
    const { id } = taken(await book(slot.start, buyer)).booking
    one.clock.now = other.clock.now = Date.parse(slot.end)
    try {
      const next = await free(6)
      const requests = [one, other].map(
        gateway => () => gateway.bookingService.book({ buyer, via: by('acp'), start: next.start }),
      )
      const answers = await runIntoLock(owner, lockCall(id), requests)
      expect(answers.map(answer => taken(answer).replayed).toSorted()).toEqual([false, true])
    } finally {
      one.clock.now = other.clock.now = monday
    }
    expect(await rowOf(id)).toMatchObject({ status: 'held' })
  })
})

test('booking: two simultaneous reports of a callback send one email to sales', async () => {
  const id = await newCallback()
  const report = (gateway: typeof one) => () => gateway.bookingService.reportAbuse(id)
  await runIntoLock(owner, lockCallback(id), [report(one), report(other)])
  expect((await emailsAbout(id, 'abuse_reported')).map(({ audience }) => audience)).toEqual([
    'sales',
  ])
})
