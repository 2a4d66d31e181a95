// Tests the booking service's dry runs, callbacks and concurrent requests.
import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import type { SQL } from 'bun'
import type { Protocol } from '#contract/site/discovery-call.ts'
import {
  by,
  type BookingServices,
  monday,
  createBookingServices,
  newBuyer,
  runIntoLock,
  taken,
} from './testing/booking-service.ts'

let { one, other, owner, free, book, mailOf, close } = {} as BookingServices
beforeAll(async () => {
  ;({ one, other, owner, free, book, mailOf, close } = await createBookingServices())
})
afterAll(() => close())

describe('booking: an address at a reserved domain', () => {
  const buyer = { firstName: 'Ada', email: 'ada@example.com' }
  const counts = async () =>
    (
      await owner`select (select count(*)::int from site.bookings) as bookings,
                        (select count(*)::int from site.callbacks) as callbacks,
                        (select count(*)::int from site.emails) as mail`
    )[0]
  test('gets a booking response; nothing is stored or sent', async () => {
    const slot = await free()
    const before = await counts()
    const answers = [
      await book(slot.start, buyer),
      await book(slot.start, { ...buyer, email: 'ADA@example.com' }),
      await book(undefined, { ...buyer, email: 'ada@clinic.test' }),
    ]
    expect(answers.map(({ kind }) => kind)).toEqual(['dry_run', 'dry_run', 'dry_run'])
    expect([answers[0]]).toEqual([answers[1]])
    expect(answers[0]).toMatchObject({ booking: { status: 'confirmed', slot } })
    expect(answers[2]).toMatchObject({ booking: { status: 'requested', slot: null } })
    const request = { buyer, via: by('mcp') }
    expect((await one.bookingService.requestCallback(request)).kind).toBe('dry_run')
    expect(await counts()).toEqual(before)
    expect(
      (await one.bookingService.availability({ days: 31 })).map(({ start }) => start),
    ).toContain(slot.start)
  })
  test('gets the same refusals as any other address', async () => {
    const slot = await free()
    taken(await book(slot.start))
    expect((await book(slot.start, buyer)).kind).toBe('slot_taken')
    expect((await book('2027-03-08T13:00:00Z', buyer)).kind).toBe('invalid')
  })
})

describe('booking: a callback', () => {
  test('is stored once a day, and promised by the end of the next working day', async () => {
    const buyer = { ...newBuyer(), phone: '+12025550123' }
    const request = { buyer, via: by('mcp'), note: 'Prices' }
    const first = await one.bookingService.requestCallback(request)
    expect(first).toMatchObject({ kind: 'requested', replayed: false })
    // Tuesday at 5 PM.
    expect(first).toMatchObject({ replyBy: '2027-03-09T22:00:00.000Z' })
    const again = await other.bookingService.requestCallback({ ...request, via: by('a2a') })
    expect(again).toEqual({ ...first, replayed: true } as typeof again)
    // On Tuesday, Monday's promise still applies.
    other.clock.now = monday + 23 * 3_600_000
    const later = await other.bookingService.requestCallback(request)
    other.clock.now = monday
    expect(later).toMatchObject({ replyBy: '2027-03-09T22:00:00.000Z', replayed: true })
    one.clock.now = monday + 25 * 3_600_000
    const next = await one.bookingService.requestCallback(request)
    one.clock.now = monday
    expect(next).toMatchObject({ kind: 'requested', replayed: false })
    const rows = await owner`select id from site.callbacks where person = ${buyer.email}`
    expect(rows.length).toBe(2)
  })
  test('twenty concurrent requests create one callback', async () => {
    const request = { buyer: newBuyer(), via: by('mcp') }
    const answers = await Promise.all(
      Array.from({ length: 20 }, (_, at) =>
        (at % 2 ? one : other).bookingService.requestCallback(request),
      ),
    )
    const ids = answers.map(answer => ('id' in answer ? answer.id : answer.kind))
    expect(new Set(ids).size).toBe(1)
    expect(answers.filter(answer => 'replayed' in answer && !answer.replayed).length).toBe(1)
    expect((await mailOf(ids[0] ?? '')).length).toBe(2)
  })
})

