// Tests the quota for unconfirmed people, on a real database shared by two gateways.
import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import type { SQL } from 'bun'
import { Problem } from '#contract/problems.ts'
import { type TestDatabase, testDatabase } from '#database/testing/database.ts'
import type { Buyer } from './booking-service.ts'
import { eraseExpired } from './retention.ts'
import {
  type BookingFixture,
  by,
  monday,
  newBuyer,
  openBookingFixture,
  openOwner,
  runIntoLock,
  taken,
} from './testing/booking-service.ts'

const peoplePerHour = 3
let database: TestDatabase
let owner: SQL
let one: BookingFixture
let other: BookingFixture
beforeAll(async () => {
  database = await testDatabase()
  owner = openOwner(database)
  one = openBookingFixture(database, { peoplePerHour })
  other = openBookingFixture(database, { peoplePerHour })
})
afterAll(async () => {
  await Promise.all([one.close(), other.close(), owner.close()])
  await database.close()
})

let networks = 0
/** An address that no other test uses. */
const newAddress = () => `198.51.100.${++networks}`

const book = (address: string, buyer: Buyer = newBuyer(), gateway = one) =>
  gateway.bookingService.book({ buyer, via: { ...by('acp'), address } })
const callBack = (address: string, buyer: Buyer = newBuyer(), gateway = one) =>
  gateway.bookingService.requestCallback({ buyer, via: { ...by('mcp'), address } })

/** The seconds to wait, from a refusal. */
async function refused(attempt: Promise<unknown>): Promise<number> {
  const problem = await attempt.then(
    () => undefined,
    (failure: unknown) => failure,
  )
  if (!(problem instanceof Problem)) throw new Error(`not refused: ${String(problem)}`)
  expect(problem.code).toBe('rate_limited')
  return Number(problem.content.headers?.['retry-after'])
}

