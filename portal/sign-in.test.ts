// Tests where people land after signing in, and what signing out ends.
import { describe, expect, test } from 'bun:test'
import { openBrowser } from '#auth/testing/browser.ts'
import { queryAsOwner } from '#clinical/testing/assertions.ts'
import { invokeOk, rivera } from '#clinical/testing/call.ts'
import { sql } from '#database/sql.ts'
import { expectPage } from '#http/pages/testing/sweep.ts'
import { authUrl, usePortal } from './testing/portal.ts'

const portal = usePortal()

/** The path where a person returns after signing in. */
async function nextOf(next: string | null): Promise<string | null> {
  const query = next === null ? '' : `?${new URLSearchParams({ next })}`
  const answer = await openBrowser(portal.origin).send(`/sign-in${query}`)
  expect(answer.status).toBe(303)
  const url = new URL(answer.headers.get('location') ?? '')
  expect(url.origin).toBe(authUrl)
  expect(url.searchParams.get('browser')).toMatch(/^[\w-]{43}$/)
  return url.searchParams.get('next')
}

describe('sign-in: leads back', () => {
  test.each(['/int_1/test/keys', '/int_1/test/requests?status=404&code=not_found'])(
    'to the requested page: %p',
    async next => expect(await nextOf(next)).toBe(next),
  )

  test.each([
    null,
    '',
    'keys',
    '//evil.example',
    '/\\evil.example',
    '/..//evil.example',
    'https://evil.example/',
    'javascript:alert(1)',
    '/a\nSet-Cookie: b=c',
  ])('to the list of integrations instead of %p', async next =>
    expect(await nextOf(next)).toBe('/'),
  )

  test('to the list of integrations if the URL is too long', async () => {
    expect(await nextOf(`/${'a'.repeat(2000)}`)).toBe('/')
  })
})

test('the menu under the person’s email opens their own account page', async () => {
  const { browser, home } = await portal.signIn()
  const { text } = await browser.get(`${home}/test`)
  expect(text).toContain(`href="${authUrl}/account">Profile and security`)
})

test('a list’s automatic requests for newer items don’t extend the session', async () => {
  const { fixtures } = portal
  await invokeOk(fixtures, 'createPatient', { body: rivera })
  const { browser, person, home } = await portal.signIn()
  const used = async () => {
    const [row] = await queryAsOwner<{ is_used: boolean }>(
      fixtures,
      sql`select last_used_at is not null as is_used from auth.credentials where person = ${person}`,
    )
    return row?.is_used
  }
  await queryAsOwner(
    fixtures,
    sql`update auth.credentials set created_at = now() - interval '7 hours' where person = ${person}`,
  )
  const headers = { 'x-refresh': '1' }
  const list = await browser.send(`${home}/test/events`, { headers })
  const text = await list.text()
  expect([list.status, text.includes('hx-trigger="every 5s"')]).toEqual([200, true])
  expectPage(list, text)
  expect(await used()).toBe(false)
  await browser.get(`${home}/test/events`)
  expect(await used()).toBe(true)
})

test('sign-out: ends the session, with an audit row that names the person', async () => {
  const { browser, person, home } = await portal.signIn()
  await browser.get(`${home}/test`)
  await browser.submit('/sign-out')
  expect(browser.page.url).toBe('/signed-out')
  expect((await browser.send(`${home}/test`)).status).toBe(303)
  const rows = await queryAsOwner(
    portal.fixtures,
    sql`select surface, action, actor from audit.entries
         where person = ${person} and action = 'portal.sign_out'`,
  )
  expect(rows).toEqual([{ surface: 'portal', action: 'portal.sign_out', actor: person }])
})
