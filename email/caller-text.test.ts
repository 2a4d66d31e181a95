// Tests text chosen by callers in every field of every email and calendar, with independent
// parsers.
import { expect, test } from 'bun:test'
import { createTransport } from 'nodemailer'
import PostalMime from 'postal-mime'
import { testLinks as links, testPersonLinks as people } from '#booking/testing/booking-service.ts'
import { compose, type Mail } from './compose.ts'
import type { QueuedRow } from './queue.ts'
import { calendarIn } from './testing/calendar.ts'
import { callFacts } from './testing/call-facts.ts'
import { samples } from './testing/person-facts.ts'

const word = (text: string) => `=?UTF-8?B?${Buffer.from(text).toString('base64')}?=`
const hostile = [
  word('https://evil.example/pay'),
  '=?utf-8?q?https=3A//evil.example/pay?=',
  'Win https://evil.example/pay',
  'evil.example/pay!',
  'x\r\nBcc: all@evil.example',
  'a\u202Eyap/elpmaxe.live',
]

type Facts = Readonly<Record<string, unknown>>
type Sample = Pick<QueuedRow, 'audience' | 'kind'> & { readonly facts: Facts }

const kinds = ['booked', 'requested', 'moved', 'cancelled', 'abuse_reported', 'callback'] as const
const failure = { email: 'dev@example.com', mode: 'live', host: 'hooks.example.com', failed: 2 }
const call: Facts = { ...callFacts, company: 'Rivera', note: 'Prices' }
const all: Sample[] = [
  ...kinds.flatMap(kind => [
    { audience: 'buyer' as const, kind, facts: call },
    { audience: 'sales' as const, kind, facts: call },
  ]),
  { audience: 'sales', kind: 'digest', facts: call },
  { audience: 'developers', kind: 'event_failed', facts: failure },
  { audience: 'developers', kind: 'events_failing', facts: failure },
  { audience: 'developers', kind: 'endpoint_disabled', facts: failure },
  { audience: 'developers', kind: 'malware_found', facts: failure },
  ...Object.entries(samples).map(([kind, facts]) => {
    return { audience: 'person', kind, facts } as Sample
  }),
]
/** Names and free text; every other field is an ID, our own text, a number, a time or a URL. */
const chosen = ['firstName', 'lastName', 'company', 'note', 'agent', 'integration', 'organization']
const names = [...chosen, 'by', 'name', 'factor', 'asked_by', 'approved_by']

const mailOf = ({ audience, kind, facts }: Sample): Mail => {
  const item = { ...facts, subject: 'bkg_1', kind: 'booked' }
  const row: QueuedRow = {
    id: 'mail_1',
    subject: 'bkg_01kajzq0000000000000000000',
    audience,
    kind,
    sequence: 0,
    attempts: 1,
    facts: JSON.stringify(kind === 'digest' ? { items: [item] } : facts),
    created_at: '2027-03-04T15:00:00.000Z',
    is_last: false,
  }
  return compose(
    row,
    { from: 'us@health.example', sales: 'sales@health.example' },
    { links, people },
  )
}

const transport = createTransport({ streamTransport: true, buffer: true })

async function received({ id: _id, headers, icalEvent, attachments, ...mail }: Mail) {
  const { message } = await transport.sendMail({
    ...mail,
    headers: { ...headers },
    ...(icalEvent && { icalEvent: { ...icalEvent } }),
    ...(attachments && { attachments: [...attachments] }),
  })
  const email = await PostalMime.parse(message as Buffer)
  return { email, calendar: calendarIn(email) }
}

test('an email: callers’ text never becomes a link, a header or an encoded word, in any field', async () => {
  const swept = all.flatMap(sample => names.filter(name => typeof sample.facts[name] === 'string'))
  expect(new Set(swept)).toEqual(new Set(names))
  for (const sample of all) {
    const fields = names.filter(name => typeof sample.facts[name] === 'string')
    for (const text of hostile) {
      const facts = { ...sample.facts, ...Object.fromEntries(fields.map(name => [name, text])) }
      const { email, calendar } = await received(mailOf({ ...sample, facts }))
      const attendee = calendar?.event.attendees[0]?.getParameter('cn')
      const { subject, from, to = [], replyTo = [] } = email
      const shown = [subject, from?.name, ...[...to, ...replyTo].map(({ name }) => name)]
      const dates = [calendar?.event.summary, calendar?.event.description, attendee]
      const where = `${sample.audience} ${sample.kind}: ${text}`
      for (const part of [...shown, ...dates]) {
        expect([where, part ?? '']).toEqual([where, expect.not.stringMatching(unsafe)])
      }
      expect([where, email.text]).toEqual([where, expect.not.stringMatching(link)])
      expect([where, email.html]).toEqual([where, expect.not.stringMatching(link)])
      expect([email.bcc, email.cc]).toEqual([undefined, undefined])
    }
  }
})

const link = /evil\.example/
const unsafe = /evil\.example|=\?|[\r\u202e]/

test('an email: nothing after a link could be mistaken for part of it', () => {
  const texts = all.map(sample => mailOf(sample).text)
  expect(texts.join().match(/https?:/g)?.length).toBeGreaterThan(20)
  for (const text of texts) expect(text).not.toMatch(/https?:\S*[.,;:!?)>\]](\s|$)/)
})
