// What answers which path by which method, and what an answer carries.
import { describe, expect, test } from 'bun:test'
import { signIn } from '../testing/sign-in.ts'
import { usePages } from '../testing/pages.ts'

const { people, newBrowser, openMember } = await usePages()

const stylePath = async () => {
  const { text } = await newBrowser().get('/sign-in')
  return /href="(\/assets\/style\.[0-9a-f]+\.css)"/.exec(text)?.[1] ?? ''
}

describe('404', () => {
  test.each(['/no-such-page', '/sign-in/', '/constructor', '/consent/short', '/assets/none.css'])(
    '%s: there is no such page, whatever the method',
    async path => {
      for (const method of ['GET', 'POST', 'PUT']) {
        const answer = await newBrowser().send(path, { method })
        expect([method, answer.status]).toEqual([method, method === 'POST' ? 415 : 404])
      }
      const text = await (await newBrowser().send(path)).text()
      expect(text).toContain('<h1>There is no such page</h1>')
      expect(text).toContain('<a class="button" href="/">Your agents and devices</a>')
      expect(text).not.toContain('Reference')
    },
  )
})

const isHead = ({ method }: RequestInit) => method === 'HEAD'

describe('405', () => {
  const form = { method: 'POST', body: new URLSearchParams() }
  test.each([
    ['/', { method: 'PUT' }, 'GET, HEAD'],
    ['/', form, 'GET, HEAD'],
    ['/handoff', form, 'GET, HEAD'],
    ['/access/end', {}, 'POST'],
    ['/access/end', { method: 'HEAD' }, 'POST'],
    ['/sessions/end', { method: 'DELETE' }, 'POST'],
    ['/password', { method: 'PUT' }, 'GET, HEAD, POST'],
    ['/consent/abcdefghij', { method: 'DELETE' }, 'GET, HEAD, POST'],
    ['/assets/favicon.svg', form, 'GET, HEAD'],
    ['/assets/favicon.svg', { method: 'PUT' }, 'GET, HEAD'],
  ])('%s by %j: says that it answers %s', async (path, init, allow) => {
    const answer = await newBrowser().send(path, init)
    expect([answer.status, answer.headers.get('allow')]).toEqual([405, allow])
    expect(await answer.text()).toContain(isHead(init) ? '' : `It answers ${allow}.`)
  })
})

describe('HEAD', () => {
  test('has the headers of GET, and no body', async () => {
    for (const path of ['/sign-in', '/no-such-page', '/assets/favicon.svg', await stylePath()]) {
      const browser = newBrowser()
      const [read, head] = [await browser.send(path), await browser.send(path, { method: 'HEAD' })]
      const bytes = (await read.arrayBuffer()).byteLength
      expect(bytes).toBeGreaterThan(0)
      expect([path, head.status, head.headers.get('content-length')]).toEqual([
        path,
        read.status,
        String(bytes),
      ])
      expect(head.headers.get('content-type')).toBe(read.headers.get('content-type'))
      expect((await head.arrayBuffer()).byteLength).toBe(0)
    }
  })
})

describe('an answer', () => {
  test('closes the connection where the body was not read', async () => {
    const post = (length: number) =>
      newBrowser().send('/sign-in', {
        method: 'POST',
        body: new URLSearchParams({ email: 'x'.repeat(length) }),
      })
    const [short, long] = [await post(10), await post(1_000_000)]
    expect(short.status).toBe(403)
    expect(short.headers.get('connection')).not.toBe('close')
    expect([long.status, long.headers.get('connection')]).toEqual([415, 'close'])
  })

  test('gives a browser 144 random bits for its forms, once', async () => {
    const [one, other] = [newBrowser(), newBrowser()]
    await one.get('/sign-in')
    await other.get('/sign-in')
    const value = one.cookies.get('auth_form')
    expect(value).toMatch(/^[\w-]{24}$/)
    expect(other.cookies.get('auth_form')).not.toBe(value)
    const again = await one.send('/sign-up')
    expect(again.headers.getSetCookie()).toEqual([])
  })

  test('has the scripts of passkeys where one can be used, and nowhere else', async () => {
    const { person, browser } = await openMember()
    const scripts = ({ text }: { text: string }) =>
      text.match(/<script src="[^"]+" defer>/g)?.length
    expect(scripts(await browser.get('/sign-in'))).toBe(2)
    await signIn(browser, people, person)
    for (const path of ['/sign-in/code', '/sign-in/recovery-code', '/passkeys']) {
      const page = await browser.get(path)
      expect([path, page.status, scripts(page)]).toEqual([path, 200, 2])
      expect(page.headers.get('content-security-policy')).toContain("script-src 'self'")
    }
    for (const path of ['/', '/account', '/password', '/second-factor', '/device']) {
      expect([path, scripts(await browser.get(path))]).toEqual([path, undefined])
    }
  })

  test('names the person who is signed in, and has no such part without one', async () => {
    const { person, browser } = await openMember()
    expect((await browser.get('/sign-up')).text).not.toContain('class="who"')
    await signIn(browser, people, person)
    expect((await browser.get('/account')).text).toContain(
      `<a class="who-email" href="/account">${person.email}</a>`,
    )
  })
})
