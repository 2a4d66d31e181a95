// Tests the API key pages in a browser without scripts.
import { afterEach, describe, expect, test } from 'bun:test'
import { newId } from '#auth/ids.ts'
import { openIntegration } from '#auth/integrations.ts'
import { queryAsOwner } from '#clinical/testing/assertions.ts'
import { invoke } from '#clinical/testing/call.ts'
import { sql } from '#database/sql.ts'
import { usePortal } from '../../testing/portal.ts'

const portal = usePortal()
afterEach(() => expect(portal.failures).toEqual([]))

/** The key that a page shows once. */
function keyIn(text: string): string {
  const [key] = /svc_sk_(test|live)_\w{49}/.exec(text) ?? []
  if (key === undefined) throw new Error('The page shows no key.')
  return key
}
const call = async (key: string) =>
  (await invoke(portal.fixtures, 'getOrganization', { as: key })).status
const rowsOf = (name: string) =>
  queryAsOwner<{ id: string; organization: string | null; by: string | null; scopes: string[] }>(
    portal.fixtures,
    sql`select id, organization, created_by as by, scopes from auth.credentials
         where name = ${name} order by id`,
  )
const actionsOf = async (target: string) =>
  (
    await queryAsOwner<{ action: string }>(
      portal.fixtures,
      sql`select action from audit.entries where target = ${target} order by seq`,
    )
  ).map(({ action }) => action)

/** A key that a new member created on the page. */
async function make(values: Record<string, string> = {}) {
  const member = await portal.signIn()
  const { browser } = member
  const keys = `${member.home}/test/keys`
  await browser.get(`${keys}/new`)
  const name = `Server ${newId('key')}`
  const page = await browser.submit(`${keys}/new`, { name, scope: 'organization:read', ...values })
  expect(page.status).toBe(200)
  const [row] = await rowsOf(name)
  return { ...member, keys, name, key: keyIn(page.text), id: row?.id ?? '' }
}

describe('a new key', () => {
  test('is shown once with a working request, its organization and its creator', async () => {
    const { organization } = portal.fixtures.ada
    const { browser, keys, id, name, key, person } = await make({ organization })
    expect(browser.page.text).toContain(`curl https://api.example.com/v1/organization`)
    expect(await call(key)).toBe(200)
    expect(await rowsOf(name)).toEqual([
      { id, organization, by: person, scopes: ['organization:read'] },
    ])
    expect(await actionsOf(id)).toEqual(['createKey'])
    const page = await browser.get(`${keys}/${id}`)
    expect(page.text).not.toContain(key)
    expect(page.text).toContain(`svc_sk_test_…${key.slice(-4)}`)
    expect(page.text).toContain('by Ada')
    expect(page.text).toContain('Read the organization and its medication catalog')
  })

  test('422: the form stays as it was typed, and names each field', async () => {
    const { browser, home } = await portal.signIn()
    const path = `${home}/test/keys/new`
    await browser.get(path)
    const page = await browser.submit(path, {
      name: ' ',
      organization: 'org_unknown',
      days: '90',
    })
    expect(page.status).toBe(422)
    for (const fault of ['Enter a name.', 'id="scope-fault"', 'id="organization-fault"']) {
      expect(page.text).toContain(fault)
    }
    expect(page.text).toContain('<option value="90" selected>')
  })

  test('409: a form submitted twice creates one key', async () => {
    const { browser, home } = await portal.signIn()
    const path = `${home}/test/keys/new`
    const { text } = await browser.get(path)
    const name = `Twice ${newId('key')}`
    const once = /name="once" value="([^"]+)"/.exec(text)?.[1] ?? ''
    const send = { name, scope: 'cases:read', once }
    expect((await browser.submit(path, send)).status).toBe(200)
    await browser.get(path)
    const again = await browser.submit(path, send)
    expect(again.status).toBe(409)
    expect(again.text).toContain('nothing was created twice')
    expect(await rowsOf(name)).toHaveLength(1)
  })

  test('in live mode the page says which condition is missing', async () => {
    const { integration, test: key } = portal.fixtures.ben
    const owner = await portal.signIn({ integration })
    const page = () => owner.browser.get(`/${integration}/live/keys/new`)
    expect((await page()).text).toContain('<form method="post" action=')
    await queryAsOwner(
      portal.fixtures,
      sql`update auth.agreements set ends_at = now() - interval '1 ms' where integration = ${integration}`,
    )
    const { text, status } = await page()
    expect(status).toBe(200)
    expect(text).not.toContain('/live/keys/new"')
    expect(text).toMatch(/Business associate agreement.{0,99}Missing/)
    expect(text).toMatch(/live grant.{0,99}Done/)
    expect(text).toContain('Example Clinic')
    expect(text).toContain(`href="/${integration}/live/go-live"`)
    expect(await call(key)).toBe(200)
  })
})

