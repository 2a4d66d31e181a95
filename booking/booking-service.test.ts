// Tests the booking service on a real database: availability, one call per person and per time, and
// refusals.
import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import {
  by,
  type BookingServices,
  monday,
  createBookingServices,
  testLinks,
  newBuyer,
  taken,
} from './testing/booking-service.ts'

let { one, other, owner, free, book, mailOf, close } = {} as BookingServices
beforeAll(async () => {
  ;({ one, other, owner, free, book, mailOf, close } = await createBookingServices())
})
afterAll(() => close())

describe('booking: availability', () => {
  test('lists the opening hours from the notice period to the last bookable day', async () => {
    const slots = await one.bookingService.availability({ days: 31 })
    // Monday at 8:30 AM with four hours of notice: the first slot is at 1 PM.
    expect(slots[0]).toEqual({ start: '2027-03-08T18:00:00.000Z', end: '2027-03-08T18:30:00.000Z' })
    expect(Date.parse(slots.at(-1)?.start ?? '')).toBeLessThan(monday + 31 * 86_400_000)
    const starts = slots.map(({ start }) => start)
    expect(starts).toEqual([...new Set(starts)].sort())
  })
  test('keeps local opening hours when daylight saving time begins, and skips closed days', async () => {
    const days = await one.bookingService.availability({ from: '2027-03-09', days: 8 })
    const firsts = [...Map.groupBy(days, ({ start }) => start.slice(0, 10)).values()]
    expect(firsts.map(group => group[0]?.start)).toEqual([
      '2027-03-09T14:00:00.000Z',
      '2027-03-11T14:00:00.000Z',
      '2027-03-12T14:00:00.000Z',
      '2027-03-15T13:00:00.000Z',
      '2027-03-16T13:00:00.000Z',
    ])
  })
  test('a day begins and ends in the requested time zone', async () => {
    const day = { from: '2027-03-12', days: 1 }
    const auckland = await one.bookingService.availability({ ...day, timeZone: 'Pacific/Auckland' })
    // Friday in Auckland contains Thursday afternoon in New York.
    expect(auckland[0]?.start).toBe('2027-03-11T14:00:00.000Z')
    expect(auckland.at(-1)?.start).toBe('2027-03-11T21:30:00.000Z')
    const tokyo = await one.bookingService.availability({
      from: new Date(monday),
      days: 1,
      timeZone: 'Asia/Tokyo',
    })
    expect(tokyo).toEqual([])
  })
  test('an invalid day counts as today, and a day out of range has no slots', async () => {
    const today = await one.bookingService.availability()
    expect(await one.bookingService.availability({ from: 'soon' })).toEqual(today)
    expect(await one.bookingService.availability({ from: '9999-12-31', days: 1 })).toEqual([])
    expect(await one.bookingService.availability({ from: '0001-01-01', days: 1 })).toEqual([])
  })
  test('does not list a booked time', async () => {
    const slot = await free(3)
    taken(await book(slot.start))
    expect(
      (await other.bookingService.availability({ days: 31 })).map(({ start }) => start),
    ).not.toContain(slot.start)
  })
})

describe('booking: with a start', () => {
  test('confirms the call, stores its origin, and queues one email to the buyer and one to sales', async () => {
    const slot = await free()
    const buyer = { ...newBuyer(), lastName: 'Rivera', company: 'Rivera Clinic' }
    const { booking, replayed } = taken(
      await one.bookingService.book({
        buyer,
        via: { ...by('mcp', 'Agent/2'), consent: true },
        // The same time, with Berlin's offset.
        start: Temporal.Instant.from(slot.start).toString({ timeZone: 'Europe/Berlin' }),
        timeZone: 'Europe/Berlin',
        note: 'Two states',
      }),
    )
    expect(replayed).toBe(false)
    expect(booking).toMatchObject({ status: 'confirmed', slot, timeZone: 'Europe/Berlin' })
    expect(booking.url).toBe(testLinks.call(booking.id, 'answer'))
    const [row] = await owner`
      select status, person, first_name, last_name, company, note, protocol, agent, wording, consent
        from site.bookings where id = ${booking.id}`
    expect(row).toEqual({
      status: 'confirmed',
      person: buyer.email,
      first_name: 'Ada',
      last_name: 'Rivera',
      company: 'Rivera Clinic',
      note: 'Two states',
      protocol: 'mcp',
      agent: 'Agent/2',
      wording: '2026-11-21',
      consent: true,
    })
    expect(await mailOf(booking.id)).toEqual([
      { audience: 'buyer', kind: 'booked', sequence: 0, waits: true },
      { audience: 'sales', kind: 'booked', sequence: 0, waits: true },
    ])
  })
  test('a second request with the same address returns the first call and sends nothing', async () => {
    const buyer = newBuyer()
    const [slot, later] = [await free(), await free(9)]
    const first = taken(await book(slot.start, buyer))
    const shouted = { ...buyer, email: ` ${buyer.email.toUpperCase()} ` }
    for (const start of [slot.start, later.start, undefined]) {
      const again = taken(await book(start, shouted, 'a2a'))
      expect(again.replayed).toBe(true)
      // A caller who only knows the address must not get the link that cancels the call.
      expect(again.booking).toEqual({ ...first.booking, url: testLinks.help })
    }
    expect((await mailOf(first.booking.id)).length).toBe(2)
  })
  test('a retry after the notice period began returns the first call', async () => {
    const buyer = newBuyer()
    const slot = await free()
    const first = taken(await book(slot.start, buyer))
    other.clock.now = Date.parse(slot.start) - 60_000
    const again = taken(
      await other.bookingService.book({ buyer, via: by('acp'), start: slot.start }),
    )
    other.clock.now = monday
    expect(again).toMatchObject({ replayed: true, booking: { id: first.booking.id } })
  })
  test('after the call the person may book another one', async () => {
    const buyer = newBuyer()
    const first = taken(await book((await free()).start, buyer))
    one.clock.now = monday + 7 * 86_400_000
    const second = taken(await book((await free()).start, buyer))
    one.clock.now = monday
    expect(second.replayed).toBe(false)
    expect(second.booking.id).not.toBe(first.booking.id)
    const [row] = await owner`select status from site.bookings where id = ${first.booking.id}`
    expect(row.status).toBe('held')
  })
})

