// A booking service on a real database, with a fixed clock and fixed opening hours.
import { SQL } from 'bun'
import { openPool } from '#database/pool.ts'
import { randomBytes } from '#database/clock.ts'
import { until } from '#http/testing/until.ts'
import { type TestDatabase, testDatabase } from '#database/testing/database.ts'
import type { Protocol, Slot } from '#contract/site/discovery-call.ts'
import type { BookingAnswer, Buyer } from '../booking-service.ts'
import type { MailLinks } from '#email/links.ts'
import { openLinks } from '../links.ts'
import { createBookingService } from '../create-service.ts'
import { openingHours, openOpening } from '../opening.ts'

export const testHours = {
  ...openingHours,
  timeZone: 'America/New_York',
  closed: ['2027-03-10'],
  noticeHours: 4,
  daysAhead: 31,
}

/** A Monday at 8:30 AM in New York. */
export const monday = Date.parse('2027-03-08T13:30:00Z')

export const testPersonLinks: MailLinks = {
  origin: 'https://auth.health.example',
  portal: 'https://portal.health.example',
  console: 'https://console.health.example',
  to: (what, id) => `https://auth.health.example/${what}?token=${id}`,
}

export const testLinks = openLinks('https://health.example', 'a secret of the tests')

export type BookingFixture = ReturnType<typeof openBookingFixture>

/** Several fixtures on one database act as several gateways. */
export function openBookingFixture(
  database: TestDatabase,
  { size = 8, peoplePerHour = 1_000_000 } = {},
) {
  const pool = openPool({ url: database.urls.site, size, name: 'test site' })
  const clock = { now: monday }
  let woken = 0
  const bookingService = createBookingService({
    pool,
    opening: openOpening(testHours),
    links: testLinks,
    now: () => clock.now,
    wake: () => void woken++,
    isDryRun: false,
    secret: 'a secret of the tests',
    peoplePerHour,
  })
  return { bookingService, pool, clock, woken: () => woken, close: () => pool.close() }
}

export const openOwner = (database: TestDatabase) => new SQL(database.url, { max: 2 })

/** Takes a lock, starts the requests, and commits once each of them has read its facts and is
 *  waiting. `owner` needs a second connection, because a transaction reads the session list only
 *  once. */
export async function runIntoLock<T>(
  owner: SQL,
  lock: (connection: SQL) => PromiseLike<unknown>,
  requests: readonly (() => Promise<T>)[],
): Promise<T[]> {
  // Wrapped in an object, because a returned promise would be awaited before the commit.
  const { running } = await owner.begin(async connection => {
    await lock(connection)
    const running = Promise.all(requests.map(request => request()))
    await untilWaiting(owner, requests.length)
    return { running }
  })
  return running
}

/** Waits until this many statements wait for a lock. */
export const untilWaiting = (owner: SQL, count: number): Promise<void> =>
  until(async () => {
    const waiting = await owner`
      select from pg_stat_activity
       where datname = current_database() and wait_event_type = 'Lock'`
    return waiting.length === count
  })

/** Whether the work finishes while a lock blocks its writes. */
export async function isOverBefore(
  owner: SQL,
  lock: (connection: SQL) => PromiseLike<unknown>,
  work: () => Promise<unknown>,
): Promise<boolean> {
  let isOver = false
  const { running } = await owner.begin(async connection => {
    await lock(connection)
    const running = work().then(() => (isOver = true))
    await untilWaiting(owner, 1)
    const wasOver = isOver
    return { running: running.then(() => wasOver) }
  })
  return running
}

/** A buyer that no other test uses. */
export const newBuyer = (name = 'ada'): Buyer => {
  const drawn = Buffer.from(randomBytes(5)).toString('hex')
  return { firstName: 'Ada', email: `${name}-${drawn}@rivera-clinic.com` }
}

export const by = (protocol: Protocol, agent: string | null = 'tests/1') =>
  ({ protocol, agent, address: '203.0.113.7', wording: '2026-11-21' }) as const

export type BookingServices = Awaited<ReturnType<typeof createBookingServices>>

/** Two booking services on one new database, as in two gateways, with helpers for tests. */
export async function createBookingServices() {
  const database = await testDatabase()
  const owner = openOwner(database)
  const [one, other] = [openBookingFixture(database), openBookingFixture(database)]
  const free = async (at = 0): Promise<Slot> => {
    const slot = (await one.bookingService.availability({ days: 31 })).at(at)
    if (!slot) throw new Error('no slot is free')
    return slot
  }
  const book = (start: string | undefined, buyer = newBuyer(), protocol: Protocol = 'acp') =>
    one.bookingService.book({ buyer, via: by(protocol), ...(start === undefined ? {} : { start }) })
  const mailOf = (subject: string) =>
    owner`select audience, kind, sequence, facts is not null as waits from site.emails
           where subject = ${subject} order by sequence, audience`.then(rows => [...rows])
  const close = async () => {
    await Promise.all([one.close(), other.close(), owner.close()])
    await database.close()
  }
  return { one, other, owner, free, book, mailOf, close }
}

/** The response to a request that must succeed. */
export function taken(answer: BookingAnswer) {
  if (answer.kind !== 'booked') throw new Error(`not booked but ${JSON.stringify(answer)}`)
  return answer
}
