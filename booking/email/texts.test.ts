// What buyers and sales read in each case of a call, and of a callback.
import { describe, expect, test } from 'bun:test'
import { testLinks } from '../testing/booking-service.ts'
import { callFacts } from '../testing/call-facts.ts'
import { htmlOf, textOf } from './body.ts'
import { toBuyer } from './buyer.ts'
import type { EmailFacts, EmailKind } from './message.ts'
import { noPerson } from './messages-for.ts'
import { digestToSales, toSales } from './sales.ts'

const facts: EmailFacts = {
  ...callFacts,
  timeZone: 'Europe/Berlin',
  replyBy: '2027-03-09T22:00:00.000Z',
}
const inputOf = (kind: EmailKind, more: Partial<EmailFacts>) => ({
  id: 'bkg_1',
  kind,
  facts: { ...facts, ...more },
  links: testLinks,
})
const toBuyerOf = (kind: EmailKind, more: Partial<EmailFacts> = {}) => toBuyer(inputOf(kind, more))
const toSalesOf = (kind: EmailKind, more: Partial<EmailFacts> = {}) => toSales(inputOf(kind, more))

const unset = { slot: null, before: null }
type Row = [kind: EmailKind, facts: Partial<EmailFacts>, subject: string, sentences: string[]]

describe('email to the buyer', () => {
  const rows: Row[] = [
    [
      'booked',
      {},
      'Your call with Example Health: Monday, March 8, 2027, 7:00 PM GMT+1',
      ['Hello Zoë,', 'The invitation is attached.', 'Monday, March 8, 2027, 7:00 PM GMT+1\n'],
    ],
    [
      'moved',
      {},
      'Your call with Example Health has moved: Monday, March 8, 2027, 7:00 PM GMT+1',
      ['Hello Zoë,', 'It was on Friday, March 5, 2027, 7:00 PM GMT+1.'],
    ],
    [
      'requested',
      unset,
      'Pick a time for your call with Example Health',
      [`Pick a time:\n${testLinks.pick('bkg_1')}`],
    ],
    [
      'cancelled',
      { slot: null },
      'Canceled: your call with Example Health',
      [
        'Your call on Friday, March 5, 2027, 7:00 PM GMT+1 is canceled. You do not need to do anything.',
      ],
    ],
    [
      'cancelled',
      unset,
      'Canceled: your call with Example Health',
      [
        'The call that was requested in your name is canceled. We will not email you about it again.',
      ],
    ],
    [
      'abuse_reported',
      { slot: null },
      'Canceled: the call with Example Health that you did not book',
      ['Hello,\n', 'The call on Friday, March 5, 2027, 7:00 PM GMT+1 is canceled'],
    ],
    [
      'callback',
      { ...unset, timeZone: 'America/New_York' },
      'We will get back to you: Example Health',
      ['We answer by Tuesday, March 9, 2027, 5:00 PM EST, at this address.'],
    ],
    [
      'callback',
      { ...unset, phone: '+12025550123', replyBy: null },
      'We will get back to you: Example Health',
      ['We answer soon, at +12025550123.'],
    ],
  ]
  for (const [kind, more, subject, sentences] of rows) {
    test(`${kind}: ${subject}`, () => {
      const prose = toBuyerOf(kind, more)
      expect(prose.subject).toBe(subject)
      for (const sentence of sentences) expect(textOf(prose)).toContain(sentence)
    })
  }

  test('has a link to stop it at its end, but for the last one after a report', () => {
    for (const [protocol, sentence] of [
      ['mcp', 'An assistant booked this for you on Thursday, March 4, 2027.'],
      ['web', 'gave this address on our booking page on Thursday, March 4, 2027.'],
    ] as const) {
      const text = textOf(toBuyerOf('booked', { protocol }))
      const end = text.slice(text.indexOf('-- \n'))
      expect(end).toContain(sentence)
      expect(end).toContain(testLinks.notMe('bkg_1'))
    }
    const last = toBuyerOf('abuse_reported', { slot: null })
    expect(textOf(last)).not.toContain('-- ')
    expect(htmlOf(last)).not.toContain('class="rule"')
  })

  test('shows the link that matters as a button, and no other', () => {
    const buttons = (kind: EmailKind) =>
      [...htmlOf(toBuyerOf(kind)).matchAll(/<a class="button"[^>]*>([^<]*)/g)].map(each => each[1])
    expect(buttons('requested')).toEqual(['Pick a time'])
    expect(buttons('booked')).toEqual([])
  })
})

