// The page stack with a test module: which checks run in which order, and the headers of every
// response.
import { beforeEach, describe, expect, test } from 'bun:test'
import { Problem } from '#contract/problems.ts'
import { pageAssets } from '../html/assets.ts'
import { ownOrigin } from '../origins/own-origin.ts'
import { HttpRequest } from '../http-request.ts'
import { createDispatch } from '../router.ts'
import type { PageAnswer } from './answer.tsx'
import type { PersonCall } from './call.ts'
import { notFound } from './failures.tsx'
import { openPages, type PageHandlers } from './pages.ts'
import { openTable } from './table.ts'

const thing = '/{group}/things/{id}'
const rows = {
  start: { method: 'GET', path: '/', title: 'Start', who: 'anyone' },
  begin: { method: 'POST', path: '/', title: 'Begin', who: 'anyone' },
  own: { method: 'GET', path: '/own', title: 'Own', who: 'person' },
  leave: { method: 'POST', path: '/leave', title: 'Leave', who: 'person', signedOut: '/left' },
  things: { method: 'GET', path: '/{group}/things', title: 'Things', group: 'Main' },
  thing: { method: 'GET', path: thing, title: 'Thing' },
  rename: {
    method: 'POST',
    path: '/{group}/things/{id}/rename',
    title: 'Rename',
    page: thing,
    keeps: ['from'],
    factor: 'fresh',
  },
  part: { method: 'GET', path: '/{group}/parts/{id}', title: 'Part' },
} as const
const table = openTable<keyof typeof rows>(rows)

type Session = { id: string; secondFactorSeconds: number | null }
type Call = PersonCall<keyof typeof rows, Session>

let answer: PageAnswer
let thrown: unknown
let seen: Call | undefined
const failures: unknown[] = []
beforeEach(() => {
  answer = { content: <p>Content</p> }
  seen = thrown = undefined
  failures.length = 0
})

const handle = (_: object, call: object) => {
  seen = call as Call
  if (thrown !== undefined) throw thrown
  return answer
}
const handlers = Object.fromEntries(table.ids.map(id => [id, handle])) as PageHandlers<
  typeof rows,
  object,
  object,
  object,
  object
>
const site = { name: 'Example', url: 'https://example.com', email: 'hello@example.com' }
const context = {
  site,
  assets: pageAssets('main {}', { one: '1' }),
  formTargets: [],
  scripts: false,
  own: ownOrigin('https://pages.example.com', 'pages'),
  hmac: (text: string) => new Bun.CryptoHasher('sha256').update(`a secret ${text}`).digest(),
  randomBytes: (count: number) => crypto.getRandomValues(new Uint8Array(count)),
  now: () => 0,
  onError: (failure: unknown) => void failures.push(failure),
}
const sessions: Record<string, Session> = {
  ada: { id: 'tok_ada', secondFactorSeconds: 10 },
  ben: { id: 'tok_ben', secondFactorSeconds: null },
}
const pages = openPages<typeof context, keyof typeof rows, Session, Call>({
  context,
  table,
  handlers,
  findSession: async token => sessions[token] ?? null,
  signInPath: next => `/sign-in?next=${next}`,
  admit: call => (call.names['group'] === 'ours' ? call : undefined),
  refuse: ({ title }) => (title === 'Part' ? { redirect: '/elsewhere' } : undefined),
  stepBefore: ({ factor }, { session, back }) =>
    factor !== undefined && session.secondFactorSeconds === null ? `/factor?next=${back}` : null,
  frame: ({ content, ...page }) => ({ ...page, body: <main>{content}</main> }),
  notFound: notFound('It is gone.', { href: '/', label: 'Start' }),
})
const dispatch = createDispatch(
  { groups: [], plain: pages.endpoints, fallback: pages.fallback },
  failure => {
    throw failure
  },
)

type PageRequest = {
  method?: string
  as?: string
  browser?: string
  form?: Record<string, string>
  headers?: Record<string, string>
}

async function ask(path: string, { method, as, browser, form, headers }: PageRequest = {}) {
  const cookies = [as && `__Host-pages_session=${as}`, browser && `__Host-pages_form=${browser}`]
  const request = new Request(`http://pages.example.com${path}`, {
    method: method ?? (form ? 'POST' : 'GET'),
    headers: {
      cookie: cookies.filter(Boolean).join('; '),
      'sec-fetch-site': 'same-origin',
      ...headers,
    },
    ...(form && { body: new URLSearchParams(form) }),
  })
  const peers = { requestIP: () => null }
  const response = await dispatch(new HttpRequest(request, 'req_1', peers, () => null))
  const { status } = response
  return { status, headers: response.headers, text: await response.text() }
}

