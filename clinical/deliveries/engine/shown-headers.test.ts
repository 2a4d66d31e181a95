import { expect, test } from 'bun:test'
import { shownHeaders } from './shown-headers.ts'

const shown = (headers: Record<string, string>) => shownHeaders(new Headers(headers))

test('shown headers: values that explain the receiver’s response are shown', () => {
  const names = [
    'allow',
    'cf-ray',
    'connection',
    'content-encoding',
    'content-length',
    'content-type',
    'date',
    'location',
    'request-id',
    'retry-after',
    'server',
    'transfer-encoding',
    'via',
    'www-authenticate',
    'x-amzn-requestid',
    'x-cache',
    'x-powered-by',
    'x-request-id',
  ]
  const headers = Object.fromEntries(names.map(name => [name, `value of ${name}`]))
  expect(shown(headers)).toEqual(headers)
})

test('shown headers: all others show only their name', () => {
  expect(shown({ 'set-cookie': 'a=b', authorization: 'Bearer c', 'x-token': 'd' })).toEqual({
    'set-cookie': null,
    authorization: null,
    'x-token': null,
  })
})

test.each([
  ['/login?token=secret', '/login'],
  ['https://a.example/b#token=secret', 'https://a.example/b'],
  ['?token=secret', ''],
  ['/login', '/login'],
])('shown headers: the location %s shows only %p', (location, wanted) => {
  // Other headers' values aren't cut at `?` or `#`.
  expect(shown({ location, server: 'a?b#c' })).toEqual({ location: wanted, server: 'a?b#c' })
})

test('shown headers: 40 are kept, with 64 characters of a name and 200 of a value', () => {
  const many = Object.fromEntries(
    Array.from({ length: 41 }, (_, at) => [`x-${String(at).padStart(2, '0')}`, '']),
  )
  expect(Object.keys(shown(many))).toEqual(Object.keys(many).slice(0, 40))
  const long = { [`x-${'a'.repeat(63)}`]: '', server: 'b'.repeat(201) }
  expect(shown(long)).toEqual({ [`x-${'a'.repeat(62)}`]: null, server: 'b'.repeat(200) })
  const whole = { [`x-${'a'.repeat(62)}`]: '', server: 'b'.repeat(200) }
  expect(Object.entries(shown(whole))).toEqual([
    ['server', 'b'.repeat(200)],
    [`x-${'a'.repeat(62)}`, null],
  ])
})
