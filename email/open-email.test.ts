// Tests email in a gateway: who may read unsent email, where it's written, and how it closes.
import { afterAll, beforeAll, expect, test } from 'bun:test'
import { existsSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import type { SQL } from 'bun'
import {
  type BookingFixture,
  by,
  newBuyer,
  openBookingFixture,
  openOwner,
  taken,
  testLinks,
  testPersonLinks,
} from '#booking/testing/booking-service.ts'
import { type TestDatabase, testDatabase } from '#database/testing/database.ts'
import { until } from '#http/testing/until.ts'
import { openEmail } from './open-email.ts'
import { startSmtpServer } from './testing/smtp-server.ts'

let database: TestDatabase
let booking: BookingFixture
let owner: SQL
let folder: string
beforeAll(async () => {
  database = await testDatabase()
  booking = openBookingFixture(database)
  owner = openOwner(database)
  folder = mkdtempSync(path.join(tmpdir(), 'open-email-'))
})
afterAll(async () => {
  await Promise.all([booking.close(), owner.close()])
  await database.close()
  rmSync(folder, { recursive: true })
})

const open = (smtpUrl: string | undefined, isPrivate: boolean) =>
  openEmail({
    pool: booking.pool,
    links: testLinks,
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

async function book(buyer = newBuyer()): Promise<string> {
  return taken(await booking.bookingService.book({ buyer, via: by('acp') })).booking.id
}

test.each([
  ['without a mail server on a private machine', undefined, true, '/dev/mail'],
  ['without a mail server on a public machine', undefined, false, null],
  ['with a mail server', 'smtp://127.0.0.1:9', true, null],
])('email %s is shown at: %p, %p, %p', async (_, smtpUrl, isPrivate, mailPath) => {
  const email = open(smtpUrl, isPrivate)
  expect(email.mailPath).toBe(mailPath)
  const pages = email.endpoints(async () => new Response())
  expect(pages.map(page => page.path.startsWith('/dev/mail'))).toEqual(
    mailPath === null ? [] : [true, true, true],
  )
  await email.close()
})

test('closing waits for the email that is being sent', async () => {
  const server = await startSmtpServer()
  const release = server.hold()
  const email = open(server.url, false)
  const buyer = newBuyer()
  const id = await book(buyer)
  email.wake()
  await until(async () => {
    const [row] = await owner`select min(attempts) as tries from site.emails where subject = ${id}`
    return row.tries === 1
  })
  let isClosed = false
  const closing = email.close().then(() => (isClosed = true))
  await owner`select 1`
  expect(isClosed).toBe(false)
  release()
  await closing
  expect(server.received.map(({ to }) => to).toSorted()).toEqual([
    buyer.email,
    'sales@health.example',
  ])
  await server.close()
})

test('without a mail server, an email becomes a file', async () => {
  const email = open(undefined, true)
  const id = await book()
  email.wake()
  await until(async () => {
    const rows = await owner`select from site.emails where subject = ${id} and sent_at is not null`
    return rows.length === 2
  })
  const rows = await owner`select id from site.emails where subject = ${id}`
  for (const row of rows) {
    expect(existsSync(path.join(folder, 'mail', `${row.id}.eml`))).toBe(true)
  }
  await email.close()
})
