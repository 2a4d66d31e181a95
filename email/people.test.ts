// Tests emails to people about their account: each kind, its links, and names chosen by others.
import { describe, expect, test } from 'bun:test'
import { limits } from '#contract/limits.ts'
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
  '%s: goes to the person, with at most one button, and links only to our own pages',
  kind => {
    const mail = mailOf(kind)
    expect(mail.to.address).toBe(email)
    expect(mail.subject.length).toBeGreaterThan(10)
    const targets = [...mail.html.matchAll(/href="([^"]+)"/g)].map(([, href = '']) => href)
    const places = [people.origin, people.portal, people.console]
    expect(mail.html.match(/class="button"/g)?.length ?? 0).toBe(
      ['account_closed', 'integration_closed'].includes(kind) ? 0 : 1,
    )
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

test.each([
  ['key_reported', `${people.portal}/int_1/live/keys/key_1`],
  ['key_ends', `${people.portal}/int_1/live/keys/key_1`],
  ['grant_decided', `${people.portal}/int_1/live/organizations/grant_1`],
  ['invoice_made', `${people.portal}/int_1/live/usage/invoices/inv_1`],
  ['live_destination_added', `${people.portal}/int_1/live/webhooks/we_1`],
  ['recovery_begun_by_member', `${people.portal}/int_1/live/members`],
  ['emergency_access_started', `${people.console}/org_1/emergency-access`],
  ['operator_access_approved', `${people.console}/org_1/emergency-access`],
  ['recovered_staff', `${people.console}/org_1/staff`],
  ['work_waiting', `${people.console}/org_1/work`],
] as const)('%s: its button leads to the page it is about', (kind, href) => {
  const { html, text } = mailOf(kind)
  expect(html).toContain(`<a class="button" href="${href}"`)
  expect(text).toContain(href)
})

test('key_reported: names the key by its last characters', () => {
  expect(mailOf('key_reported').text).toContain('ending in X9de')
})

test('the HTML ends with the reason for the email', () => {
  const html = mailOf('key_reported').html.split('class="rule"')[1] ?? ''
  expect(html).toContain('You’re getting this because you’re an owner of “Ada Health”.')
})

test('the text ends with the reason for the email, below the signature mark', () => {
  expect(mailOf('key_reported').text).toEndWith(
    '\n\n-- \n\nYou’re getting this because you’re an owner of “Ada Health”.\n',
  )
})

test('key_ends: says when the key expires, and how long it can outlive its rotation', () => {
  const { text, subject } = mailOf('key_ends')
  expect(subject).toBe('A live key expires in 7 days')
  expect(text).toContain('expires on Monday, March 8, 2027, 10:00 AM EST')
  expect(text).toContain(`up to ${limits.keyOverlapDaysMax} days`)
  expect(text).not.toContain('until then')
  expect(mailOf('key_ends', { ...samples.key_ends, days: 1 }).subject).toContain('tomorrow')
})

test('invoice_made: states the amount and the due date', () => {
  const { text, subject } = mailOf('invoice_made')
  expect(subject).toBe('Invoice INV-000001 for February 2027')
  expect(text).toContain('$98.00')
  expect(text).toContain('$49.00 is due by March 8, 2027')
  const paid = mailOf('invoice_made', { ...samples.invoice_made, due: 0 })
  expect(paid.text).toContain('Nothing is due.')
  const cent = mailOf('invoice_made', { ...samples.invoice_made, due: 1 })
  expect(cent.text).toContain('$0.01 is due by')
})

test.each([
  ['active', 'A clinic granted access', 'granted “Ada Health” 2 of 3 requested scopes'],
  ['declined', 'A clinic declined access', 'declined the request from “Ada Health”'],
  ['revoked', 'A clinic revoked access', 'revoked access for “Ada Health”'],
])('grant_decided: says that access is %s', (status, subject, sentence) => {
  const mail = mailOf('grant_decided', { ...samples.grant_decided, status })
  expect(mail.subject).toBe(subject)
  expect(mail.text.replaceAll(/\s+/g, ' ')).toContain(sentence)
})

test('grant_decided: says if there was no request or everything was granted', () => {
  const { text } = mailOf('grant_decided', { ...samples.grant_decided, requested: null })
  expect(text.replaceAll(/\s+/g, ' ')).toContain('every requested scope')
})

test('work_waiting: has counts in the recipient’s zone and a link to stop the emails', () => {
  const text = mailOf('work_waiting').text.replaceAll(/\s+/g, ' ')
  // A date of the current year has no year.
  expect(text).toMatch(/Here’s your work at “River Clinic” as of Mar 8(, 2027)?, 9:00 AM CT\./)
  expect(text).toContain('Your visits today: 2 Open cases: 99+ Unanswered messages: 3 --')
  expect(text).not.toContain('Orders to fill')
  expect(text).toContain(
    `Change or stop it in your preferences: ${people.console}/org_1/preferences`,
  )
})

test.each([
  [1, 'You have 1 left'],
  [4, 'You have 4 left'],
])('recovery_code_used: states that %i are left', (left, sentence) => {
  const { text } = mailOf('recovery_code_used', { email, left })
  expect(text).toContain(sentence)
  // A code may also have set a new password, or confirmed a person who was signed in.
  expect(text).not.toContain('signed in')
})

test.each(['invitation', 'staff_invitation', 'integration_closed'] as const)(
  '%s: names the person who acted, or else the company',
  kind => {
    expect(mailOf(kind).text).toContain('“Ben”')
    const { text } = mailOf(kind, { ...samples[kind], by: null })
    expect(text).toContain(
      `${company.name} ${kind === 'integration_closed' ? 'closed' : 'invited'}`,
    )
  },
)

test('an invitation names the roles as the pages do', () => {
  expect(mailOf('invitation').text).toContain('Role: Developer.')
  expect(mailOf('staff_invitation').text).toContain('Roles: Clinician, Administrator.')
})

test('recovery_begun: says when it takes effect', () => {
  expect(mailOf('recovery_begun').text).toContain(
    'Starting Monday, March 8, 2027, 10:00 AM EST, you',
  )
})

test.each([
  'recovery_begun',
  'recovery_begun_by_member',
  'recovery_begun_by_staff',
  'key_ends',
  'emergency_access_started',
  'operator_access_approved',
] as const)('%s: its time is in the recipient’s zone', kind => {
  const { text } = mailOf(kind, { ...samples[kind], zone: 'America/Los_Angeles' })
  expect(text).toContain('Monday, March 8, 2027, 7:00 AM PST')
  expect(text).not.toContain('UTC')
})

test.each(['factor_added', 'recovery_codes_replaced', 'account_closed'] as const)(
  '%s: says what to do if the person didn’t do it',
  kind => {
    const advice = {
      factor_added: 'remove it',
      recovery_codes_replaced: 'create new codes',
      account_closed: 'reply to this email',
    }
    expect(mailOf(kind).text).toContain(`If this wasn’t you, ${advice[kind]}`)
  },
)

describe('names that others chose', () => {
  const hostile = 'Win https://evil.example/prize <b>now</b>\r\nBcc: all@example.com'
  test('create no link, markup or header', () => {
    const facts = { ...samples.invitation, by: hostile, integration: hostile }
    const mail = mailOf('invitation', facts)
    expect(mail.subject).not.toContain('evil')
    expect(mail.html).not.toContain('<b>now')
    expect(mail.html).not.toContain('href="https://evil')
    expect(mail.text).not.toContain('https://evil')
    expect(mail.text).not.toMatch(/^Bcc/m)
  })

  test('are truncated if too long', () => {
    const mail = mailOf('invitation', { ...samples.invitation, by: 'x'.repeat(200) })
    expect(mail.text).not.toContain('x'.repeat(101))
  })
})
