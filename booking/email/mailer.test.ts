// Mail by a real mail server that refuses, hangs up and forgets to answer.
import { describe, expect, test } from 'bun:test'
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import PostalMime from 'postal-mime'
import { somebody } from '../testing/booking-service.ts'
import { waitSeconds } from './mailer.ts'
import { filePost } from './transport.ts'
import { EmailSetup } from '../testing/email.ts'
import type { Fate } from '../testing/smtp-server.ts'

const setup = new EmailSetup()

describe('a mail server that does not take it', () => {
  test('it waits whatever is said, and is sent once when it is taken', async () => {
    const buyer = somebody()
    const fates: Fate[] = [
      { code: 451, at: 'recipient' },
      { code: 421, at: 'data' },
      { code: 550, at: 'recipient' },
      { code: 554, at: 'data' },
      'hang up',
    ]
    setup.server.fates.push(...fates)
    const id = await setup.book(buyer)
    await setup.owner`update site.emails set facts = null, gave_up_at = now()
                       where subject = ${id} and audience = 'sales'`
    setup.open()
    for (const [tries] of fates.entries()) {
      await setup.untilLogged(tries + 1)
      await setup.hurry()
    }
    await setup.server.until(1)
    await setup.untilSettled()
    expect(setup.server.received.map(({ to }) => to)).toEqual([buyer.email])
    expect(setup.logged.slice(0, 4).map(({ name, reason }) => [name, reason])).toEqual(
      ['451', '421', '550', '554'].map(code => ['mail.refused', code]),
    )
    const [row] =
      await setup.owner`select attempts, sent_at is not null as sent, facts from site.emails
                               where subject = ${id} and audience = 'buyer'`
    expect(row).toEqual({ attempts: 6, sent: true, facts: null })
    // A refusal may quote the address; what is logged does not.
    expect(JSON.stringify(setup.logged)).not.toMatch(/rivera|Ada/i)
  })
  test('takes it and dies before it says so: it comes again under the same Message-ID', async () => {
    const buyer = somebody()
    setup.server.fates.push('hang up after')
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
  test('never takes it: it is given up after days, and its facts are dropped', async () => {
    const id = await setup.book()
    await setup.owner`update site.emails set created_at = now() - interval '6 days' where subject = ${id}`
    setup.server.fates.push({ code: 451, at: 'data' }, { code: 451, at: 'data' })
    setup.open()
    await setup.untilSettled()
    expect(setup.logged.filter(({ name }) => name === 'mail.failed').length).toBe(2)
    expect(setup.server.received.length).toBe(0)
  })
  test('is asked ever less often, and rarely where it said that it never will', () => {
    expect([1, 2, 3, 11, 99].map(tries => waitSeconds(tries, false))).toEqual([
      5, 10, 20, 3600, 3600,
    ])
    expect([1, 12].map(tries => waitSeconds(tries, true))).toEqual([900, 3600])
  })
})

test('forty mails, four gateways: each is sent once', async () => {
  const buyers = Array.from({ length: 20 }, () => somebody())
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

test('without a mail server it is a file, which can be opened', async () => {
  const folder = mkdtempSync(path.join(tmpdir(), 'mail-'))
  const buyer = somebody()
  await setup.book(buyer)
  setup.open(filePost(folder))
  await setup.untilSettled()
  const files = readdirSync(folder)
  const emails = await Promise.all(
    files.map(name => PostalMime.parse(readFileSync(path.join(folder, name)))),
  )
  expect(emails.map(({ to }) => to?.[0]?.address).sort()).toEqual(
    [buyer.email, 'sales@house.example'].sort(),
  )
  rmSync(folder, { recursive: true })
})
