// Tests email content with independent parsers, after a real mail server accepted it.
import { describe, expect, test } from 'bun:test'
import { by, testLinks, newBuyer } from '#booking/testing/booking-service.ts'
import { calendarIn } from './testing/calendar.ts'
import { EmailSetup } from '#booking/testing/email.ts'

const setup = new EmailSetup()

describe('email: a booked call', () => {
  test('sends an invitation to the buyer and a notice to sales', async () => {
    const buyer = { ...newBuyer(), firstName: 'Zoë', lastName: 'Rivera' }
    const start = await setup.free()
    const id = await setup.book(buyer, 'mcp', { start, timeZone: 'Europe/Berlin' })
    setup.open()
    await setup.server.until(2)
    await setup.untilSettled()
    const [invitation] = setup.sentTo(buyer.email)
    const calendar = invitation && calendarIn(invitation.email)
    if (!invitation || !calendar) throw new Error('no invitation was sent')
    expect(calendar).toMatchObject({
      method: 'REQUEST',
      uid: `${id}@example.com`,
      sequence: 0,
      start,
      end: new Date(Date.parse(start) + 1_800_000).toISOString(),
      status: 'CONFIRMED',
      attendees: [`mailto:${buyer.email}`],
      organizer: 'mailto:sales@health.example',
    })
    expect(invitation.raw).toContain('Content-Type: text/calendar; charset=utf-8; method=REQUEST')
    const { email } = invitation
    expect(email.subject).toBe(
      'Your call with Example Health: Monday, March 8, 2027, 7:00 PM GMT+1',
    )
    expect(email.from?.address).toBe('hello@health.example')
    expect(email.to?.[0]).toMatchObject({ name: 'Zoë', address: buyer.email })
    for (const link of [testLinks.pick(id), testLinks.cancel(id), testLinks.notMe(id)]) {
      expect(email.text).toContain(link)
      expect(email.html).toContain(`href="${link}"`)
    }
    expect(email.text).toContain('for you on Monday, March 8, 2027.')
    const [notice] = setup.sentTo('sales@health.example')
    expect(notice?.email.subject).toBe(
      'Zoë Rivera booked a call: Monday, March 8, 2027, 1:00 PM EST',
    )
    expect(notice?.email.replyTo?.[0]?.address).toBe(buyer.email)
    expect(notice?.email.text).toContain(
      'An assistant (Agent/2) asked through the tools (MCP) on Monday',
    )
    expect(notice && calendarIn(notice.email)).toMatchObject({ method: 'PUBLISH', attendees: [] })
    expect(setup.server.received.length).toBe(2)
  })
  test('does not mention an assistant if booked on the page, and escapes names', async () => {
    const buyer = { ...newBuyer(), firstName: 'Ada & Co; "B"' }
    await setup.book(buyer, 'web')
    setup.open()
    await setup.server.until(2)
    const [invitation] = setup.sentTo(buyer.email)
    expect(invitation?.email.text).toContain('on our booking page')
    expect(invitation?.email.html).toContain('Ada &amp; Co; &quot;B&quot;')
    expect(invitation?.email.to?.[0]?.name).toBe('Ada & Co; "B"')
    const calendar = invitation && calendarIn(invitation.email)
    expect(calendar?.event.attendees[0]?.getParameter('cn')).toContain('Ada & Co; ')
  })
})

