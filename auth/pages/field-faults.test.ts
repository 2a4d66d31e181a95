// What an email address and a name must be, at the limits of both.
import { expect, test } from 'bun:test'
import { emailFault, nameFault } from './forms.ts'

const fault = 'Email must be an email address, such as ada@example.com.'
const domain = '@example.com'

test.each([
  ['ada@example.com', undefined],
  [`${'a'.repeat(254 - domain.length)}${domain}`, undefined],
  [`${'a'.repeat(255 - domain.length)}${domain}`, fault],
  ['', fault],
  ['ada', fault],
  ['ada@', fault],
  ['@example.com', fault],
  ['ada@@example.com', fault],
  ['ada lovelace@example.com', fault],
  ['Ada <ada@example.com>', fault],
  ['ada@example.com,ben@example.com', fault],
])('email: %p has the fault %p', (email, found) => expect(emailFault(email)).toBe(found))

test.each([
  ['A', undefined],
  ['Ada Lovelace', undefined],
  ['李清照', undefined],
  ['n'.repeat(200), undefined],
  ['n'.repeat(201), 'Name must have at most 200 characters.'],
  ['', 'Name must not be empty.'],
  ['Ada\nLovelace', 'Name must be one line of text.'],
  ['Ada\u202Eecalevol', 'Name must be one line of text.'],
])('name: %p has the fault %p', (name, found) => expect(nameFault(name)).toBe(found))