describe('booking: refusals', () => {
  test('a taken time is refused with the three nearest free ones, and nothing is stored', async () => {
    const slots = await one.bookingService.availability({ from: '2027-03-22', days: 1 })
    const wanted = slots[4]?.start ?? ''
    taken(await book(wanted))
    const buyer = newBuyer()
    const answer = await book(wanted, buyer)
    expect(answer).toEqual({
      kind: 'slot_taken',
      alternatives: [slots[3], slots[5], slots[2]].filter(slot => slot !== undefined),
    })
    const rows = await owner`select from site.bookings where person = ${buyer.email}`
    expect(rows.length).toBe(0)
  })
  test.each([
    ['2027-03-08T13:00:00Z', 'not_offered'], // past
    ['2027-03-08T17:00:00Z', 'not_offered'], // too soon, and during lunch
    ['2027-03-10T15:00:00Z', 'not_offered'], // closed
    ['2027-03-09T14:15:00Z', 'not_offered'], // between two slots
    ['2027-05-10T14:00:00Z', 'not_offered'], // too far
    ['2027-03-09T14:00:00', 'invalid'],
    ['tomorrow', 'invalid'],
    ['2027-13-40T14:00:00Z', 'invalid'],
  ] as const)('a start of %p is refused as %p', async (start, code) => {
    expect(await book(start)).toMatchObject({ kind: 'invalid', faults: [{ field: 'start', code }] })
  })
  test('lists every invalid field in one response', async () => {
    const buyer = { firstName: '', email: 'ada' }
    const request = { buyer, via: by('web'), start: 'soon', timeZone: 'Mars/Base' }
    const answer = await one.bookingService.book(request)
    expect(answer.kind === 'invalid' && answer.faults.map(({ field }) => field)).toEqual([
      'first_name',
      'email',
      'start',
      'timezone',
    ])
  })
})

describe('booking: without a start', () => {
  test('is requested with a link to pick a time; a later request with a start confirms it', async () => {
    const buyer = newBuyer()
    const first = taken(await book(undefined, buyer))
    expect(first.booking).toMatchObject({ status: 'requested', slot: null })
    expect(first.booking.url).toBe(testLinks.pick(first.booking.id, 'answer'))
    expect(taken(await book(undefined, buyer)).replayed).toBe(true)
    const slot = await free(5)
    const second = taken(await book(slot.start, buyer))
    expect(second).toMatchObject({
      replayed: false,
      booking: { id: first.booking.id, status: 'confirmed', slot },
    })
    expect((await mailOf(first.booking.id)).map(({ kind, sequence }) => [kind, sequence])).toEqual([
      ['requested', 0],
      ['requested', 0],
      ['booked', 1],
      ['booked', 1],
    ])
  })
  test('a start for an open request confirms it without the link that cancels it', async () => {
    const buyer = newBuyer()
    taken(await book(undefined, buyer))
    // A caller who only knows the address could otherwise cancel its owner's call.
    const { booking } = taken(await book((await free(6)).start, buyer))
    expect(booking).toMatchObject({
      status: 'confirmed',
      url: 'https://health.example/booking/call',
    })
  })
  test('a request without a time expires after 30 days; the person may then book again', async () => {
    const buyer = newBuyer()
    const first = taken(await book(undefined, buyer))
    await owner`update site.bookings set created_at = ${new Date(monday - 31 * 86_400_000)}
                 where id = ${first.booking.id}`
    const second = taken(await book(undefined, buyer))
    expect(second.replayed).toBe(false)
    expect(second.booking.id).not.toBe(first.booking.id)
  })
})
