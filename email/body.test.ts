// Tests how emails look: the site's colors, no external content, and every value escaped.
import { describe, expect, test } from 'bun:test'
import { readFileSync } from 'node:fs'
import path from 'node:path'
import { testLinks } from '#booking/testing/booking-service.ts'
import { colors, htmlOf, textOf } from './body.ts'
import { toBuyer } from './buyer.ts'
import type { EmailKind } from './message.ts'
import { digestToSales, toSales } from './sales.ts'

const slot = { start: '2027-03-08T18:00:00.000Z', end: '2027-03-08T18:30:00.000Z' }
const before = { start: '2027-03-05T18:00:00.000Z', end: '2027-03-05T18:30:00.000Z' }
const hostile = '"><img src=x>&'
const facts = {
  email: 'zoe@rivera-clinic.com',
  firstName: hostile,
  lastName: 'Rivera',
  phone: '+12025550123',
  company: hostile,
  note: hostile,
  slot,
  before,
  timeZone: 'Europe/Berlin',
  protocol: 'acp',
  agent: hostile,
  askedAt: '2027-03-04T15:00:00.000Z',
  replyBy: '2027-03-09T22:00:00.000Z',
} as const
const kinds = ['booked', 'requested', 'moved', 'cancelled', 'callback', 'abuse_reported'] as const
const inputOf = (kind: EmailKind) => ({ id: 'bkg_1', kind, facts, links: testLinks })
const all = [
  ...kinds.flatMap(kind => [toBuyer(inputOf(kind)), toSales(inputOf(kind))]),
  digestToSales(kinds.map(kind => ({ ...facts, kind, subject: 'bkg_1' }))),
]

describe('email: HTML', () => {
  test('loads no external content and escapes every value', () => {
    for (const prose of all) {
      const html = htmlOf(prose)
      expect(html).not.toMatch(/<img|<script|<link|<[^>]+\ssrc=|url\(|@import/i)
      expect(html).toContain('prefers-color-scheme: dark')
      expect(html).toContain(Bun.escapeHTML(prose.heading))
    }
  })

  test('has the site’s colors, light and dark', () => {
    const tokens = path.join(import.meta.dir, '../site/src/styles/tokens.css')
    const css = readFileSync(tokens, 'utf8')
    for (const [name, [light, dark]] of Object.entries(colors)) {
      const token = name.replaceAll(/[A-Z]/g, letter => `-${letter.toLowerCase()}`)
      expect(css).toContain(`--${token}: light-dark(${light}, ${dark});`)
    }
  })

  test('is light by default, and dark if the email client prefers dark', () => {
    const [prose] = all
    const html = prose ? htmlOf(prose) : ''
    expect(html).toContain('<body class="paper" style="margin:0;background:#fbfaf6">')
    expect(html).toContain('.paper { background: #12150f !important; }')
    expect(html).toContain('a { color: #1f5b41; }')
    expect(html).toContain('a { color: #7cc49b; }')
  })

  test('has every line and link from the text', () => {
    for (const prose of all) {
      const links = textOf(prose).match(/https:\/\/\S+[^\s.]/g) ?? []
      for (const link of links) expect(htmlOf(prose)).toContain(`href="${link}"`)
    }
  })
})

test('email: tells sales what happened, to whom, when, and what to do', () => {
  const prose = toSales({ ...inputOf('booked'), facts: { ...facts, firstName: 'Zoë' } })
  expect(prose.subject).toBe('Zoë Rivera booked a call: Monday, March 8, 2027, 1:00 PM EST')
  const text = textOf(prose)
  for (const line of [
    'Zoë Rivera booked a free call with us.',
    'Monday, March 8, 2027, 1:00 PM EST',
    'Their time: Monday, March 8, 2027, 7:00 PM GMT+1 (Berlin).',
    'Phone: +12025550123',
    'email them the meeting link before the call',
    'asked through the checkout (ACP)',
  ]) {
    expect(text).toContain(line)
  }
})
