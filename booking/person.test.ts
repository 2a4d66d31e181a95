import { describe, expect, test } from 'bun:test'
import { domainToASCII } from 'node:url'
import { readPerson } from './person.ts'

const ada = { firstName: 'Ada', email: 'ada@rivera-clinic.com' }
const faults = (more: Partial<typeof ada> & Record<string, string>, note?: string) => {
  const read = readPerson({ ...ada, ...more }, note)
  return Array.isArray(read) ? read.map(({ field, code }) => `${field} ${code}`) : read
}

describe('booking: email addresses', () => {
  test.each([
    ['Ada@Rivera-Clinic.COM', 'ada@rivera-clinic.com'],
    ['  ada@rivera-clinic.com\n', 'ada@rivera-clinic.com'],
    ["o'neil+calls@clinic.co.uk", "o'neil@clinic.co.uk"],
    ['ada+a+b@clinic.co.uk', 'ada@clinic.co.uk'],
    ['+ada@clinic.co.uk', '+ada@clinic.co.uk'],
    ['ada@bücher.de', 'ada@xn--bcher-kva.de'],
    ['ADA@XN--BCHER-KVA.DE', 'ada@xn--bcher-kva.de'],
    ['ada@localhost', 'ada@localhost'],
    ['ada@360.com', 'ada@360.com'],
  ])('%p identifies the person %p', (email, person) => {
    expect(faults({ email })).toMatchObject({ person })
  })
  test.each([
    ['ada'],
    ['@clinic.com'],
    ['ada@'],
    ['ada@clinic'],
    ['ada@@clinic.com'],
    ['a b@clinic.com'],
    ['ada@clinic.com, eve@clinic.com'],
    ['ada@[127.0.0.1]'],
    ['ada@127.0.0.1'],
    ['ada@clinic.360'],
    ['.ada@clinic.com'],
    ['ada..l@clinic.com'],
    ['ada@-clinic.com'],
    ['"Ada" <ada@clinic.com>'],
    ['ada@clinic.com\r\nBcc: eve@clinic.com'],
    [`${'a'.repeat(65)}@clinic.com`],
    ['=?utf-8?q?ada?=@clinic.com'],
  ])('%p is invalid', email => {
    expect(faults({ email })).toEqual(['email invalid'])
  })
  test.each([
    'a@example.com',
    'a@mail.example.org',
    'a@EXAMPLE.net',
    'a@anything.test',
    'a@test',
    'a@b.invalid',
    'a@b.example',
    'a@localhost',
  ])('%p is at a reserved domain', email => {
    expect(faults({ email })).toMatchObject({ isReserved: true })
  })
  test.each(['a@example.co', 'a@myexample.com', 'a@example.com.br', 'a@contest.com', 'a@test.de'])(
    '%p is not at a reserved domain',
    email => expect(faults({ email })).toMatchObject({ isReserved: false }),
  )
})

describe('booking: names', () => {
  test.each(['Ada', 'Øyvind', '李', "Mary-Jane O'Neil", 'Jr. Ada', 'Dr. A. B. Smith'])(
    '%p is valid',
    firstName => expect(faults({ firstName })).toMatchObject({ firstName }),
  )
  test.each([
    '123',
    'https://evil.com',
    'win at evil.com',
    '<b>',
    'x@y',
    'www.evil',
    '…',
    'evil.com, Inc',
    'evil.com:80',
    'evil。com',
    '=?utf-8?q?x?=',
  ])('%p is invalid', firstName => expect(faults({ firstName })).toEqual(['first_name invalid']))
  test('line breaks and text direction marks become spaces', () => {
    expect(faults({ firstName: 'Ada\u202eeve' })).toMatchObject({ firstName: 'Ada eve' })
    expect(faults({ firstName: 'Ada\r\nBcc: x' })).toMatchObject({ firstName: 'Ada Bcc: x' })
  })
})

test('booking: reports every invalid field at once, each field once', () => {
  const person = { firstName: ' ', email: '', phone: '555', lastName: 'x'.repeat(81) }
  expect(faults(person, 'n'.repeat(1001))).toEqual([
    'last_name too_long',
    'note too_long',
    'first_name required',
    'email required',
    'phone invalid',
  ])
})

test.each([
  ['first_name', 80, (text: string) => faults({ firstName: text })],
  ['last_name', 80, (text: string) => faults({ lastName: text })],
  ['company', 120, (text: string) => faults({ company: text })],
  ['note', 1000, (text: string) => faults({}, text)],
])('booking: %s has at most %i characters', (field, most, read) => {
  expect(read('é'.repeat(most))).toMatchObject({ email: ada.email })
  expect(read('é'.repeat(most + 1))).toEqual([`${field} too_long`])
})

test('booking: an address has at most 254 characters', () => {
  const email = (last: number) =>
    `${'a'.repeat(64)}@${['b', 'c'].map(one => one.repeat(63)).join('.')}.${'d'.repeat(last)}`
  expect(email(61)).toHaveLength(254)
  expect(faults({ email: email(61) })).toMatchObject({ email: email(61) })
  expect(faults({ email: email(62) })).toEqual(['email too_long'])
})

test('booking: a domain has at most 253 characters in the form that mail servers use', () => {
  /** A label with this many ASCII characters, one of them written in Unicode. */
  const label = (length: number) => {
    const written = (count: number) => `${'b'.repeat(count)}ü`
    let count = length
    while (domainToASCII(written(count)).length > length) count--
    return written(count)
  }
  const domain = (last: number) => [63, 63, 63, last].map(label).join('.')
  const [longest, longer] = [`a@${domain(61)}`, `a@${domain(62)}`]
  expect(domainToASCII(domain(61))).toHaveLength(253)
  expect(longer.length).toBeLessThan(254)
  expect(faults({ email: longest })).toMatchObject({ email: longest })
  expect(faults({ email: longer })).toEqual(['email invalid'])
})

test('booking: a character made of two UTF-16 units counts once', () => {
  const firstName = '𠮷'.repeat(80)
  expect(faults({ firstName })).toMatchObject({ firstName })
  expect(faults({ firstName: `${firstName}𠮷` })).toEqual(['first_name too_long'])
})

test('booking: a phone number has at most 15 digits', () => {
  const phone = `+1${'2'.repeat(14)}`
  expect(faults({ phone })).toMatchObject({ phone })
  expect(faults({ phone: `${phone}2` })).toEqual(['phone too_long'])
  expect(faults({ phone: '+0123456789' })).toEqual(['phone invalid'])
})

test('booking: a last name is checked like a first name', () => {
  expect(faults({ lastName: 'Rivera' })).toMatchObject({ lastName: 'Rivera' })
  expect(faults({ lastName: 'www.evil' })).toEqual(['last_name invalid'])
})

test('booking: only the first of a field’s two errors is reported', () => {
  expect(faults({ firstName: '1'.repeat(81) })).toEqual(['first_name too_long'])
})

test('booking: a note keeps its line breaks', () => {
  expect(faults({}, 'one\ntwo\u0000')).toMatchObject({ note: 'one\ntwo' })
})
