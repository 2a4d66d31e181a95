// Tests the mailer with a real mail server that refuses emails and drops connections.
import { describe, expect, test } from 'bun:test'
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import PostalMime from 'postal-mime'
import { untilPaused } from '#http/testing/pauses.ts'
import { newBuyer } from '#booking/testing/booking-service.ts'
import { waitSeconds } from './mailer.ts'
import { fileTransport } from './transport.ts'
import { EmailSetup } from '#booking/testing/email.ts'
import type { Outcome } from './testing/smtp-server.ts'

const setup = new EmailSetup()

describe('email: failures of the mail server', () => {
  test('retries after every kind of failure, and sends the email once', async () => {
    const buyer = newBuyer()
    const outcomes: Outcome[] = [
      { code: 451, at: 'recipient' },
      { code: 421, at: 'data' },
      { code: 550, at: 'recipient', text: '5.1.1 No such user' },
      { code: 550, at: 'recipient', text: 'relay not permitted' },
      { code: 550, at: 'recipient', text: '5.1.8 Bad sender address' },
      { code: 554, at: 'recipient', text: '5.7.1 Relay access denied' },
      { code: 554, at: 'data' },
      { code: 500, at: 'data' },
      'hang up',
    ]
    setup.server.outcomes.push(...outcomes)
    const id = await setup.book(buyer)
    await setup.owner`update site.emails set facts = null, gave_up_at = now()
                       where subject = ${id} and audience = 'sales'`
    await setup.owner`update site.emails set created_at = now() - interval '1 hour'
                       where subject = ${id}`
    setup.open()
    const areLate: boolean[] = []
    for (const [tries] of outcomes.entries()) {
      await setup.untilLogged(tries + 1)
      areLate.push(await setup.isLate())
      await setup.hurry()
    }
    expect(areLate).toEqual([true, true, false, true, true, true, true, true, true])
    await setup.server.until(1)
    await setup.untilSettled()
    expect(setup.server.received.map(({ to }) => to)).toEqual([buyer.email])
    const refused = setup.logged.slice(0, 8)
    expect(refused.map(one => [one['name'], one['reason'], one['again_in']])).toEqual([
      ['mail.refused', '451', 5],
      ['mail.refused', '421', 10],
      ['mail.refused', '550', 900],
      ['mail.refused', '550', 900],
      ['mail.refused', '550', 900],
      ['mail.refused', '554', 900],
      ['mail.refused', '554', 900],
      ['mail.refused', '500', 900],
    ])
    const [row] =
      await setup.owner`select attempts, sent_at is not null as sent, facts from site.emails
                               where subject = ${id} and audience = 'buyer'`
    expect(row).toEqual({ attempts: 10, sent: true, facts: null })
    // A refusal may quote the address; the log must not.
    expect(JSON.stringify(setup.logged)).not.toMatch(/rivera|Ada/i)
  })
  test('an unconfirmed email is sent again with the same Message-ID', async () => {
    const buyer = newBuyer()
    setup.server.outcomes.push('hang up after')
    await setup.book(buyer)
    setup.open()
    await setup.untilLogged(2)
    await setup.hurry()
    await setup.server.until(3)
    await setup.untilSettled()
    const ids = setup.server.received.map(({ email }) => email.messageId)
    expect(ids.length).toBe(3)
    expect(new Set(ids).size).toBe(2)
  })
  test('an email fails after five days, and its content is deleted', async () => {
    const id = await setup.book()
    await setup.owner`update site.emails set created_at = now() - interval '6 days' where subject = ${id}`
    setup.server.outcomes.push({ code: 451, at: 'data' }, { code: 451, at: 'data' })
    setup.open()
    await setup.untilSettled()
    // A row is settled before its event is logged.
    await setup.untilLogged(2)
    expect(setup.logged.filter(({ name }) => name === 'mail.failed').length).toBe(2)
    expect(setup.server.received.length).toBe(0)
  })
  test('the delay between attempts doubles, and starts longer after a permanent failure', () => {
    expect([1, 2, 3, 11, 99].map(tries => waitSeconds(tries, false))).toEqual([
      5, 10, 20, 3600, 3600,
    ])
    expect([1, 12].map(tries => waitSeconds(tries, true))).toEqual([900, 3600])
  })
})

test('email: four gateways send forty queued emails once each', async () => {
  const buyers = Array.from({ length: 20 }, () => newBuyer())
  const slots = await setup.bookingService.availability({ days: 31 })
  await Promise.all(
    buyers.map((buyer, at) => setup.book(buyer, 'acp', { start: slots[at]?.start ?? '' })),
  )
  const gateways = Array.from({ length: 4 }, () => setup.open())
  for (const gateway of gateways) gateway.wake()
  await setup.server.until(40)
  await setup.untilSettled()
  expect(setup.server.received.length).toBe(40)
  expect(new Set(setup.server.received.map(({ email }) => email.messageId)).size).toBe(40)
})

test('email: an idle mailer wakes immediately, and closes immediately', async () => {
  const rests = untilPaused(600_000, 1)
  const mailer = setup.open(undefined, 600_000)
  await rests
  const restsAgain = untilPaused(600_000, 1)
  const buyer = newBuyer()
  await setup.book(buyer)
  mailer.wake()
  await setup.server.until(2)
  await setup.untilSettled()
  await restsAgain
  await mailer.close()
})

test('email: without a mail server, each email is written as an .eml file', async () => {
  const folder = mkdtempSync(path.join(tmpdir(), 'mail-'))
  const buyer = newBuyer()
  await setup.book(buyer)
  setup.open(fileTransport(folder))
  await setup.untilSettled()
  const files = readdirSync(folder)
  const emails = await Promise.all(
    files.map(name => PostalMime.parse(readFileSync(path.join(folder, name)))),
  )
  expect(emails.map(({ to }) => to?.[0]?.address).sort()).toEqual(
    [buyer.email, 'sales@health.example'].sort(),
  )
  rmSync(folder, { recursive: true })
})
