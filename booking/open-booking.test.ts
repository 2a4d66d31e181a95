// Everything about booking as a gateway opens it: who may read the email, what closing waits for,
// and a preview, which stores nothing.
import { afterAll, beforeAll, expect, spyOn, test } from 'bun:test'
import { existsSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import type { SQL } from 'bun'
import { type ConnectionPool, openPool } from '#database/pool.ts'
import { type TestDatabase, testDatabase } from '#database/testing/database.ts'
import { until } from '#http/testing/until.ts'
import { createDryRunBooking, openBooking } from './open-booking.ts'
import {
  by,
  newBuyer,
  openOwner,
  taken,
  testLinks,
  testPersonLinks,
} from './testing/booking-service.ts'
import { startSmtpServer } from './testing/smtp-server.ts'

let database: TestDatabase
let pool: ConnectionPool
let owner: SQL
let folder: string
beforeAll(async () => {
  database = await testDatabase()
  pool = openPool({ url: database.urls.site, size: 4, name: 'test site' })
  owner = openOwner(database)
  folder = mkdtempSync(path.join(tmpdir(), 'open-booking-'))
})
afterAll(async () => {
  await Promise.all([pool.close(), owner.close()])
  await database.close()
  rmSync(folder, { recursive: true })
})

const shared = () => ({
  pool,
  links: testLinks,
  secret: 'a secret of the tests',
  site: () => ({ serve: () => new Response('<main></main>') }),
})
const open = (smtpUrl: string | undefined, isPrivate: boolean) =>
  openBooking({
    ...shared(),
    people: testPersonLinks,
    settings: {
      dataDir: folder,
      smtpUrl,
      mailFrom: undefined,
      salesEmail: 'sales@health.example',
      isPrivate,
    },
    log: { request() {}, event() {}, flush() {} },
  })

test.each([
  ['without a mail server on a private machine', undefined, true, '/dev/mail'],
  ['without a mail server on a public machine', undefined, false, null],
  ['with a mail server', 'smtp://127.0.0.1:9', true, null],
])('email %s is shown at: %p, %p, %p', async (_, smtpUrl, isPrivate, mailPath) => {
  const booking = open(smtpUrl, isPrivate)
  expect(booking.mailPath).toBe(mailPath)
  const pages = booking.endpoints.filter(endpoint => endpoint.path.startsWith('/dev/mail'))
  expect(pages).toHaveLength(mailPath === null ? 0 : 3)
  await booking.close()
})

test('closing waits for the email that is being sent, and ends the hourly erasure', async () => {
  const server = await startSmtpServer()
  const release = server.hold()
  const timers = spyOn(globalThis, 'setInterval')
  const cleared = spyOn(globalThis, 'clearInterval')
  const booking = open(server.url, false)
  const hourly = timers.mock.calls.findIndex(([, milliseconds]) => milliseconds === 3_600_000)
  const timer = timers.mock.results[hourly]?.value
  const buyer = newBuyer()
  const { id } = taken(await booking.bookingService.book({ buyer, via: by('acp') })).booking
  await until(async () => {
    const [row] = await owner`select min(attempts) as tries from site.emails where subject = ${id}`
    return row.tries === 1
  })
  let isClosed = false
  const closing = booking.close().then(() => (isClosed = true))
  await owner`select 1`
  expect(isClosed).toBe(false)
  release()
  await closing
  expect(server.received.map(({ to }) => to).toSorted()).toEqual([
    buyer.email,
    'sales@health.example',
  ])
  expect(cleared).toHaveBeenCalledWith(timer)
  timers.mockRestore()
  cleared.mockRestore()
  await server.close()
})

test('without a mail server an email becomes a file', async () => {
  const booking = open(undefined, true)
  const via = by('acp')
  const { id } = taken(await booking.bookingService.book({ buyer: newBuyer(), via })).booking
  await until(async () => {
    const rows = await owner`select from site.emails where subject = ${id} and sent_at is not null`
    return rows.length === 2
  })
  const rows = await owner`select id from site.emails where subject = ${id}`
  for (const row of rows) {
    expect(existsSync(path.join(folder, 'mail', `${row.id}.eml`))).toBe(true)
  }
  await booking.close()
})

test('a preview answers as a booking does, and stores nothing', async () => {
  const { bookingService } = createDryRunBooking(shared())
  const buyer = newBuyer()
  const answer = await bookingService.book({ buyer, via: by('acp') })
  expect(answer).toMatchObject({ kind: 'dry_run', booking: { status: 'requested' } })
  const callback = await bookingService.requestCallback({ buyer, via: by('acp') })
  expect(callback.kind).toBe('dry_run')
  const rows = await owner`select from site.bookings where person = ${buyer.email}
                           union all select from site.callbacks where person = ${buyer.email}`
  expect(rows).toHaveLength(0)
})
