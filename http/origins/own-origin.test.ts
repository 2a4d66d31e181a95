// Which requests may use the session in a module's cookie, by the browser's headers.
import { describe, expect, test } from 'bun:test'
import { type AskedFrom, ownOrigin, ownOriginHeaders } from './own-origin.ts'

const local = ownOrigin('http://localhost:3001', 'auth')
const secure = ownOrigin('https://auth.example.com', 'auth')

const asked = (method: string, headers: Readonly<Record<string, string>>): AskedFrom => ({
  method,
  header: name => headers[name] ?? null,
})
const cookie = 'theme=dark; auth_session=1'
const admits = (method: string, headers: Readonly<Record<string, string>>) =>
  local.admits(asked(method, { cookie, ...headers }))

const [site, origin] = ['http://localhost:3000', 'http://localhost:3001']
const tab = { 'sec-fetch-mode': 'navigate', 'sec-fetch-dest': 'document' }
const frame = { 'sec-fetch-mode': 'navigate', 'sec-fetch-dest': 'iframe' }

describe('own origin: a session may be used', () => {
  const admitted: [what: string, method: string, headers: Record<string, string>][] = [
    ['by a script of its page', 'POST', { origin, 'sec-fetch-site': 'same-origin' }],
    [
      'by a form of a page without a referrer',
      'POST',
      { origin: 'null', 'sec-fetch-site': 'same-origin' },
    ],
    ['by a browser that sends only Origin', 'POST', { origin }],
    ['by its page, to read', 'GET', { 'sec-fetch-site': 'same-origin', 'sec-fetch-mode': 'cors' }],
    ['from the address bar', 'GET', { 'sec-fetch-site': 'none', ...tab }],
    ['by a link of the site, in a tab', 'GET', { 'sec-fetch-site': 'same-site', ...tab }],
    ['by a link of another site, in a tab', 'HEAD', { 'sec-fetch-site': 'cross-site', ...tab }],
    ['by a program that reads', 'GET', {}],
  ]
  test.each(admitted)('%s', (_what, method, headers) => {
    expect(admits(method, headers)).toBe(true)
  })
})

describe('own origin: a session may not be used', () => {
  const refused: [what: string, method: string, headers: Record<string, string>][] = [
    ['by a script of the site', 'POST', { origin: site, 'sec-fetch-site': 'same-site' }],
    [
      'by a script of the site, to read',
      'GET',
      { origin: site, 'sec-fetch-site': 'same-site', 'sec-fetch-mode': 'cors' },
    ],
    [
      'by an image of the site',
      'GET',
      { 'sec-fetch-site': 'same-site', 'sec-fetch-mode': 'no-cors', 'sec-fetch-dest': 'image' },
    ],
    ['in a frame of the site', 'GET', { 'sec-fetch-site': 'same-site', ...frame }],
    ['by a form of the site', 'POST', { origin: site, 'sec-fetch-site': 'same-site', ...tab }],
    [
      'by a form of another site',
      'POST',
      { origin: 'null', 'sec-fetch-site': 'cross-site', ...tab },
    ],
    [
      'by a form of a sandboxed frame',
      'POST',
      { origin: 'null', 'sec-fetch-site': 'cross-site', ...frame },
    ],
    ['by another origin that an old browser names', 'POST', { origin: site }],
    ['by another origin that an old browser names, to read', 'GET', { origin: site }],
    ['by a write without an origin', 'POST', {}],
    ['by a write with the null origin', 'DELETE', { origin: 'null' }],
    ['by a write from the address bar', 'POST', { 'sec-fetch-site': 'none' }],
    ['by an unknown method', 'BREW', {}],
    ['by an origin that begins like its own', 'POST', { origin: `${origin}.example` }],
  ]
  test.each(refused)('%s', (_what, method, headers) => {
    expect(admits(method, headers)).toBe(false)
    // Without the cookie there's no session to use; sign-in forms check isOwn.
    const bare = asked(method, headers)
    expect([local.admits(bare), local.isOwn(bare)]).toEqual([true, false])
  })
})

describe('own origin: cookies', () => {
  test('a cookie is named after its module, and bound to the host with TLS', () => {
    const same = { httpOnly: true, sameSite: 'lax', path: '/' } as const
    expect(local.cookie('session')).toEqual({ ...same, name: 'auth_session', secure: false })
    expect(secure.cookie('session')).toEqual({ ...same, name: '__Host-auth_session', secure: true })
  })
  test.each([
    ['auth_session=1', true],
    ['a=b;auth_session=1', true],
    ['__Host-auth_session=1', true],
    ['__Secure-auth.session_token=1', true],
    ['portal_session=1; author_x=2; xauth_session=3', false],
    ['a=auth_session', false],
    ['', false],
  ])('%p has a cookie from the module: %p', (text, expected) => {
    expect(secure.hasCookie(asked('GET', { cookie: text }))).toBe(expected)
  })
})

test('own origin: no other origin can frame, embed, store or read its responses', () => {
  // A copy, because toMatchObject modifies the objects that it compares.
  expect({ ...ownOriginHeaders }).toMatchObject({
    'cache-control': 'no-store',
    'content-security-policy': expect.stringContaining("frame-ancestors 'none'"),
    'cross-origin-resource-policy': 'same-origin',
  })
  expect(Object.keys(ownOriginHeaders).filter(name => name.startsWith('access-control'))).toEqual(
    [],
  )
})