const locationOf = async (path: string, sent?: PageRequest) =>
  (await ask(path, sent)).headers.get('location')

/** The token in a form on a page for this browser. */
async function tokenOf(path: string, { as, browser = 'one' }: PageRequest = {}) {
  await ask(path === '/' ? '/' : '/ours/things', { browser, ...(as && { as }) })
  return seen?.formToken(path) ?? ''
}

describe('routes', () => {
  test('paths without a row get a 404 with a link to continue', async () => {
    for (const path of ['/no/such/page', '/ours', '/constructor', '/assets/none.css']) {
      const { status, text } = await ask(path)
      expect([path, status]).toEqual([path, 404])
      expect(text).toContain('<a class="button" href="/">Start</a>')
      expect(text).not.toContain('Reference')
    }
  })

  test.each([
    ['/', { method: 'PUT' }, 'GET, HEAD, POST'],
    ['/own', { form: {} }, 'GET, HEAD'],
    ['/leave', {}, 'POST'],
    ['/leave', { method: 'HEAD' }, 'POST'],
    ['/assets/favicon.svg', { form: {} }, 'GET, HEAD'],
  ] as const)('405 for %s by %j, with Allow: %s', async (path, sent, allow) => {
    const { status, headers } = await ask(path, sent)
    expect([status, headers.get('allow')]).toEqual([405, allow])
  })

  test('stylesheet, scripts, fonts and icon are served with long caching', async () => {
    const { files } = context.assets
    expect(Object.keys(files)).toHaveLength(6)
    for (const path of Object.keys(files)) {
      const { status, headers } = await ask(path)
      expect([path, status]).toEqual([path, 200])
      expect(headers.get('cache-control')).toBe('public, max-age=86400')
    }
  })
})

describe('access', () => {
  test('rows are open to anyone, to signed-in people, or to those the module admits', async () => {
    expect((await ask('/')).status).toBe(200)
    expect(await locationOf('/own')).toBe('/sign-in?next=/own')
    expect((await ask('/own', { as: 'ada' })).status).toBe(200)
    expect(await locationOf('/ours/things?a=b')).toBe('/sign-in?next=/ours/things?a=b')
    expect(await locationOf('/ours/things', { as: 'x' })).toStartWith('/sign-in')
    expect((await ask('/ours/things', { as: 'ada' })).status).toBe(200)
    expect((await ask('/theirs/things', { as: 'ada' })).status).toBe(404)
    expect(await locationOf('/leave', { form: {} })).toBe('/left')
  })

  test('a refusal or a required step returns to the form’s page', async () => {
    expect(await locationOf('/ours/parts/1', { as: 'ada' })).toBe('/elsewhere')
    const sent = { as: 'ben', form: { from: 'a&b', name: 'x' } }
    const back = '/ours/things/1?from=a%26b'
    expect(await locationOf('/ours/things/1/rename', sent)).toBe(`/factor?next=${back}`)
    expect(seen).toBeUndefined()
  })
})

describe('forms', () => {
  const path = '/ours/things/1/rename'
  const send = async (as: string, form: string, browser = 'one', headers = {}) =>
    (await ask(path, { as, browser, headers, form: { form, name: 'x' } })).status

  test('must come from a page on this origin, for this browser, session and path', async () => {
    const form = await tokenOf(path, { as: 'ada' })
    expect(await send('ada', form)).toBe(200)
    expect(seen?.form.get('name')).toBe('x')
    seen = undefined
    sessions['eve'] = { id: 'tok_eve', secondFactorSeconds: 1 }
    const other = await tokenOf('/ours/things/2/rename', { as: 'ada' })
    seen = undefined
    for (const sent of [
      await send('ada', ''),
      await send('ada', form.slice(0, -1)),
      await send('ada', other),
      await send('eve', form),
      await send('ada', form, 'two'),
      await send('ada', form, ''),
      await send('ada', form, 'one', { 'sec-fetch-site': 'cross-site' }),
      await send('ada', form, 'one', { 'sec-fetch-site': 'same-site' }),
      await send('ada', form, 'one', { 'sec-fetch-site': '', origin: 'https://evil.example' }),
    ]) {
      expect(sent).toBe(403)
    }
    expect(seen).toBeUndefined()
    const { text } = await ask(path, { as: 'ada', form: { from: 'f' } })
    expect(text).toContain('href="/ours/things/1?from=f"')
  })

  test('a form that is open to anyone is bound to the browser too', async () => {
    const form = await tokenOf('/')
    expect((await ask('/', { browser: 'one', form: { form } })).status).toBe(200)
    expect((await ask('/', { browser: 'two', form: { form } })).status).toBe(403)
    expect((await ask('/', { browser: 'one', as: 'ada', form: { form } })).status).toBe(403)
  })

  test('bodies that aren’t forms get a 415, and forms that are too long a 413', async () => {
    const json = { method: 'POST', headers: { 'content-type': 'application/json' } }
    expect((await ask('/', json)).status).toBe(415)
    expect((await ask('/', { form: { name: 'a\0b' } })).status).toBe(415)
    const long = await ask('/', { form: { name: 'x'.repeat(1_048_577) } })
    expect(long.status).toBe(413)
    expect(long.text).toContain('Reference')
  })

  test('a browser gets 144 random bits for its forms, only once', async () => {
    const cookieOf = async (sent?: PageRequest) => (await ask('/', sent)).headers.getSetCookie()
    const [one = ''] = await cookieOf()
    expect(one).toMatch(/^__Host-pages_form=[\w-]{24}; Path=\/; HttpOnly; SameSite=Lax; Secure$/)
    expect(await cookieOf()).not.toEqual([one])
    expect(await cookieOf({ browser: 'one' })).toEqual([])
  })
})

