// Request text formats: which texts are valid, and how they're stored.

import { describe, expect, test } from 'bun:test'
import { formats } from './text-formats.ts'

const read = (format: string, text: string) => {
  const parse = formats[format]
  if (!parse) throw new Error(`${format} is not a format`)
  return parse(text)
}

function testFormat(
  format: string,
  stored: Record<string, string>,
  refused: readonly string[],
): void {
  describe(format, () => {
    for (const [text, form] of Object.entries(stored)) {
      test(`${format}: stores ${JSON.stringify(text)} as ${form}`, () =>
        expect(read(format, text)).toBe(form))
    }
    for (const text of refused) {
      test(`${format}: refuses ${JSON.stringify(text.slice(0, 60))}`, () =>
        expect(read(format, text)).toBeNull())
    }
  })
}

const unchanged = (texts: readonly string[]) => Object.fromEntries(texts.map(one => [one, one]))

const invalidDates = [
  '',
  '2026-02-30',
  '2026-02-29',
  '1900-02-29',
  '2026-04-31',
  '2026-13-01',
  '2026-00-10',
  '2026-01-00',
  '2026-1-1',
  '20261120',
  '2026-11-20 ',
  ' 2026-11-20',
  '2026-11-20\n',
  '0000-01-01',
  '10000-01-01',
  '+002026-01-01',
  '-2026-01-01',
  '2026-W01-1',
  '2026-324',
  '２０２６-11-20',
  '2026/11/20',
  '20/11/2026',
]

testFormat(
  'date',
  unchanged(['2026-11-20', '2024-02-29', '2000-02-29', '0001-01-01', '9999-12-31', '1969-12-31']),
  [...invalidDates, '2026-11-20T00:00:00Z'],
)

testFormat(
  'date-time',
  {
    '2026-11-20T15:04:05Z': '2026-11-20T15:04:05.000Z',
    '2026-11-20t15:04:05z': '2026-11-20T15:04:05.000Z',
    '2026-11-20T15:04:05.1Z': '2026-11-20T15:04:05.100Z',
    // Truncated, not rounded.
    '2026-11-20T15:04:05.9999Z': '2026-11-20T15:04:05.999Z',
    '2026-11-20T15:04:05.123456789Z': '2026-11-20T15:04:05.123Z',
    '2026-11-20T15:04:05+00:00': '2026-11-20T15:04:05.000Z',
    // RFC 3339, section 4.3: -00:00 means UTC with an unknown local offset.
    '2026-11-20T15:04:05-00:00': '2026-11-20T15:04:05.000Z',
    '2026-11-20T15:04:05+05:30': '2026-11-20T09:34:05.000Z',
    '2026-01-01T00:00:00+14:00': '2025-12-31T10:00:00.000Z',
    '2025-12-31T23:59:59.999-23:59': '2026-01-01T23:58:59.999Z',
    '2026-11-20': '2026-11-20T00:00:00.000Z',
    '1969-12-31T23:59:59Z': '1969-12-31T23:59:59.000Z',
    '0001-01-01T00:00:00Z': '0001-01-01T00:00:00.000Z',
    '9999-12-31T23:59:59.999Z': '9999-12-31T23:59:59.999Z',
  },
  [
    ...invalidDates,
    '2026-11-20T15:04:05',
    '2026-11-20T15:04Z',
    '2026-11-20 15:04:05Z',
    '2026-11-20T15:04:05.Z',
    '2026-11-20T15:04:05,5Z',
    '2026-11-20T15:04:05.1234567890Z',
    '2026-11-20T24:00:00Z',
    '2026-11-20T15:60:00Z',
    // PostgreSQL and JavaScript have no leap seconds.
    '2016-12-31T23:59:60Z',
    '2026-11-20T15:04:05+24:00',
    '2026-11-20T15:04:05+05:60',
    '2026-11-20T15:04:05+0530',
    '2026-11-20T15:04:05 Z',
    '2026-11-20T15:04:05Z\n',
    '2026-02-30T00:00:00Z',
    '0001-01-01T00:00:00+00:01',
    '9999-12-31T23:59:59-00:01',
    '0000-06-01T00:00:00Z',
    '1700000000',
    'now',
  ],
)

testFormat(
  'email',
  unchanged([
    'ada.rivera@example.com',
    'a+b_c-d!#$%@sub.example.co.uk',
    "o'brien@example.ie",
    'ADA@EXAMPLE.COM',
    'ünï@example.com',
    `${'a'.repeat(64)}@example.com`,
    `a@${'b'.repeat(63)}.com`,
    'a@1.example.com',
    'a@xn--bcher-kva.example',
  ]),
  [
    '',
    'ada',
    '@example.com',
    'ada@',
    'ada@example',
    'ada@@example.com',
    'ada @example.com',
    'ada@exa mple.com',
    'ada@example..com',
    'ada@.example.com',
    'ada@example.com.',
    'ada@-example.com',
    'ada@example-.com',
    'ada@example.c',
    'ada@example.123',
    'ada@[127.0.0.1]',
    'Ada <ada@example.com>',
    '"ada"@example.com',
    'ada@example.com\n',
    'ada\u0007@example.com',
    'a,b@example.com',
    'ada@boo\u212a.example.com',
    'ada@clinic\u017f.com',
    'ada@example.co\u212a',
    `${'a'.repeat(65)}@example.com`,
    `a@${'b'.repeat(64)}.com`,
    `a@${'b.'.repeat(130)}com`,
  ],
)

testFormat(
  'uri',
  unchanged([
    'https://example.com',
    'https://example.com/a/b?c=d#e',
    'HTTPS://example.com:8443/',
    'https://example.com/a@b',
  ]),
  [
    '',
    'example.com',
    'http://example.com',
    'ftp://example.com',
    'javascript:alert(1)',
    'https://',
    'https:///path',
    'https://ada@example.com',
    'https://ada:secret@example.com/',
    'https://exa mple.com',
    'https://example.com/a b',
    'https://example.com:99999/',
    'https://example.com\n',
  ],
)

test('formats: long hostile texts take less than a second of CPU time', () => {
  const hostile = [
    `a@${'a-'.repeat(4000)}`,
    `a@${'a.'.repeat(4000)}!`,
    `a@${'a'.repeat(8000)}`,
    `${'a'.repeat(8000)}@`,
    `https://${'a'.repeat(8000)} `,
  ]
  const before = process.cpuUsage()
  for (const text of hostile) for (const format of ['email', 'uri']) read(format, text)
  expect(process.cpuUsage(before).user).toBeLessThan(1_000_000)
})
