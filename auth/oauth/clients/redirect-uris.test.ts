// Tests each rule for redirect URIs. The first broken rule is the reason for the refusal.

import { describe, expect, test } from 'bun:test'
import { isOfAgent, isPrivateUse, isSecureLoopback, redirectUriFault } from './redirect-uris.ts'

const host = 'https://agent.example.com'
const dot = 'must use https, or a private-use scheme that contains a dot, such as com.example.app'
const loopback = 'must use https, or http with 127.0.0.1, [::1] or localhost'
const encoded = 'must not contain characters that must be encoded in a URL'
const normal = 'must have a normalized host'

describe('a redirect URI is refused', () => {
  test.each<[uri: unknown, fault: string]>([
    [undefined, 'must be a string'],
    [1, 'must be a string'],
    [[`${host}/cb`], 'must be a string'],
    [`${host}/${'a'.repeat(1975)}`, 'must not be longer than 2000 characters'],
    ['', 'must be printable ASCII without spaces'],
    [`${host}/ cb`, 'must be printable ASCII without spaces'],
    [`${host}/é`, 'must be printable ASCII without spaces'],
    ...['\\', '<', '>', '"', '^', '`', '{', '|', '}'].map((letter): [string, string] => [
      `${host}/${letter}`,
      encoded,
    ]),
    [`${host}/cb\r\nSet-Cookie: a=b`, 'must be printable ASCII without spaces'],
    [`${host}/\u0000cb`, 'must be printable ASCII without spaces'],
    ['java\tscript:alert(1)', 'must be printable ASCII without spaces'],
    ['https://аgent.example.com/cb', 'must be printable ASCII without spaces'],
    [`${host}\\@evil.example.com/cb`, encoded],
    ['/cb', 'must be an absolute URL'],
    ['//agent.example.com/cb', 'must be an absolute URL'],
    ['agent.example.com/cb', 'must be an absolute URL'],
    [`${host}:99999/cb`, 'must be an absolute URL'],
    [`${host}/cb#`, 'must not contain a fragment'],
    [`${host}/*`, 'must not contain a wildcard'],
    ['HTTPS://agent.example.com/cb', 'must have a lowercase scheme'],
    ['Com.example.app:/cb', 'must have a lowercase scheme'],
    ['https:agent.example.com/cb', 'must have a host'],
    ['https:///cb', 'must have a host'],
    ['https://ada@agent.example.com/cb', 'must not contain a username or password'],
    ['https://user:pass@agent.example.com/cb', 'must not contain a username or password'],
    [`${host}@evil.example.com/cb`, 'must not contain a username or password'],
    ['https://*.example.com/cb', 'must not contain a wildcard'],
    [`https://${'a'.repeat(250)}.com/cb`, 'must not have a host longer than 253 characters'],
    [`com.example.app://${'a'.repeat(254)}/cb`, 'must not have a host longer than 253 characters'],
    ['https://AGENT.example.com/cb', normal],
    ['http://127.1/cb', normal],
    ['http://2130706433/cb', normal],
    ['http://agent.example.com/cb', loopback],
    ['http://127.0.0.2/cb', loopback],
    ['http://0.0.0.0/cb', loopback],
    ['http://[::ffff:127.0.0.1]/cb', normal],
    ['http://localhost./cb', loopback],
    ['http://127.0.0.1.example.com/cb', loopback],
    ['http://localhost.example.com/cb', loopback],
    ['myapp:/cb', dot],
    ['cursor:/callback', dot],
    ['cursor:///callback', dot],
    ['xcursor://callback', dot],
  ])('%j %s', (uri, fault) => {
    expect(redirectUriFault(uri)).toBe(fault)
  })

  test('with any scheme that runs or shows the URI’s content', () => {
    const schemes =
      'javascript data file vbscript blob about view-source ws wss ftp mailto tel sms urn chrome'.split(
        ' ',
      )
    const faults = schemes.map(scheme => redirectUriFault(`${scheme}:x`))
    expect(faults).toEqual(schemes.map(scheme => `must not use the scheme ${scheme}`))
  })
})

test.each([
  `${host}/cb`,
  `${host}:8443/cb`,
  host,
  `${host}/cb?next=ada@example.com`,
  `${host}?next=ada@example.com`,
  `${host}/${'a'.repeat(1974)}`,
  'http://127.0.0.1/cb',
  'http://127.0.0.1:8976/cb',
  'http://[::1]:3000/cb',
  'http://localhost/cb',
  'https://localhost/cb',
  'com.example.app:/oauth',
  'com.example.app://oauth/cb',
  'cursor://anysphere.cursor-mcp/oauth/callback',
])('a redirect URI is accepted: %s', uri => {
  expect(uri.length).toBeLessThanOrEqual(2000)
  expect(redirectUriFault(uri)).toBeNull()
})

test('each kind of redirect URI is recognized only as that kind', () => {
  const uris = [
    `${host}/cb`,
    'https://localhost:3000/cb',
    'https://127.0.0.1/cb',
    'https://[::1]/cb',
    'http://localhost/cb',
    'com.example.app:/cb',
    'cursor://anysphere.cursor-mcp/cb',
    'httpsx:/cb',
    'none',
  ]
  expect(uris.filter(isSecureLoopback)).toEqual(uris.slice(1, 4))
  expect(uris.filter(isPrivateUse)).toEqual(uris.slice(5))
  expect(uris.filter(isOfAgent)).toEqual([uris[6] ?? ''])
})
