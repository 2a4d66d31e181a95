import { expect, test } from 'bun:test'
import company from '#content/site.config.ts'
import type { Via } from './desk.ts'
import { wording, wordingVersion } from './wording.ts'

test('a sentence names the company, and a value is not looked into again', () => {
  expect(wording('ask')).toStartWith(
    `Shall I book a free ${company.booking.minutes}-minute call with ${company.name} in your name?`,
  )
  const said = wording('pick_a_time', { first_name: '{email}', booking_url: 'x', email: 'e' })
  expect(said).toBe('Request kept for {email}. Pick a time here: x. The invitation will go to e.')
})

test('a refusal quotes the question that is to be asked', () => {
  expect(wording('refused', { ask: wording('ask') })).toContain(`“${wording('ask')}”`)
})

test('a record can name the wording that was in force', () => {
  const via: Via = { protocol: 'web', agent: null, wording: wordingVersion }
  expect(via.wording).toMatch(/^[0-9a-f]{12}$/)
})
