// Tests the OAuth client pages in a browser without scripts, with the authorization server that
// issues their tokens.
import { afterAll, afterEach, beforeAll, expect, test } from 'bun:test'
import { newId } from '#auth/ids.ts'
import { serve } from '#auth/oauth/testing/fixture.ts'
import { queryAsOwner } from '#clinical/testing/assertions.ts'
import { invoke } from '#clinical/testing/call.ts'
import { sql } from '#database/sql.ts'
import { usePortal } from '../../testing/portal.ts'

const portal = usePortal()
let server: Awaited<ReturnType<typeof serve>>
beforeAll(async () => {
  const { database, context } = portal.fixtures
  server = await serve({ url: database.urls.auth, ring: context.peppers })
})
afterEach(() => expect([...portal.failures, ...server.failures]).toEqual([]))
afterAll(() => server.stop())

function secretIn(text: string): string {
  const [secret] = /svc_cs_\w{49}/.exec(text) ?? []
  if (secret === undefined) throw new Error('The page shows no secret.')
  return secret
}
/** A token, or the error's status. */
async function tokenFor(client: string, secret: string): Promise<string | number> {
  const response = await fetch(`${server.issuer}/api/auth/oauth2/token`, {
    method: 'POST',
    headers: { authorization: `Basic ${btoa(`${client}:${secret}`)}` },
    body: new URLSearchParams({ grant_type: 'client_credentials' }),
  })
  const answer = (await response.json()) as { access_token?: string }
  return answer.access_token ?? response.status
}
const call = async (token: string | number) =>
  (await invoke(portal.fixtures, 'getOrganization', { as: String(token) })).status
const auditOf = async (client: string) =>
  (
    await queryAsOwner<{ action: string }>(
      portal.fixtures,
      sql`select action from audit.entries where client = ${client} and surface = 'portal'
           order by seq`,
    )
  ).map(({ action }) => action)

/** A client that a new member created on the page. */
async function make() {
  const member = await portal.signIn()
  const { browser } = member
  const clients = `${member.home}/test/clients`
  await browser.get(`${clients}/new`)
  const name = `Export ${newId('client')}`
  const values = {
    name,
    scope: 'organization:read',
    organization: portal.fixtures.ada.organization,
  }
  const page = await browser.submit(`${clients}/new`, values)
  expect(page.status).toBe(200)
  const [row] = await queryAsOwner<{ id: string; organization: string }>(
    portal.fixtures,
    sql`select id, organization from auth.clients where name = ${name}`,
  )
  const id = row?.id ?? ''
  return { ...member, clients, one: `${clients}/${id}`, id, name, row, secret: secretIn(page.text) }
}

test('a new client shows its secret once, with a request that gets a token', async () => {
  const { browser, clients, one, id, name, row, secret } = await make()
  expect(browser.page.text).toContain(`-u '${id}:${secret}'`)
  expect(row?.organization).toBe(portal.fixtures.ada.organization)
  const token = await tokenFor(id, secret)
  expect(await call(token)).toBe(200)
  expect(await auditOf(id)).toEqual(['createClient'])
  expect(browser.page.text).toContain('/api/auth/oauth2/token \\')
  expect((await browser.get(clients)).text).toContain(name)
  const page = await browser.get(one)
  expect(page.text).not.toContain(secret)
  expect(page.text).toContain(`svc_cs_…${secret.slice(-4)}`)
  expect(page.text).toMatch(/Active tokens<\/dt><dd>1</)
})

test('422 and 409: errors name the fields, and a form sent twice creates one client', async () => {
  const { browser, home } = await portal.signIn()
  const path = `${home}/test/clients/new`
  const { text } = await browser.get(path)
  expect((await browser.submit(path, { name: '' })).status).toBe(422)
  expect(browser.page.text).toContain('Enter a name.')
  expect(browser.page.text).toContain('id="scope-fault"')
  const once = /name="once" value="([^"]+)"/.exec(text)?.[1] ?? ''
  const sent = { name: `Twice ${newId('client')}`, scope: 'cases:read', once }
  expect((await browser.submit(path, sent)).status).toBe(200)
  await browser.get(path)
  expect((await browser.submit(path, sent)).status).toBe(409)
  const rows = await queryAsOwner(
    portal.fixtures,
    sql`select from auth.clients where name = ${sent.name}`,
  )
  expect(rows).toHaveLength(1)
})

