// A script on the site can't use another module's session. On one machine, the modules differ only
// by port, and browsers share cookies between ports, so the browser sends the session and the
// module refuses the request. These tests turn off the site's content policy, which forbids such
// requests, because a module must not depend on the policy.
import { type BrowserContext, expect, type Page, test } from '@playwright/test'
import { server } from './servers.ts'

test.use({ bypassCSP: true })

const names = ['auth', 'portal', 'console'] as const

const withSession = (context: BrowserContext, name: string) =>
  context.addCookies([
    {
      name: `${name}_session`,
      value: 'secret',
      domain: 'localhost',
      path: '/',
      httpOnly: true,
      sameSite: 'Lax',
    },
  ])

/** A module's response, and whether the request included the session. */
type OriginResult = { what: string; status: number; hasSession: boolean }

/** Reads responses from the network, because the browser withholds some of them from the page. */
async function watch(page: Page, origin: string): Promise<() => OriginResult[]> {
  const network = await page.context().newCDPSession(page)
  const asked = new Map<string, { what: string; hasSession: boolean }>()
  const statuses: [id: string, status: number][] = []
  network.on('Network.requestWillBeSent', ({ requestId, request }) => {
    const { pathname } = new URL(request.url)
    if (!request.url.startsWith(origin) || pathname === '/favicon.ico') return
    const hasSession = asked.get(requestId)?.hasSession ?? false
    asked.set(requestId, { what: `${request.method} ${pathname}`, hasSession })
  })
  network.on('Network.requestWillBeSentExtraInfo', ({ requestId, headers }) => {
    const hasSession = /_session=secret/.test(headers['Cookie'] ?? headers['cookie'] ?? '')
    asked.set(requestId, { what: asked.get(requestId)?.what ?? '', hasSession })
  })
  network.on('Network.responseReceivedExtraInfo', ({ requestId, statusCode }) => {
    statuses.push([requestId, statusCode])
  })
  await network.send('Network.enable')
  return () =>
    statuses
      .map(([id, status]) => ({ what: '', hasSession: false, ...asked.get(id), status }))
      .filter(({ what }) => what !== '')
      .toSorted((one, other) => (one.what < other.what ? -1 : 1))
}

for (const name of names) {
  test(`${name}: a script on the site can’t use its session`, async ({ context, page }) => {
    const { [name]: origin } = server()
    await withSession(context, name)
    await page.goto('/')
    const answers = await watch(page, origin)
    await page.evaluate(async to => {
      const all = { mode: 'no-cors', credentials: 'include' } as const
      const asked = [
        fetch(`${to}/read`, all),
        fetch(`${to}/write`, { ...all, method: 'POST', body: 'a=b' }),
        fetch(`${to}/read-with-cors`, { credentials: 'include' }),
      ]
      const answered = await Promise.allSettled(asked)
      const isAnswered = answered.some(({ status }) => status === 'fulfilled')
      if (isAnswered) throw new Error('the browser gave the script a response')
      const add = (tag: 'img' | 'iframe' | 'script', path: string) =>
        new Promise<void>(done => {
          const element = document.createElement(tag)
          element.addEventListener('load', () => done())
          element.addEventListener('error', () => done())
          element.src = `${to}${path}`
          document.body.append(element)
        })
      await Promise.all([add('img', '/image'), add('iframe', '/frame'), add('script', '/script')])
      const form = document.createElement('form')
      Object.assign(form, { method: 'post', action: `${to}/form` })
      document.body.append(form)
      form.submit()
    }, origin)
    await page.waitForURL(`${origin}/form`)
    const refused = { status: 403, hasSession: true }
    await expect.poll(answers).toEqual([
      { what: 'GET /frame', ...refused },
      { what: 'GET /image', ...refused },
      { what: 'GET /read', ...refused },
      { what: 'GET /read-with-cors', ...refused },
      { what: 'GET /script', ...refused },
      { what: 'POST /form', ...refused },
      { what: 'POST /write', ...refused },
    ])
  })

  const isFile = (what: string) => what.startsWith('GET /assets/')

  test(`${name}: its own pages and links to it can use its session`, async ({ context, page }) => {
    const { [name]: origin } = server()
    await withSession(context, name)
    await page.goto('/')
    const answers = await watch(page, origin)
    await page.evaluate(to => {
      const link = document.createElement('a')
      Object.assign(link, { href: `${to}/linked`, textContent: 'Elsewhere' })
      document.body.append(link)
      link.click()
    }, origin)
    await page.waitForURL(`${origin}/linked`)
    await page.evaluate(() => {
      const form = document.createElement('form')
      Object.assign(form, { method: 'post', action: '/sent' })
      document.body.append(form)
      form.submit()
    })
    await page.waitForURL(`${origin}/sent`)
    // Nothing is served at these paths, so both return not found instead of a refusal.
    await expect
      .poll(() =>
        answers().flatMap(({ what, hasSession }) => (isFile(what) ? [] : [[what, hasSession]])),
      )
      .toEqual([
        ['GET /linked', true],
        ['POST /sent', true],
      ])
    expect(answers().map(({ status }) => status)).not.toContain(403)
  })
}

test('the site neither shows nor changes a session', async ({ context, page, request }) => {
  const headers = { accept: 'text/html' }
  const without = await (await request.get('/pricing', { headers })).text()
  await withSession(context, 'auth')
  const answer = await page.goto('/pricing')
  expect(await answer?.request().headerValue('cookie')).toContain('auth_session=secret')
  expect(await page.evaluate(() => document.cookie)).not.toContain('session')
  expect(await answer?.text()).toBe(without)
  expect(await answer?.headerValue('set-cookie')).toBeNull()
})

test('each origin refuses the others’ hosts, and names the right one', async ({ request }) => {
  const { url, auth, portal, console } = server()
  const all = [url, auth, portal, console]
  expect(new Set(all).size).toBe(4)
  for (const origin of all) {
    for (const other of all) {
      const headers = { host: new URL(other).host, accept: 'application/json' }
      const answer = await request.get(`${origin}/v1/organization`, { headers })
      if (other === origin) expect(answer.status(), origin).not.toBe(421)
      else {
        expect(answer.status(), `${origin} for ${other}`).toBe(421)
        expect(await answer.json()).toMatchObject({ hint: expect.stringContaining(other) })
      }
    }
  }
})
