// Tests the hourly digest of emails to sales beyond the hourly limit.
import { expect, test } from 'bun:test'
import { siteLimits } from '#contract/limits.ts'
import { until } from '#http/testing/until.ts'
import { by, newBuyer } from '#booking/testing/booking-service.ts'
import { EmailSetup } from '#booking/testing/email.ts'

const setup = new EmailSetup()
const sales = 'sales@health.example'
const limit = siteLimits.salesEmailsPerHour

test('email: sales gets a limited number an hour, then one digest; every buyer gets their own', async () => {
  const people = Array.from({ length: limit + 3 }, (_, at) => newBuyer(`ada${at}`))
  const ids: string[] = []
  for (const buyer of people) {
    const answer = await setup.bookingService.book({ buyer, via: by('acp') })
    if (answer.kind === 'booked') ids.push(answer.booking.id)
  }
  setup.open()
  await setup.server.until(limit + people.length)
  // Several emails may have been created in the same millisecond.
  const waiting = await setup.owner`select subject from site.emails where due_at = 'infinity'
                                      and facts is not null`
  const subjects = waiting.map(({ subject }: { subject: string }) => subject)
  expect(subjects.toSorted()).toEqual(ids.slice(limit).toSorted())
  expect(setup.sentTo(sales)).toHaveLength(limit)
  const reported = ids.at(-1) ?? ''
  await setup.owner`update site.emails set created_at = created_at - interval '1 hour'
                     where facts is not null`
  await until(async () => setup.sentTo(sales).length > limit, 5)
  await setup.untilSettled()
  const digest = setup.sentTo(sales).at(-1)?.email
  expect(digest?.subject).toBe('3 more emails about calls, combined')
  for (const [at, { email }] of people.entries()) {
    expect([at, digest?.text?.includes(email), digest?.html?.includes(email)]).toEqual(
      at < limit ? [at, false, false] : [at, true, true],
    )
    expect(setup.sentTo(email)).toHaveLength(1)
  }
  expect(digest?.text).toContain(reported)
  expect(setup.sentTo(sales)).toHaveLength(limit + 1)
  // An hour later, the limit allows emails again.
  await setup.owner`update site.emails set created_at = created_at - interval '1 hour'`
  await setup.bookingService.book({ buyer: newBuyer('next'), via: by('acp') })
  await until(() => setup.sentTo(sales).length === limit + 2, 5)
})

test('email: a person who reports abuse is removed from a waiting digest', async () => {
  const [ada, eve] = [newBuyer('ada'), newBuyer('eve')]
  const book = async (buyer: typeof ada) => {
    const answer = await setup.bookingService.book({ buyer, via: by('acp') })
    return answer.kind === 'booked' ? answer.booking.id : ''
  }
  const ids = [await book(ada), await book(eve)]
  await setup.owner`update site.emails set due_at = 'infinity',
                           created_at = created_at - interval '1 hour'
                     where audience = 'sales' and facts is not null`
  await setup.owner`update site.emails set facts = null, gave_up_at = now()
                     where audience = 'buyer' and facts is not null`
  const refusing = { send: () => Promise.reject(new Error('not now')), close() {} }
  const first = setup.open(refusing)
  await setup.untilLogged(1)
  await first.close()
  await setup.bookingService.reportAbuse(ids[1] ?? '')
  await setup.hurry()
  setup.open()
  await setup.untilSettled()
  const raw = setup.sentTo(sales).map(each => each.raw)
  expect(raw.some(text => text.includes(ada.email))).toBe(true)
  expect(raw.some(text => text.includes(eve.email))).toBe(false)
  const subjects = setup.sentTo(sales).map(({ email }) => email.subject)
  expect(subjects).toContain('1 more email about calls, combined')
})

test('email: a digest with a single email is sent too', async () => {
  const buyer = newBuyer('single')
  await setup.bookingService.book({ buyer, via: by('acp') })
  await setup.owner`update site.emails set due_at = 'infinity',
                           created_at = created_at - interval '1 hour'
                     where audience = 'sales' and facts is not null`
  setup.open()
  await setup.untilSettled()
  const digest = setup.sentTo(sales).findLast(({ raw }) => raw.includes(buyer.email))?.email
  expect(digest?.subject).toBe('1 more email about calls, combined')
})
