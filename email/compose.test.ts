// Tests who receives each email about a call, who gets replies, and each email's calendar entry.
import { describe, expect, test } from 'bun:test'
import ical from 'ical.js'
import { testLinks as links, testPersonLinks as people } from '#booking/testing/booking-service.ts'
import { callFacts } from './testing/call-facts.ts'
import { compose } from './compose.ts'
import type { Audience, EmailFacts, EmailKind } from './message.ts'
import { noPerson } from './message.ts'

const id = 'bkg_01kajzq0000000000000000000'
const mailOf = (audience: Audience, kind: EmailKind, more: Partial<EmailFacts> = {}) =>
  compose(
    {
      id: 'mail_1',
      subject: id,
      audience,
      kind,
      sequence: 2,
      attempts: 1,
      facts: JSON.stringify({ ...callFacts, ...more }),
      created_at: '2027-03-04T15:00:00.000Z',
      is_last: false,
    },
    { from: 'hello@health.example', sales: 'sales@health.example' },
    { links, people },
  )

type Composed = ReturnType<typeof mailOf>
const calendarOf = ({ icalEvent, attachments }: Composed) => {
  const content = icalEvent?.content ?? attachments?.[0]?.content
  if (content === undefined) return null
  const calendar = new ical.Component(ical.parse(content))
  const event = calendar.getFirstSubcomponent('vevent')
  const valueOf = (name: string) => String(event?.getFirstPropertyValue(name))
  return {
    method: calendar.getFirstPropertyValue('method'),
    start: valueOf('dtstart'),
    summary: valueOf('summary'),
    status: valueOf('status'),
    url: valueOf('url'),
    rsvp: event?.getFirstProperty('attendee')?.getFirstParameter('rsvp'),
  }
}

const buyer = { name: 'Zoë', address: 'zoe@rivera-clinic.com' }
const sales = { name: 'Example Health', address: 'sales@health.example' }

describe('email: the buyer', () => {
  test('gets an invitation that asks for a reply, with the email’s link', () => {
    const mail = mailOf('buyer', 'booked')
    expect([mail.to, mail.replyTo]).toEqual([buyer, sales.address])
    expect(mail.attachments).toBeUndefined()
    expect(mail.icalEvent).toMatchObject({ method: 'REQUEST', filename: 'invitation.ics' })
    expect(calendarOf(mail)).toEqual({
      method: 'REQUEST',
      start: '2027-03-08T18:00:00Z',
      summary: 'Call with Example Health',
      status: 'CONFIRMED',
      url: links.call(id, 'email'),
      rsvp: 'TRUE',
    })
  })

  test.each(['cancelled', 'abuse_reported'] as const)('%s: cancels the previous time', kind => {
    const mail = mailOf('buyer', kind)
    expect([mail.to, mail.replyTo]).toEqual([buyer, sales.address])
    expect(calendarOf(mail)).toMatchObject({
      method: 'CANCEL',
      start: '2027-03-05T18:00:00Z',
      status: 'CANCELLED',
    })
  })
})

describe('email: sales', () => {
  test('gets an entry that asks for no reply, without the buyer’s link', () => {
    const mail = mailOf('sales', 'moved')
    expect([mail.to, mail.replyTo]).toEqual([sales, buyer.address])
    expect(mail.icalEvent).toBeUndefined()
    expect(mail.attachments).toMatchObject([
      { filename: 'call.ics', contentType: 'text/calendar; charset=utf-8; method=PUBLISH' },
    ])
    expect(calendarOf(mail)).toEqual({
      method: 'PUBLISH',
      start: '2027-03-08T18:00:00Z',
      summary: 'Call with Zoë Rivera',
      status: 'CONFIRMED',
      url: links.call(id, 'answer'),
      rsvp: undefined,
    })
    expect(links.call(id, 'answer')).not.toBe(links.call(id, 'email'))
  })

  test('for a report, sales gets the cancellation without a name, and replies to itself', () => {
    const mail = mailOf('sales', 'abuse_reported', noPerson)
    expect([mail.to, mail.replyTo]).toEqual([sales, sales.address])
    expect(calendarOf(mail)).toMatchObject({
      method: 'CANCEL',
      summary: 'Call with Example Health',
      status: 'CANCELLED',
    })
  })
})
