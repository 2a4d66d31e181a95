// Tests where people land after signing in, who gets in, and what signing out ends.
import { expect, test } from 'bun:test'
import { openBrowser } from '#auth/testing/browser.ts'
import { queryAsOwner } from '#clinical/testing/assertions.ts'
import { sql } from '#database/sql.ts'
import { authUrl, useConsolePages } from './testing/console.ts'

const pages = useConsolePages()

test('sign-in: asks AUTH_URL for a recent second factor, and returns to the page', async () => {
  const answer = await openBrowser(pages.origin).send('/sign-in?next=%2Forg_1%2Fqueue')
  expect(answer.status).toBe(303)
  const url = new URL(answer.headers.get('location') ?? '')
  expect(url.origin).toBe(authUrl)
  expect(url.searchParams.get('to')).toBe('console')
  expect(url.searchParams.get('fresh')).toBe('1')
  expect(url.searchParams.get('next')).toBe('/org_1/queue')
})

test('/: 303 to the person’s clinic, and from there to their role’s first page', async () => {
  for (const [role, page] of [
    ['nurse', 'queue'],
    ['pharmacy', 'orders'],
    ['records', 'patients'],
    ['auditor', 'retention'],
  ] as const) {
    const { browser, home } = await pages.signIn({ roles: [role] })
    expect((await browser.get('/')).url).toBe(`${home}/${page}`)
  }
})

test('/: 200 with a choice of clinics for staff at several', async () => {
  const [other] = await queryAsOwner<{ id: string }>(
    pages.fixtures,
    sql`insert into auth.organizations (id, name, slug)
        values ('org_01ARZ3NDEKTSV4RRFFQ69G5FAV', 'Second Clinic', 'second-clinic') returning id`,
  )
  const { browser, home } = await pages.signIn({ also: other?.id ?? '' })
  const { text } = await browser.get('/')
  expect(text).toContain('Second Clinic')
  expect(text).toContain(`href="${home}"`)
})

test('/: 403 for a person no longer on staff, naming whom to ask', async () => {
  const { browser, person, home } = await pages.signIn()
  await queryAsOwner(
    pages.fixtures,
    sql`update auth.staff set removed_at = now() where person = ${person}`,
  )
  const answer = await browser.send('/')
  expect(answer.status).toBe(403)
  expect(await answer.text()).toContain('Ask your clinic’s administrator')
  expect((await browser.send(`${home}/queue`)).status).toBe(404)
})

test('sign-out: ends the session, with an audit row that names the person', async () => {
  const { browser, person, home } = await pages.signIn()
  await browser.get(`${home}/queue`)
  await browser.submit('/sign-out')
  expect(browser.page.url).toBe('/signed-out')
  expect((await browser.send(`${home}/queue`)).status).toBe(303)
  const rows = await queryAsOwner(
    pages.fixtures,
    sql`select surface, action from audit.entries
         where person = ${person} and action like 'console.%'`,
  )
  expect(rows).toEqual([{ surface: 'console', action: 'console.sign_out' }])
})