describe('booking: concurrent requests', () => {
  test('twenty people book one time: one gets it, nineteen get alternatives', async () => {
    const { start } = await free(12)
    const answers = await Promise.all(
      Array.from({ length: 20 }, (_, at) => {
        const request = { buyer: newBuyer(), via: by('a2a'), start }
        return (at % 2 ? one : other).bookingService.book(request)
      }),
    )
    expect(answers.filter(({ kind }) => kind === 'booked').length).toBe(1)
    expect(answers.filter(({ kind }) => kind === 'slot_taken').length).toBe(19)
    const rows = await owner`select id from site.bookings
                              where status = 'confirmed' and starts_at = ${start}`
    expect(rows.length).toBe(1)
  })
  test('two agents pick times for one request at once: both get the stored time', async () => {
    const buyer = newBuyer()
    const { booking } = taken(await book(undefined, buyer))
    const starts = [(await free(14)).start, (await free(15)).start]
    const lock = (connection: SQL) =>
      connection`select from site.bookings where id = ${booking.id} for update`
    const picks = starts.map(start => () => book(start, buyer))
    const answers = await runIntoLock(owner, lock, picks)
    const [row] = await owner`select starts_at from site.bookings where id = ${booking.id}`
    const stored = (row.starts_at as Date).toISOString()
    expect(starts).toContain(stored)
    expect(answers.map(answer => taken(answer).booking.slot?.start)).toEqual([stored, stored])
    expect(answers.filter(answer => !taken(answer).replayed)).toHaveLength(1)
  })
  test('if a call is moved during its cancellation, the email cancels the new time', async () => {
    const slot = await free(16)
    const to = await free(17)
    const { booking } = taken(await book(slot.start))
    const move = (connection: SQL) =>
      connection`update site.bookings set sequence = sequence + 1, starts_at = ${to.start},
                        ends_at = ${to.end} where id = ${booking.id}`
    await runIntoLock(owner, move, [() => one.bookingService.cancel(booking.id)])
    const sent = await owner`select facts #>> '{before,start}' as start from site.emails
                              where subject = ${booking.id} and kind = 'cancelled'`
    expect([...sent]).toEqual([{ start: to.start }, { start: to.start }])
  })
  test('a call that is moved just as it ends is not over', async () => {
    const buyer = newBuyer()
    const to = await free(18)
    const { booking } = taken(await book((await free(19)).start, buyer))
    await owner`update site.bookings set starts_at = starts_at - interval '1 year',
                  ends_at = ends_at - interval '1 year' where id = ${booking.id}`
    const move = (connection: SQL) =>
      connection`update site.bookings set sequence = sequence + 1, starts_at = ${to.start},
                        ends_at = ${to.end} where id = ${booking.id}`
    const again = async () => book((await free(20)).start, buyer)
    const [answer] = await runIntoLock(owner, move, [again])
    expect(answer).toMatchObject({ replayed: true, booking: { id: booking.id, slot: to } })
  })
  test('one person books twenty times through every protocol: one call is created', async () => {
    const buyer = newBuyer()
    const slots = (await one.bookingService.availability({ days: 31 })).slice(20, 25)
    const protocols: Protocol[] = ['acp', 'a2a', 'mcp', 'web']
    const answers = await Promise.all(
      Array.from({ length: 20 }, (_, at) => {
        const start = slots[at % slots.length]?.start ?? ''
        const via = by(protocols[at % protocols.length] ?? 'web')
        return (at % 2 ? one : other).bookingService.book({ buyer, via, start })
      }),
    )
    const ids = new Set(answers.map(answer => taken(answer).booking.id))
    expect(ids.size).toBe(1)
    expect(answers.filter(answer => !taken(answer).replayed).length).toBe(1)
    expect((await mailOf([...ids][0] ?? '')).length).toBe(2)
    const starts = new Set(answers.map(answer => taken(answer).booking.slot?.start))
    expect(starts.size).toBe(1)
  })
})