describe('booking quota', () => {
  test('calls and callbacks from two gateways count together, and the refusal says how long to wait', async () => {
    const address = newAddress()
    taken(await book(address))
    expect((await callBack(address, newBuyer(), other)).kind).toBe('requested')
    taken(await book(address, newBuyer(), other))
    const buyer = newBuyer()
    for (const attempt of [book, callBack]) {
      expect(await refused(attempt(address, buyer, other))).toBeWithin(3500, 3601)
    }
    const rows = await owner`select from site.bookings where person = ${buyer.email}
                             union all select from site.callbacks where person = ${buyer.email}`
    expect(rows).toHaveLength(0)
    taken(await book(newAddress(), buyer))
  })

  test('a repeated request, a dry run and a taken time do not count', async () => {
    const [address, buyer] = [newAddress(), newBuyer()]
    for (let times = 0; times < 5; times++) {
      expect((await book(address, buyer)).kind).toBe('booked')
      expect((await book(address, { firstName: 'Ada', email: 'ada@example.com' })).kind).toBe(
        'dry_run',
      )
      expect((await callBack(address, buyer)).kind).toBe('requested')
    }
    taken(await book(address))
    await refused(book(address))
    expect(await callBack(address, buyer)).toMatchObject({ replayed: true })
    expect(taken(await book(address, buyer)).replayed).toBe(true)
  })

  test('concurrent requests at two gateways are admitted up to the quota', async () => {
    const address = newAddress()
    const attempts = Array.from({ length: 12 }, (_, at) =>
      book(address, newBuyer(), at % 2 ? one : other),
    )
    const outcomes = await Promise.allSettled(attempts)
    expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(peoplePerHour)
  })

  test('a person who loses a race for a time is not counted', async () => {
    const address = newAddress()
    taken(await book(address))
    const [slot] = await one.bookingService.availability({ days: 31 })
    const via = { ...by('acp'), address }
    const request = () =>
      one.bookingService.book({ buyer: newBuyer(), via, start: slot?.start ?? '' })
    const lock = (connection: SQL) => connection`select from site.people_quotas for update`
    const answers = await runIntoLock(owner, lock, [request, request])
    expect(answers.map(({ kind }) => kind).sort()).toEqual(['booked', 'slot_taken'])
    taken(await book(address))
    await refused(book(address))
  })

  test('addresses of one IPv6 network count together', async () => {
    for (const host of ['1', '2', '3']) taken(await book(`2001:db8:0:7::${host}`))
    await refused(book('2001:db8:0:7:ffff::1'))
  })

  test('a confirmation returns the person’s place once', async () => {
    const address = newAddress()
    const { booking } = taken(await book(address))
    for (let times = 0; times < 2; times++) taken(await book(address))
    await refused(book(address))
    for (let times = 0; times < 2; times++) await one.bookingService.confirmPerson(booking.id)
    taken(await book(address))
    await refused(book(address))
  })

  test('a confirmation after the hour returns no place in the next hour', async () => {
    const address = newAddress()
    const { booking } = taken(await book(address))
    one.clock.now = monday + 3_600_000
    try {
      for (let times = 0; times < peoplePerHour; times++) taken(await book(address))
      await one.bookingService.confirmPerson(booking.id)
      await refused(book(address))
    } finally {
      one.clock.now = monday
    }
  })

  test('confirming returns only that person’s place', async () => {
    const [address, elsewhere] = [newAddress(), newAddress()]
    const first = taken(await book(address)).booking
    const second = taken(await book(address)).booking
    taken(await book(address))
    for (let times = 0; times < 3; times++) taken(await book(elsewhere))
    await one.bookingService.confirmPerson(first.id)
    await refused(book(elsewhere))
    taken(await book(address))
    await refused(book(address))
    await one.bookingService.confirmPerson(second.id)
    taken(await book(address))
    await refused(book(address))
  })

  test('a confirmation by a network’s only person leaves every place free', async () => {
    const address = newAddress()
    const { booking } = taken(await book(address))
    await one.bookingService.confirmPerson(booking.id)
    for (let times = 0; times < 3; times++) taken(await book(address))
    await refused(book(address))
  })

  test('the hour starts with the first person and is stored until it ends', async () => {
    const address = newAddress()
    taken(await book(address))
    try {
      one.clock.now = monday + 1_800_000
      for (let times = 0; times < 2; times++) taken(await book(address))
      expect(await refused(book(address))).toBe(1800)
      one.clock.now = monday + 3_599_000
      await eraseExpired({ pool: one.pool, log: { event() {} }, now: () => one.clock.now })
      expect(await refused(book(address))).toBe(1)
      const kept = await owner`select from site.bookings where network_hmac is not null`
      expect(kept.length).toBeGreaterThanOrEqual(3)
      one.clock.now = monday + 3_600_000
      taken(await book(address))
    } finally {
      one.clock.now = monday
    }
  })

  test('after an hour the network is forgotten', async () => {
    const address = newAddress()
    for (let times = 0; times < peoplePerHour; times++) taken(await book(address))
    await refused(book(address))
    one.clock.now = monday + 3_600_000
    try {
      taken(await book(address))
      const later = one.clock.now + 3_600_000
      await eraseExpired({ pool: one.pool, log: { event() {} }, now: () => later })
      const kept = await owner`select from site.people_quotas
                               union all select from site.bookings where network_hmac is not null`
      expect(kept).toHaveLength(0)
    } finally {
      one.clock.now = monday
    }
  })

  test('addresses that differ only in their plus tag are one person', async () => {
    const [local = '', domain = ''] = newBuyer().email.split('@')
    const ids = new Set<string>()
    for (const tag of ['', '+1', '+two', '+a+b', '+']) {
      const answer = await book(newAddress(), {
        firstName: 'Ada',
        email: `${local}${tag}@${domain}`,
      })
      ids.add(taken(answer).booking.id)
    }
    expect(ids.size).toBe(1)
  })

  test('a refused callback request leaves the previous one open', async () => {
    const [address, buyer] = [newAddress(), newBuyer()]
    const answer = await callBack(newAddress(), buyer)
    try {
      one.clock.now = monday + 25 * 3_600_000
      for (let times = 0; times < 3; times++) taken(await book(address))
      await refused(callBack(address, buyer))
    } finally {
      one.clock.now = monday
    }
    const [row] = await owner`
      select closed_at from site.callbacks where id = ${'id' in answer ? answer.id : ''}`
    expect(row).toEqual({ closed_at: null })
  })
})