describe('email to sales', () => {
  const rows: Row[] = [
    [
      'booked',
      {},
      'Zoë Rivera booked a call: Monday, March 8, 2027, 1:00 PM EST',
      ['For them it is Monday, March 8, 2027, 7:00 PM GMT+1 (Berlin).'],
    ],
    [
      'moved',
      { lastName: null },
      'Zoë moved the call: Monday, March 8, 2027, 1:00 PM EST',
      ['Zoë moved the call. It was on Friday, March 5, 2027, 1:00 PM EST.'],
    ],
    [
      'requested',
      unset,
      'Zoë Rivera asked for a call, and has not picked a time yet',
      ['You will get another email when they do.'],
    ],
    [
      'cancelled',
      { slot: null },
      'Zoë Rivera canceled the call on Friday, March 5, 2027, 1:00 PM EST',
      ['canceled the call on Friday, March 5, 2027, 1:00 PM EST. The attached update removes it'],
    ],
    [
      'cancelled',
      unset,
      'Zoë Rivera canceled the request for a call',
      ['Zoë Rivera canceled the request for a call before picking a time.'],
    ],
    [
      'callback',
      unset,
      'Zoë Rivera asked to be contacted: answer by Tuesday, March 9, 2027, 5:00 PM EST',
      ['We promised to answer by Tuesday, March 9, 2027, 5:00 PM EST.'],
    ],
    ['callback', { ...unset, replyBy: null }, 'Zoë Rivera asked to be contacted: answer soon', []],
    [
      'abuse_reported',
      { ...noPerson, slot: null },
      'Reported as not theirs: the call on Friday, March 5, 2027, 1:00 PM EST is canceled and erased',
      ['We canceled the call on Friday, March 5, 2027, 1:00 PM EST and erased their details.'],
    ],
    [
      'abuse_reported',
      { ...noPerson, ...unset },
      'Reported as not theirs: a request is canceled and erased',
      ['We canceled a request and erased their details.'],
    ],
  ]
  for (const [kind, more, subject, sentences] of rows) {
    test(`${kind}: ${subject}`, () => {
      const prose = toSalesOf(kind, more)
      expect(prose.subject).toBe(subject)
      for (const sentence of sentences) expect(textOf(prose)).toContain(sentence)
    })
  }

  test.each([
    ['acp', 'A', 'An assistant (A) asked for it by the checkout (ACP), on Thursday, March 4,'],
    ['a2a', null, 'An assistant asked for it by the agent (A2A), on Thursday, March 4,'],
    ['mcp', 'B', 'An assistant (B) asked for it by the tools (MCP), on Thursday, March 4,'],
    ['web', null, 'They asked for it on the booking page, on Thursday, March 4, 2027, 10:00 AM'],
  ] as const)('says that a request came by %s from %p', (protocol, agent, sentence) => {
    expect(textOf(toSalesOf('booked', { protocol, agent }))).toContain(sentence)
  })

  test('lists only the details that the person gave', () => {
    const rowsOf = (more: Partial<EmailFacts>) =>
      textOf(toSalesOf('booked', more)).match(/^(Email|Phone|Company|Note): .*$/gm)
    expect(rowsOf({ note: '' })).toEqual(['Email: zoe@rivera-clinic.com'])
    expect(rowsOf({ phone: '+12025550123', company: 'Clinic', note: 'Two states' })).toEqual([
      'Email: zoe@rivera-clinic.com',
      'Phone: +12025550123',
      'Company: Clinic',
      'Note: Two states',
    ])
  })

  test('names no other time zone when the person is in ours', () => {
    const text = textOf(toSalesOf('booked', { timeZone: 'America/New_York' }))
    expect(text).not.toContain('For them it is')
  })

  test('a digest has no end below a mark, and a report in it names no person', () => {
    const item = (kind: EmailKind, more: object = {}) => ({ ...facts, kind, subject: 'b', ...more })
    const items = [item('booked'), item('abuse_reported', { ...noPerson, agent: null })]
    const digest = digestToSales(items)
    expect(digest.subject).toBe('2 more emails about calls, in one')
    const text = textOf(digest)
    expect(text).toContain('Zoë Rivera booked a call: Monday, March 8, 2027, 1:00 PM EST\n')
    expect(text).toContain('A person reported that a request was not theirs. An assistant asked')
    expect(text).not.toContain('-- ')
    expect(htmlOf(digest)).not.toContain('class="rule"')
    expect(htmlOf(toSalesOf('booked'))).toContain('class="rule"')
  })
})
