// What the page of a call says in each state, and from where each request came.
import { describe, expect, test } from 'bun:test'
import type { CallDetails } from '../booking-service.ts'
import { calendarFile } from './calendar.ts'
import { callPage, cancelPage, dryRunPage } from './call-pages.ts'

const slot = { start: '2027-03-08T18:00:00.000Z', end: '2027-03-08T18:30:00.000Z' }
const call: CallDetails = {
  id: 'bkg_1',
  status: 'confirmed',
  slot,
  timeZone: 'America/New_York',
  sequence: 0,
  firstName: 'Ada',
  protocol: 'mcp',
  agent: 'Agent/2',
  askedAt: '2027-03-05T15:00:00.000Z',
}
const callback = { kind: 'callback', id: 'clb_1', isErased: false } as const
/** The text that a person reads. */
const readable = ({ text }: { text: string }) =>
  text.replaceAll(/<[^>]*>/g, ' ').replaceAll(/\s+/g, ' ')
const pageOf = (more: Partial<CallDetails>) => {
  const { title, body } = callPage({ kind: 'call', ...call, ...more }, 'key')
  return { title, text: readable(body), html: body.text }
}
const when = 'Monday, March 8, 2027, 1:00 PM EST'
const erased = 'You do not need to do anything: your name and your address are erased.'
const notMe = 'This wasn’t me'

describe('booking page', () => {
  const states: [string, Partial<CallDetails>, string, string[], string[]][] = [
    ['confirmed', {}, 'You’re booked, Ada', ['1:00 PM EST', 'Move it', 'Cancel it', notMe], []],
    ['confirmed, without a name', { firstName: null }, 'You’re booked', ['Move it'], ['Ada']],
    [
      'requested',
      { status: 'requested', slot: null },
      'Your call has no time yet',
      ['Pick a time', 'Cancel it', notMe],
      ['1:00 PM'],
    ],
    [
      'canceled',
      { status: 'cancelled' },
      'The call is canceled',
      [`It was planned for ${when}.`, 'Book another one', notMe],
      ['erased'],
    ],
    [
      'canceled before a time was picked',
      { status: 'cancelled', slot: null },
      'The call is canceled',
      ['You do not need to do anything. ', 'Book another one', notMe],
      ['planned', 'erased'],
    ],
    [
      'canceled and erased',
      { status: 'cancelled', firstName: null },
      'The call is canceled',
      [erased],
      ['planned', 'Book another one', notMe],
    ],
    ['over', { status: 'over' }, 'This call is over', [`It was on ${when}.`], [notMe]],
    [
      'over without a time',
      { status: 'over', slot: null },
      'This call is over',
      ['No time was picked for it.', 'Book another one'],
      ['It was on'],
    ],
  ]
  test.each(states)('of a call that is %s', (_, more, heading, shown, hidden) => {
    const { title, text } = pageOf(more)
    expect(title).toBe(heading)
    for (const each of shown) expect(text).toContain(each)
    for (const each of hidden) expect(text).not.toContain(each)
  })

  test.each([
    ['Requested by an assistant (Agent/2) by MCP on Friday, March 5, 2027.', {}],
    [
      'Requested by an assistant by A2A on Friday, March 5, 2027.',
      { protocol: 'a2a', agent: null },
    ],
    ['Requested by an assistant (B) by ACP on Friday, March 5,', { protocol: 'acp', agent: 'B' }],
    ['Requested on our booking page on Friday, March 5, 2027.', { protocol: 'web', agent: null }],
  ] as const)('names the origin: %s', (sentence, more) => {
    expect(pageOf(more).text).toContain(sentence)
  })

  test('of a callback names its origin until it is erased', () => {
    const { protocol, agent, askedAt } = call
    const open = callPage({ ...callback, protocol, agent, askedAt }, 'key')
    expect(open.title).toBe('You asked us to get in touch')
    expect(readable(open.body)).toContain('(Agent/2) by MCP on Friday, March 5, 2027.')
    const gone = callPage({ ...callback, isErased: true, protocol, agent, askedAt }, 'key')
    expect(gone.title).toBe('The request is withdrawn')
    expect(readable(gone.body)).toContain(erased)
    expect(readable(gone.body)).not.toContain(notMe)
  })

  test('asks before it cancels, and shows the time if there is one', () => {
    expect(readable(cancelPage(slot, 'America/New_York', 'key').body)).toContain('1:00 PM EST')
    expect(cancelPage(null, 'America/New_York', 'key').body.text).not.toContain('<time')
  })

  test('of a dry run shows the time that was picked', () => {
    const { timeZone } = call
    const booking = { id: 'bkg_1', status: 'confirmed', slot, timeZone, url: '/' } as const
    expect(readable(dryRunPage(booking).body)).toContain('1:00 PM EST')
    expect(dryRunPage({ ...booking, slot: null }).body.text).not.toContain('<time')
    expect(dryRunPage(null).body.text).not.toContain('<time')
  })
})

test('booking page: the calendar file publishes a confirmed entry', async () => {
  const entry = { id: 'bkg_1', sequence: 3, slot, stamp: slot.start, url: 'https://x.example/' }
  const text = await calendarFile({ ...entry, organizer: 'sales@health.example' }).text()
  for (const line of [
    'METHOD:PUBLISH',
    'STATUS:CONFIRMED',
    'SEQUENCE:3',
    'DTSTART:20270308T180000Z',
  ])
    expect(text.split('\r\n')).toContain(line)
})