describe('email: changes to a call', () => {
  test('moves and cancellations keep the UID, raise SEQUENCE, and are sent in order', async () => {
    const buyer = newBuyer()
    const id = await setup.book(buyer)
    const later = await setup.free(7)
    expect(await setup.bookingService.move(id, later)).toEqual({ kind: 'moved' })
    expect(await setup.bookingService.move(id, later)).toEqual({ kind: 'moved' })
    await setup.bookingService.cancel(id)
    await setup.bookingService.cancel(id)
    setup.open()
    setup.open()
    await setup.server.until(6)
    await setup.untilSettled()
    const calendars = setup.sentTo(buyer.email).map(({ email }) => calendarIn(email))
    const fields = calendars.map(one => [one?.method, one?.uid, one?.sequence, one?.status])
    expect(fields).toEqual([
      ['REQUEST', `${id}@example.com`, 0, 'CONFIRMED'],
      ['REQUEST', `${id}@example.com`, 1, 'CONFIRMED'],
      ['CANCEL', `${id}@example.com`, 2, 'CANCELLED'],
    ])
    expect(calendars[1]?.start).toBe(later)
    expect(calendars[2]?.start).toBe(later)
    expect(setup.server.received.length).toBe(6)
  })
  test('a request without a time sends a link, and the invitation once a time is picked', async () => {
    const buyer = newBuyer()
    const answer = await setup.bookingService.book({ buyer, via: by('acp') })
    const id = answer.kind === 'booked' ? answer.booking.id : ''
    setup.open()
    await setup.server.until(2)
    const [first] = setup.sentTo(buyer.email)
    expect(first?.email.text).toContain(testLinks.pick(id))
    expect(first && calendarIn(first.email)).toBeNull()
    await setup.bookingService.move(id, await setup.free(3), 'Asia/Kathmandu')
    await setup.server.until(4)
    const invitation = setup.sentTo(buyer.email)[1]
    expect(invitation?.email.subject).toContain('GMT+5:45')
    expect(invitation && calendarIn(invitation.email)).toMatchObject({ sequence: 1 })
  })
  test('a report of abuse cancels the invitation and erases the personal data', async () => {
    const buyer = { ...newBuyer(), lastName: 'Rivera', phone: '+12025550123' }
    const id = await setup.book(buyer)
    setup.open()
    await setup.server.until(2)
    await setup.untilSettled()
    await setup.bookingService.reportAbuse(id)
    await setup.bookingService.reportAbuse(id)
    await setup.server.until(4)
    await setup.untilSettled()
    const last = setup.sentTo(buyer.email)[1]
    expect(last && calendarIn(last.email)).toMatchObject({ method: 'CANCEL', sequence: 1 })
    const notice = setup.sentTo('sales@health.example')[1]
    expect(notice?.email.subject).toStartWith(
      'Canceled and erased because the person didn’t request it: the call on Monday',
    )
    expect(notice?.raw).not.toContain(buyer.email)
    const rows =
      await setup.owner`select row_to_json(b)::text as text from site.bookings b where id = ${id}
                             union all select row_to_json(m)::text from site.emails m
                              where subject = ${id}`
    expect(rows.length).toBe(5)
    for (const { text } of rows) expect(text).not.toMatch(/Ada|Rivera|rivera|\+1202/)
    expect(setup.server.received.length).toBe(4)
  })
  test('a report of abuse does not drop the queued cancellation of the invitation', async () => {
    const buyer = newBuyer()
    const id = await setup.book(buyer)
    const first = setup.open()
    await setup.server.until(2)
    await setup.untilSettled()
    await first.close()
    await setup.bookingService.cancel(id)
    await setup.bookingService.reportAbuse(id)
    setup.open()
    await setup.server.until(4)
    await setup.untilSettled()
    const last = setup.sentTo(buyer.email)[1]
    expect(last && calendarIn(last.email)).toMatchObject({ method: 'CANCEL', sequence: 1 })
    expect(setup.sentTo('sales@health.example')[1]?.raw).not.toContain(buyer.email)
    expect(setup.server.received.length).toBe(4)
  })
  test('a report of abuse sends no cancellation for a call that is over or already canceled', async () => {
    const calls = [
      { buyer: newBuyer(), isOver: true },
      { buyer: newBuyer(), isOver: false },
    ]
    for (const { buyer, isOver } of calls) {
      const id = await setup.book(buyer)
      if (isOver) {
        await setup.owner`update site.bookings set starts_at = starts_at - interval '1 year',
                            ends_at = ends_at - interval '1 year' where id = ${id}`
      } else await setup.bookingService.cancel(id)
      // Removes the emails queued so far.
      await setup.owner`delete from site.emails where subject = ${id}`
      await setup.bookingService.reportAbuse(id)
      const queued = await setup.owner`select audience from site.emails where subject = ${id}`
      expect([isOver, [...queued]]).toEqual([isOver, [{ audience: 'sales' }]])
    }
  })
  test('a callback is acknowledged, and a report of abuse erases its personal data', async () => {
    const buyer = newBuyer()
    const answer = await setup.bookingService.requestCallback({
      buyer,
      via: by('mcp'),
      note: 'Prices',
    })
    setup.open()
    await setup.server.until(2)
    const id = 'id' in answer ? answer.id : ''
    expect(setup.sentTo(buyer.email)[0]?.email.text).toContain(testLinks.notMe(id))
    expect(setup.sentTo('sales@health.example')[0]?.email.text).toContain('Note: Prices')
    await setup.bookingService.reportAbuse(id)
    await setup.server.until(3)
    const [row] = await setup.owner`select person, note from site.callbacks where id = ${id}`
    expect(row).toEqual({ person: null, note: null })
  })
})
