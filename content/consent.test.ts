import { expect, test } from 'bun:test'
import company from './site.config.ts'
import { consentVersion, say, type Sentence } from './consent.ts'
import sentences from './consent.json'

/** Values for every placeholder. */
const values = {
  first_name: 'Ada',
  email: 'ada@example.com',
  'start, in timezone': 'Monday, 9 a.m.',
  booking_url: 'https://example.com/booking/x',
  cancel_url: 'https://example.com/cancel/x',
  date: '21 November',
}

test('consent: every placeholder in a sentence is replaced', () => {
  for (const name of Object.keys(sentences).filter(name => name !== 'version')) {
    expect([name, say(name as Sentence, values)]).toEqual([name, expect.not.stringMatching(/[{}]/)])
  }
})

test('consent: a link ends its sentence, so programs don’t include the text after it', () => {
  for (const text of Object.values(sentences)) expect(text).not.toMatch(/_url\}\S/)
})

test('consent: the refusal contains the question to ask', () => {
  expect(say('refused')).toContain(say('ask'))
  expect(say('ask')).toContain(`${company.booking.minutes}-minute call with ${company.name}`)
})

test('consent: placeholders inside a value are not replaced', () => {
  const first_name = '{email} $& {brand}'
  expect(say('pick_a_time', { ...values, first_name })).toStartWith(
    'Request kept for {email} $& {brand}. The invitation will go to ada@example.com.',
  )
})

test('consent: the version is a date', () => {
  expect(consentVersion).toMatch(/^\d{4}-\d{2}-\d{2}$/)
})
