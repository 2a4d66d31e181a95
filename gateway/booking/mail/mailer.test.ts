// Mail by a real mail server that refuses, hangs up and forgets to answer.
import { describe, expect, test } from 'bun:test'
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import PostalMime from 'postal-mime'
import { somebody } from '../sample-desk.ts'
import { waitSeconds } from './mailer.ts'
import { filePost } from './post.ts'
import { MailHouse } from './sample-mail.ts'
import type { Fate } from './sample-server.ts'

const house = new MailHouse()

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
    house.server.fates.push(...fates)
    const id = await house.book(buyer)
    await house.owner`update site.mail set facts = null, gave_up_at = now()
                       where subject = ${id} and audience = 'sales'`
    house.open()
    for (const [tries] of fates.entries()) {
      await house.untilLogged(tries + 1)
      await house.hurry()
    }
    await house.server.until(1)
    await house.untilSettled()
    expect(house.server.received.map(({ to }) => to)).toEqual([buyer.email])
    expect(house.logged.slice(0, 4).map(({ name, reason }) => [name, reason])).toEqual(
      ['451', '421', '550', '554'].map(code => ['mail.refused', code]),
    )
    const [row] =
      await house.owner`select attempts, sent_at is not null as sent, facts from site.mail
                               where subject = ${id} and audience = 'buyer'`
    expect(row).toEqual({ attempts: 6, sent: true, facts: null })
    // A refusal may quote the address; what is logged does not.
    expect(JSON.stringify(house.logged)).not.toMatch(/rivera|Ada/i)
  })
  test('takes it and dies before it says so: it comes again under the same Message-ID', async () => {
    const buyer = somebody()
    house.server.fates.push('hang up after')
    await house.book(buyer)
    house.open()
    await house.untilLogged(2)
    await house.hurry()
    await house.server.until(3)
    await house.untilSettled()
    const ids = house.server.received.map(({ email }) => email.messageId)
    expect(ids.length).toBe(3)
    expect(new Set(ids).size).toBe(2)
  })
  test('never takes it: it is given up after days, and its facts are dropped', async () => {
    const id = await house.book()
    await house.owner`update site.mail set created_at = now() - interval '6 days' where subject = ${id}`
    house.server.fates.push({ code: 451, at: 'data' }, { code: 451, at: 'data' })
    house.open()
    await house.untilSettled()
    expect(house.logged.filter(({ name }) => name === 'mail.failed').length).toBe(2)
    expect(house.server.received.length).toBe(0)
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
  const slots = await house.desk.availability({ days: 31 })
  await Promise.all(
    buyers.map((buyer, at) => house.book(buyer, 'acp', { start: slots[at]?.start ?? '' })),
  )
  const gateways = Array.from({ length: 4 }, () => house.open())
  for (const gateway of gateways) gateway.wake()
  await house.server.until(40)
  await house.untilSettled()
  expect(house.server.received.length).toBe(40)
  expect(new Set(house.server.received.map(({ email }) => email.messageId)).size).toBe(40)
})

test('without a mail server it is a file, which can be opened', async () => {
  const folder = mkdtempSync(path.join(tmpdir(), 'mail-'))
  const buyer = somebody()
  await house.book(buyer)
  house.open(filePost(folder))
  await house.untilSettled()
  const files = readdirSync(folder)
  const emails = await Promise.all(
    files.map(name => PostalMime.parse(readFileSync(path.join(folder, name)))),
  )
  expect(emails.map(({ to }) => to?.[0]?.address).sort()).toEqual(
    [buyer.email, 'sales@house.example'].sort(),
  )
  rmSync(folder, { recursive: true })
})
