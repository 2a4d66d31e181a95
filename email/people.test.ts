// The emails to people about their account: each kind, its links, and names that others chose.
import { describe, expect, test } from 'bun:test'
import company from '#content/site.config.ts'
import { testLinks as links, testPersonLinks as people } from '#booking/testing/booking-service.ts'
import { compose } from './compose.ts'
import type { PersonEmail } from './people.ts'
import { samples } from './testing/person-facts.ts'

const email = 'ada@example.com'
const at = '2027-03-08T15:00:00.000Z'
const kinds = Object.keys(samples) as PersonEmail[]

const addresses = { from: 'hello@health.example', sales: 'sales@health.example' }

const mailOf = (kind: PersonEmail, facts: object = samples[kind]) =>
  compose(
    {
      id: 'mail_1',
      subject: 'mail_1',
      audience: 'person',
      kind,
      sequence: 0,
      attempts: 1,
      facts: JSON.stringify(facts),
      created_at: at,
      is_last: false,
    },
    addresses,
    { links, people },
  )

test.each(kinds)(
  '%s: to the person, with links into the pages of people and the documentation only',
  kind => {
    const mail = mailOf(kind)
    expect(mail.to.address).toBe(email)
    expect(mail.subject.length).toBeGreaterThan(10)
    const targets = [...mail.html.matchAll(/href="([^"]+)"/g)].map(([, href = '']) => href)
    const places = [people.origin, `${company.site}/docs/`]
    for (const href of targets) expect(places.some(place => href.startsWith(place))).toBe(true)
    for (const href of targets) expect(mail.text).toContain(href.replaceAll('&amp;', '&'))
  },
)

test.each([
  ['verify_email', 'sign_up?token=sup_1'],
  ['invitation', 'invitation?token=invt_1'],
  ['recovery_requested', '/recovery?token=rcv_1'],
  ['recovery_begun', 'cancel_recovery?token=rcv_1'],
] as const)('%s: has its link', (kind, link) => {
  expect(mailOf(kind).text).toContain(link)
})

test('key_reported: names the key by its last characters', () => {
  expect(mailOf('key_reported').text).toContain('which ends in X9de')
})

test('the HTML ends with why it was sent', () => {
  const html = mailOf('key_reported').html.split('class="rule"')[1] ?? ''
  expect(html).toContain('You receive this email because it is about an account')
})

test('the text ends with why it was sent, below the mark of a signature', () => {
  expect(mailOf('key_reported').text).toEndWith(
    '\n\n-- \n\nYou receive this email because it is about an account with this address.\n',
  )
})

test('key_ends: says when', () => {
  const { text, subject } = mailOf('key_ends')
  expect(subject).toBe('A live key ends in 7 days')
  expect(text).toContain('is refused from March 8, 2027 at 3:00 PM UTC on')
  expect(mailOf('key_ends', { ...samples.key_ends, days: 1 }).subject).toContain('tomorrow')
})

test('invoice_made: says what is owed, and until when', () => {
  const { text, subject } = mailOf('invoice_made')
  expect(subject).toBe('Invoice INV-000001 for February 2027')
  expect(text).toContain('was charged $98.00 in February 2027')
  expect(text).toContain('$49.00 are payable until March 8, 2027')
  const paid = mailOf('invoice_made', { ...samples.invoice_made, due: 0 })
  expect(paid.text).toContain('Nothing is to be paid')
  const cent = mailOf('invoice_made', { ...samples.invoice_made, due: 1 })
  expect(cent.text).toContain('$0.01 are payable until')
})

test.each([
  ['active', 'A clinic granted access', 'granted “Ada Health” 2 of the 3 scopes'],
  ['declined', 'A clinic declined access', 'declined the request of “Ada Health”'],
  ['revoked', 'A clinic revoked access', 'revoked what it granted “Ada Health”'],
])('grant_decided: says that access is %s', (status, subject, sentence) => {
  const mail = mailOf('grant_decided', { ...samples.grant_decided, status })
  expect(mail.subject).toBe(subject)
  expect(mail.text.replaceAll(/\s+/g, ' ')).toContain(sentence)
})

test('grant_decided: without a request it names the granted scopes', () => {
  const { text } = mailOf('grant_decided', { ...samples.grant_decided, requested: null })
  expect(text.replaceAll(/\s+/g, ' ')).toContain('2 of the 2 scopes')
})

test.each([
  [1, 'One is left'],
  [4, '4 are left'],
])('recovery_code_used: says that %i are left', (left, sentence) => {
  expect(mailOf('recovery_code_used', { email, left }).text).toContain(sentence)
})

test.each(['invitation', 'staff_invitation', 'integration_closed'] as const)(
  '%s: is by a person, or by the company where no person did it',
  kind => {
    expect(mailOf(kind).text).toContain('“Ben”')
    const { text } = mailOf(kind, { ...samples[kind], by: null })
    expect(text).toContain(
      `${company.name} ${kind === 'integration_closed' ? 'closed' : 'invites'}`,
    )
  },
)

test('recovery_begun: says from when it counts', () => {
  expect(mailOf('recovery_begun').text).toContain('From March 8, 2027 at 3:00 PM UTC')
})

describe('names that others chose', () => {
  const hostile = 'Win https://evil.example/prize <b>now</b>\r\nBcc: all@example.com'
  test('make no link, no markup and no header', () => {
    const facts = { ...samples.invitation, by: hostile, integration: hostile }
    const mail = mailOf('invitation', facts)
    expect(mail.subject).not.toContain('evil')
    expect(mail.html).not.toContain('<b>now')
    expect(mail.html).not.toContain('href="https://evil')
    expect(mail.text).not.toContain('https://evil')
    expect(mail.text).not.toMatch(/^Bcc/m)
  })

  test('are cut where they are long', () => {
    const mail = mailOf('invitation', { ...samples.invitation, by: 'x'.repeat(200) })
    expect(mail.text).not.toContain('x'.repeat(101))
  })
})