describe('a rotation', () => {
  test('shows a successor once; both work, and the old one can be retired early', async () => {
    const { browser, keys, id, name, key } = await make()
    const form = await browser.get(`${keys}/${id}/rotate`)
    expect(form.text).toContain('value="organization:read" checked')
    expect(form.text).not.toContain('value="cases:read"')
    const rotation = { overlap: '604800', scope: 'organization:read' }
    const shown = await browser.submit(`${keys}/${id}/rotate`, rotation)
    expect(shown.text).toContain('another 7 days')
    const successor = keyIn(shown.text)
    expect([await call(key), await call(successor)]).toEqual([200, 200])
    const next = (await rowsOf(name))[1]?.id ?? ''
    expect(await actionsOf(id)).toEqual(['createKey', 'rotateKey'])
    expect(await actionsOf(next)).toEqual(['createKey'])
    const page = await browser.get(`${keys}/${id}`)
    expect(page.text).toContain('Expiring')
    expect(page.text).toContain(`href="${keys}/${next}"`)
    await browser.submit(`${keys}/${id}/revoke`)
    expect([await call(key), await call(successor)]).toEqual([401, 200])
  })

  test('409 for a key that was already rotated', async () => {
    const { browser, keys, id } = await make()
    const path = `${keys}/${id}/rotate`
    await browser.get(path)
    const rotation = { overlap: '3600', scope: 'organization:read' }
    await browser.submit(path, rotation)
    await browser.get(path)
    const again = await browser.submit(path, rotation)
    expect(again.status).toBe(409)
    expect(again.text).toContain('already rotated')
    await browser.get(path)
    expect((await browser.submit(path, { overlap: '0' })).status).toBe(422)
  })

  test('303 to its page for an inactive key', async () => {
    const { browser, keys, id } = await make()
    await browser.get(`${keys}/${id}`)
    await browser.submit(`${keys}/${id}/revoke`)
    expect((await browser.get(`${keys}/${id}/rotate`)).url).toBe(`${keys}/${id}`)
    expect(browser.page.text).toContain('Revoked')
  })
})

test('a developer can’t change a live key, even by a test mode URL', async () => {
  const { integration } = portal.fixtures.ada
  const [live] = await queryAsOwner<{ id: string }>(
    portal.fixtures,
    sql`select id from auth.credentials where integration = ${integration} and mode = 'live'`,
  )
  const { browser, home } = await portal.signIn({ role: 'developer' })
  const own = await make()
  await browser.get(`${home}/test/keys/${own.id}`)
  const path = `${home}/test/keys/${live?.id}/revoke`
  expect((await browser.get(`${home}/test/keys/${live?.id}`)).status).toBe(404)
  expect((await browser.get(`${home}/test/keys/${live?.id}/rotate`)).status).toBe(404)
  const sent = await browser.send(path, { method: 'POST', body: new URLSearchParams() })
  expect(sent.status).toBe(403)
  expect(await call(portal.fixtures.ada.live)).toBe(200)
  expect((await browser.get(`${home}/live/keys/${live?.id}`)).text).not.toContain('Revoke')
})

test('the list shows active keys, finds others by status and name, and has pages', async () => {
  const { integration } = portal.fixtures.ben
  const { browser, home } = await portal.signIn({ integration })
  const names = Array.from({ length: 27 }, (_, at) => `Numbered ${at}.`)
  await queryAsOwner(
    portal.fixtures,
    sql`insert into auth.credentials (id, integration, mode, name, scopes, hash, last4, revoked_at)
        select 'key_' || lpad(n::text, 26, '0'), ${integration}, 'test', name, '{cases:read}',
               sha256(name::bytea), 'abcd', case when n = 27 then now() end
          from unnest(${names}::text[]) with ordinality as x (name, n)`,
  )
  const shown = async (path: string) => {
    const { text } = await browser.get(`${home}/test/keys${path}`)
    return { found: names.filter(name => text.includes(name)), text }
  }
  expect((await shown('')).found).toHaveLength(24)
  expect((await shown('')).found).not.toContain('Numbered 26.')
  expect((await shown('?state=ended')).found).toEqual(['Numbered 26.'])
  expect((await shown('?name=numbered+1.&state=all')).found).toEqual(['Numbered 1.'])
  expect((await shown('?name=no+such')).text).toContain('No matches')
  const [, older = ''] = /href="[^"]+keys([^"]+)">Older/.exec((await shown('')).text) ?? []
  const second = await shown(older.replaceAll('&amp;', '&'))
  expect(second.found).toEqual(['Numbered 0.', 'Numbered 1.'])
  const [, newer = ''] = /href="[^"]+keys([^"]+)">Newer/.exec(second.text) ?? []
  expect((await shown(newer.replaceAll('&amp;', '&'))).found).toHaveLength(24)
})

test('a key’s page says that the key was reported as leaked', async () => {
  const { browser, keys, id } = await make()
  await queryAsOwner(
    portal.fixtures,
    sql`select auth.report_key(array[hash], '{"surface": "oauth", "request": "req_1"}')
          from auth.credentials where id = ${id}`,
  )
  expect((await browser.get(`${keys}/${id}`)).text).toContain('reported as leaked')
})

test('an empty list says who creates keys', async () => {
  const { integration } = await portal.fixtures.owner.use(connection =>
    openIntegration(connection, 'Empty'),
  )
  await queryAsOwner(
    portal.fixtures,
    sql`delete from auth.credentials where integration = ${integration}`,
  )
  const textOf = async (role: 'owner' | 'developer' | 'viewer', path: string) => {
    const { browser, home } = await portal.signIn({ integration, role })
    return (await browser.get(`${home}/${path}`)).text
  }
  for (const what of ['keys', 'clients']) {
    const inLive = `Only owners can create live ${what}. Ask an owner.`
    expect(await textOf('developer', `live/${what}`)).toContain(inLive)
    const inTest = `Only owners and developers can create ${what}.`
    expect(await textOf('viewer', `test/${what}`)).toContain(inTest)
    expect(await textOf('owner', `live/${what}`)).not.toContain('Only owners')
  }
})

test('a viewer sees keys, and can’t change them', async () => {
  const { id, name } = await make()
  const { browser, home } = await portal.signIn({ role: 'viewer' })
  expect((await browser.get(`${home}/test/keys`)).text).toContain(name)
  const page = await browser.get(`${home}/test/keys/${id}`)
  expect(page.text).toContain(name)
  expect(page.text).not.toContain('<button class="button danger')
  expect(page.text).not.toContain('/rotate')
})
