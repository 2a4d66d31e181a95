// The parts around a page's content: the last change's toast, and the chosen theme.
import { describe, expect, test } from 'bun:test'
import { pageAssets } from '../html/assets.ts'
import { HttpRequest } from '../http-request.ts'
import { ownOrigin } from '../origins/own-origin.ts'
import { createDispatch } from '../router.ts'
import type { PageAnswer } from './answer.tsx'
import { notFound } from './failures.tsx'
import { openPages } from './pages.ts'
import { openTable } from './table.ts'

let answer: PageAnswer = { content: <p>Content</p> }
const context = {
  site: { name: 'Example', url: 'https://example.com', email: 'hello@example.com' },
  assets: pageAssets('main {}'),
  formTargets: [],
  scripts: false,
  own: ownOrigin('https://pages.example.com', 'pages'),
  hmac: (text: string) => new Bun.CryptoHasher('sha256').update(`a secret ${text}`).digest(),
  randomBytes: (count: number) => crypto.getRandomValues(new Uint8Array(count)),
  now: () => 0,
  onError() {},
}
const pages = openPages({
  context,
  table: openTable({ own: { method: 'GET', path: '/own', title: 'Own', who: 'person' } }),
  handlers: { own: () => answer },
  findSession: async () => ({ id: 'tok_ada', secondFactorSeconds: 10 }),
  signInPath: () => '/sign-in',
  admit: call => call,
  refuse: () => undefined,
  stepBefore: () => null,
  frame: ({ content, ...page }) => ({ ...page, body: <main>{content}</main> }),
  notFound: notFound('It is gone.', { href: '/', label: 'Start' }),
})
const dispatch = createDispatch(
  { groups: [], plain: pages.endpoints, fallback: pages.fallback },
  failure => {
    throw failure
  },
)

async function ask(cookies = '', headers: Record<string, string> = {}) {
  const request = new Request('http://pages.example.com/own', {
    headers: { cookie: `__Host-pages_session=ada; ${cookies}`, ...headers },
  })
  const peers = { requestIP: () => null }
  const response = await dispatch(new HttpRequest(request, 'req_1', peers, () => null))
  return { headers: response.headers, text: await response.text() }
}

describe('a toast', () => {
  const cookieFrom = (headers: Headers) =>
    /__Host-pages_toast=([^;]*)/.exec(headers.get('set-cookie') ?? '')?.[1]
  const leave = async () => {
    answer = { redirect: '/own', toast: { text: 'Thing <renamed>', undo: { path: '/undo' } } }
    const { headers } = await ask()
    answer = { content: <p>Content</p> }
    return cookieFrom(headers) ?? ''
  }
  const open = (toast: string, headers: Record<string, string> = {}) =>
    ask(`__Host-pages_toast=${toast}`, headers)

  test('is shown once, on the next page, with the form that undoes it', async () => {
    const { text, headers } = await open(await leave())
    expect(text).toContain('Thing &lt;renamed>')
    expect(text).toContain('action="/undo"')
    expect(cookieFrom(headers)).toBe('')
  })

  test('waits for the next full page if a script requested only part of one', async () => {
    const { text, headers } = await open(await leave(), { 'hx-request': 'true' })
    expect(text).not.toContain('role="status"')
    expect(cookieFrom(headers)).toBeUndefined()
  })

  test('a forged toast is not shown', async () => {
    const forged = Buffer.from('{"text":"Pay here"}').toString('base64url')
    const { text } = await open(`${forged}.x`)
    expect(text).not.toContain('Pay here')
  })
})

test('a chosen theme applies to every page, and an unknown value is ignored', async () => {
  const themed = async (theme: string) => {
    const { text } = await ask(`theme=${theme}`)
    return /<html lang="en"([^>]*)>/.exec(text)?.[1]
  }
  expect(await themed('dark')).toBe(' data-theme="dark"')
  expect(await themed('"><script>')).toBe('')
})