describe('responses', () => {
  test('a page allows no frame, cache or referrer to other sites, and no scripts unless it has some', async () => {
    const { headers, text } = await ask('/')
    expect(text).toContain('<title>Start · Example</title>')
    expect(headers.get('content-security-policy')).toBe(
      "default-src 'none'; style-src 'self'; font-src 'self'; img-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'",
    )
    for (const [name, value] of [
      ['x-frame-options', 'DENY'],
      ['cache-control', 'no-store'],
      ['referrer-policy', 'same-origin'],
      ['x-content-type-options', 'nosniff'],
    ] as const) {
      expect([name, headers.get(name)]).toEqual([name, value])
    }
    answer = { content: <p />, scripts: true, formTargets: ['https://portal.example.com/x'] }
    const scripted = await ask('/')
    const policy = scripted.headers.get('content-security-policy') ?? ''
    expect(policy).toContain("script-src 'self'")
    expect(policy).toContain("form-action 'self' https://portal.example.com;")
    expect(scripted.text).toMatch(/<script src="\/assets\/one\.\w+\.js" defer>/)
  })
})

describe('other responses', () => {
  test('a form returns its own page with that title; other answers are a redirect, a file or an image', async () => {
    const form = await tokenOf('/ours/things/1/rename', { as: 'ada' })
    const sent = { as: 'ada', browser: 'one', form: { form } }
    answer = { content: <p />, status: 422, cookies: ['a=b'], headers: { 'retry-after': '1' } }
    const again = await ask('/ours/things/1/rename', sent)
    expect([again.status, again.headers.get('retry-after')]).toEqual([422, '1'])
    expect(again.text).toContain('<title>Thing · Example</title>')
    expect(again.headers.getSetCookie()).toEqual(['a=b'])
    answer = { redirect: '/x', cookies: ['c=d'] }
    const led = await ask('/own', { as: 'ada' })
    expect([led.status, led.headers.get('location')]).toEqual([303, '/x'])
    expect(led.headers.getSetCookie()).toEqual(['c=d'])
    answer = { file: { name: 'a.csv', type: 'text/csv', content: 'a' } }
    const kept = await ask('/own', { as: 'ada' })
    expect(kept.headers.get('content-disposition')).toBe('attachment; filename="a.csv"')
    answer = { image: new Blob(['x']) }
    const image = await ask('/own', { as: 'ada' })
    expect(image.headers.get('content-security-policy')).toContain('sandbox')
    for (const { headers } of [again, led, kept, image]) {
      expect(headers.get('cache-control')).toBe('no-store')
    }
  })
})

describe('failures', () => {
  test('a problem is a page with its status, and a failure is a 500 with a reference', async () => {
    thrown = new Problem('case_claimed', { detail: '<Dr. A> is at it.' })
    const refused = await ask('/')
    expect([refused.status, refused.text.includes('&lt;Dr. A> is at it.')]).toEqual([409, true])
    expect(failures).toEqual([])
    thrown = new TypeError('broken on purpose')
    const { status, text } = await ask('/')
    expect([status, text.includes('req_1'), text.includes(site.email)]).toEqual([500, true, true])
    expect(text).not.toContain('on purpose')
    expect(failures).toEqual([thrown])
  })
})