test('a second secret replaces the first without a pause, and there isn’t a third', async () => {
  const { browser, one, id, secret } = await make()
  await browser.get(`${one}/secrets/new`)
  const second = secretIn((await browser.submit(`${one}/secrets/new`)).text)
  expect(await call(await tokenFor(id, secret))).toBe(200)
  expect(await call(await tokenFor(id, second))).toBe(200)
  await browser.get(`${one}/secrets/new`)
  expect((await browser.submit(`${one}/secrets/new`)).status).toBe(409)
  expect(browser.page.text).toContain('can have two secrets')
  const { text } = await browser.get(one)
  expect(text).not.toContain('Add secret')
  const [first] = await queryAsOwner<{ id: string }>(
    portal.fixtures,
    sql`select id from auth.client_secrets where client = ${id} order by id limit 1`,
  )
  await browser.submit(`${one}/secrets/${first?.id}/revoke`)
  expect(await tokenFor(id, secret)).toBe(401)
  expect(await call(await tokenFor(id, second))).toBe(200)
  expect(await auditOf(id)).toEqual([
    'createClient',
    'addClientSecret',
    'addClientSecret',
    'revokeClientSecret',
  ])
  expect((await browser.get(`${one}/secrets/new`)).text).toContain('Both secrets will work.')
  await queryAsOwner(
    portal.fixtures,
    sql`update auth.client_secrets set revoked_at = now() where client = ${id}`,
  )
  expect((await browser.get(`${one}/secrets/new`)).text).toContain('can get tokens again')
})

test('all of a client’s tokens are revoked from the next request, and it gets new ones', async () => {
  const { browser, one, id, secret } = await make()
  const tokens = [await tokenFor(id, secret), await tokenFor(id, secret)]
  const other = await make()
  const untouched = await tokenFor(other.id, other.secret)
  for (const token of tokens) expect(await call(token)).toBe(200)
  await browser.get(one)
  await browser.submit(`${one}/end-tokens`)
  expect(browser.page.text).toMatch(/Active tokens<\/dt><dd>0</)
  expect(await Promise.all(tokens.map(call))).toEqual([401, 401])
  expect(await call(untouched)).toBe(200)
  expect(await call(await tokenFor(id, secret))).toBe(200)
  expect((await auditOf(id)).at(-1)).toBe('endClientTokens')
})

test('a client that is revoked loses its secrets and tokens', async () => {
  const { browser, one, id, secret } = await make()
  const token = await tokenFor(id, secret)
  await browser.get(one)
  await browser.submit(`${one}/revoke`)
  expect(browser.page.text).toContain('Revoked')
  expect(browser.page.text).not.toContain('Revoke all tokens')
  expect([await call(token), await tokenFor(id, secret)]).toEqual([401, 401])
  expect((await auditOf(id)).at(-1)).toBe('revokeClient')
})

test('another integration’s client, or one in the other mode, is not found', async () => {
  const { id, secret, one } = await make()
  const ben = await portal.signIn({ integration: portal.fixtures.ben.integration })
  const own = await make()
  for (const [browser, home] of [
    [ben.browser, `${ben.home}/test`],
    [own.browser, `${own.home}/live`],
  ] as const) {
    expect((await browser.get(`${home}/clients/${id}`)).status).toBe(404)
    expect((await browser.get(`${home}/clients/${id}/secrets/new`)).status).toBe(404)
    expect((await browser.get(`${home}/clients`)).text).not.toContain(id)
  }
  // One client's path can't revoke another's secret.
  const [row] = await queryAsOwner<{ id: string }>(
    portal.fixtures,
    sql`select id from auth.client_secrets where client = ${id}`,
  )
  await own.browser.get(own.one)
  const token = await own.browser.get(one)
  expect(token.status).toBe(200)
  const viewer = await portal.signIn({ role: 'viewer' })
  const { text } = await viewer.browser.get(one)
  expect(text).not.toContain('<button class="button danger')
  expect(text).not.toContain(row?.id ?? 'none')
  expect(await call(await tokenFor(id, secret))).toBe(200)
})
