// Tests creating an integration, on the first visit or later, and the list of a person's
// integrations.
import { beforeEach, expect, test } from 'bun:test'
import { hiddenFields } from '#auth/testing/browser.ts'
import { queryAsOwner } from '#clinical/testing/assertions.ts'
import { sql } from '#database/sql.ts'
import { usePortal } from './testing/portal.ts'

const portal = usePortal()
let ada: Awaited<ReturnType<typeof portal.signIn>>
beforeEach(async () => void (ada = await portal.signIn()))

const made = async (person: string) => [
  ...(await queryAsOwner(
    portal.fixtures,
    sql`select i.id, i.name from auth.members m join auth.integrations i on i.id = m.integration
         where m.person = ${person} and m.role = 'owner' and m.removed_at is null
           and i.id <> ${portal.fixtures.ada.integration}
         order by i.id`,
  )),
]

test('303 to sign-in without a session', async () => {
  ada.browser.cookies.clear()
  for (const path of ['/', '/new']) {
    const answer = await ada.browser.send(path)
    expect(answer.headers.get('location')).toStartWith('/sign-in?next=')
  }
})

test('a person without an integration creates one on the first visit, and owns it', async () => {
  await queryAsOwner(
    portal.fixtures,
    sql`update auth.members set removed_at = now() where person = ${ada.person}`,
  )
  const form = await ada.browser.get('/')
  expect(form.url).toBe('/new')
  const page = await ada.browser.submit('/new', { name: ' Ada Health ' })
  const [integration, ...others] = await made(ada.person)
  expect(others).toEqual([])
  expect(integration?.['name']).toBe('Ada Health')
  expect([page.status, page.url]).toEqual([200, `/${integration?.['id']}/test`])
  const [row] = await queryAsOwner(
    portal.fixtures,
    sql`select action, surface, outcome from audit.entries where actor = ${ada.person}
         and action = 'createIntegration'`,
  )
  expect(row).toEqual({ action: 'createIntegration', surface: 'portal', outcome: 'ok' })
})

test('another integration is in the list; a form submitted twice creates one', async () => {
  const { text } = await ada.browser.get('/new')
  const body = new URLSearchParams({ ...hiddenFields(text, '/new'), name: 'Another' })
  for (let sent = 0; sent < 2; sent++) {
    const answer = await ada.browser.send('/new', { method: 'POST', body })
    expect(answer.status).toBe(303)
  }
  expect(await made(ada.person)).toHaveLength(1)
  const list = await ada.browser.get('/')
  expect(list.text).toContain('Another')
  expect(list.text).toContain('href="/new"')
})

test('an only integration opens immediately; the list is shown on request', async () => {
  expect((await ada.browser.get('/')).url).toBe(`/${ada.integration}/test`)
  const { text } = await ada.browser.get('/?all')
  expect(text).toContain('Your accounts')
  expect(text).toContain('action="/sign-out"')
})

test.each([
  ['', 'Enter a name.'],
  ['x'.repeat(201), 'at most 200 characters'],
  ['a\u0007b', 'single line'],
])('422 for the name %p', async (name, says) => {
  await ada.browser.get('/new')
  const page = await ada.browser.submit('/new', { name })
  expect(page.status).toBe(422)
  expect(page.text).toContain(says)
  expect(await made(ada.person)).toEqual([])
})

test('409 at the maximum of twenty integrations', async () => {
  await queryAsOwner(
    portal.fixtures,
    sql`with made as (
          insert into auth.integrations (id, name)
          select 'int_' || ${ada.person}::text || n, 'One of many' from generate_series(1, 19) n
          returning id)
        insert into auth.members (integration, person, role)
        select id, ${ada.person}, 'owner' from made`,
  )
  await ada.browser.get('/new')
  const page = await ada.browser.submit('/new', { name: 'One more' })
  expect(page.status).toBe(409)
  expect(page.text).toContain('20 accounts')
  expect(portal.failures).toEqual([])
})

test('403 for a form from another site, or from no page', async () => {
  await ada.browser.get('/new')
  const body = new URLSearchParams({ ...hiddenFields(ada.browser.page.text, '/new'), name: 'X' })
  const cross = { method: 'POST', body, headers: { 'sec-fetch-site': 'cross-site' } }
  expect((await ada.browser.send('/new', cross)).status).toBe(403)
  const unmade = { method: 'POST', body: new URLSearchParams({ name: 'X' }) }
  expect((await ada.browser.send('/new', unmade)).status).toBe(403)
  expect(await made(ada.person)).toEqual([])
})
