// Tests an integration's settings, configuration and closure.
import { beforeEach, describe, expect, test } from 'bun:test'
import type { MemberRole } from '#contract/scopes.ts'
import { grant, issueKey, openIntegration } from '#auth/integrations.ts'
import { acceptAgreement } from '#auth/testing/administration.ts'
import { queryAsOwner } from '#clinical/testing/assertions.ts'
import { invoke } from '#clinical/testing/call.ts'
import { sql, type Statement } from '#database/sql.ts'
import { usePortal } from '../../testing/portal.ts'

const portal = usePortal()

let integration: string
let owner: Awaited<ReturnType<typeof portal.signIn>>
const keys: Record<'test' | 'live', string> = { test: '', live: '' }
const pathOf = (rest = '') => `/${integration}/test/settings${rest}`
const join = (role: MemberRole) => portal.signIn({ role, integration })
const query = (statement: Statement) => queryAsOwner(portal.fixtures, statement)

/** A live integration with a key in each mode. */
beforeEach(async () => {
  const { owner: pool, clinic, context } = portal.fixtures
  ;({ integration } = await pool.use(connection => openIntegration(connection, 'A brand')))
  await pool.use(connection =>
    grant(connection, { integration, organization: clinic, mode: 'live' }),
  )
  await pool.use(connection => acceptAgreement(connection, integration, '2026-11-22'))
  for (const mode of ['test', 'live'] as const) {
    const made = await pool.use(connection =>
      issueKey(connection, context.peppers[0], { integration, mode, name: `${mode} key` }),
    )
    keys[mode] = made.key
  }
  owner = await join('owner')
})

const audited = async (person: string) => {
  const rows = await query(sql`
    select action, code from audit.entries
     where person = ${person} and target = ${integration} order by at`)
  return rows.map(({ action, code }) => [action, code])
}
const callWith = (mode: 'test' | 'live') =>
  invoke(portal.fixtures, 'getOrganization', { as: keys[mode] })
const endpointAt = (mode: 'test' | 'live') =>
  invoke(portal.fixtures, 'createWebhookEndpoint', {
    as: keys[mode],
    body: { url: 'https://public.brand.example/hooks', event_types: ['*'] },
  })

describe('changing the settings', () => {
  test('name and addresses are stored with an audit row, and shown', async () => {
    await owner.browser.get(pathOf('/edit'))
    const page = await owner.browser.submit(pathOf('/edit'), {
      name: ' Another brand ',
      developers: 'dev@example.com',
      billing: 'billing@example.com',
    })
    expect(page.url).toBe(pathOf())
    for (const text of ['Another brand', 'dev@example.com', 'billing@example.com']) {
      expect(page.text).toContain(text)
    }
    expect(await audited(owner.person)).toEqual([['changeIntegration', null]])
    await owner.browser.get(pathOf('/edit'))
    await owner.browser.submit(pathOf('/edit'), { name: 'Another brand', developers: '' })
    const [row] = await query(sql`
      select developers_email, billing_email from auth.integrations where id = ${integration}`)
    expect(row).toEqual({ developers_email: null, billing_email: null })
  })

  test.each([
    [{ name: ' ' }, 'Enter a name.'],
    [{ name: 'x'.repeat(201) }, 'at most 200 characters'],
    [{ name: 'A', developers: 'dev' }, 'Enter a full email address'],
    [{ name: 'A', billing: 'a@b, c@example.com' }, 'Enter a full email address'],
  ])('422: %p, and nothing changes', async (values, says) => {
    await owner.browser.get(pathOf('/edit'))
    const page = await owner.browser.submit(pathOf('/edit'), values)
    expect(page.status).toBe(422)
    expect(page.text).toContain(says)
    expect(await audited(owner.person)).toEqual([])
    expect(portal.failures).toEqual([])
  })
})

test('the configuration has both modes, but no secrets', async () => {
  await endpointAt('test')
  const { browser } = await join('developer')
  const { text } = await browser.get(pathOf('/configuration'))
  const json = /<code>(\{.*?\n\})<\/code>/s.exec(text)?.[1]?.replaceAll('&quot;', '"') ?? ''
  const found = JSON.parse(json.replaceAll('&amp;', '&'))
  expect(found.integration).toMatchObject({ id: integration, name: 'A brand' })
  expect(found.test.webhook_endpoints).toHaveLength(1)
  expect(found.live.keys).toMatchObject([{ name: 'live key', status: 'active' }])
  expect(found.live.grants).toMatchObject([{ organization: portal.fixtures.clinic }])
  expect(json).not.toMatch(/whsec|svc_sk|"secret/)
})

describe('closing', () => {
  test('ends keys, webhooks, the agreement and grants, and every member loses access to the pages', async () => {
    await endpointAt('test')
    await endpointAt('live')
    // Closing disables a live endpoint even if the clinic no longer grants its scope.
    await query(sql`
      update auth.grants set scopes = '{organization:read}'
       where integration = ${integration} and mode = 'live'`)
    const viewer = await join('viewer')
    expect((await callWith('live')).status).toBe(200)
    await owner.browser.get(pathOf('/close'))
    const page = await owner.browser.submit(pathOf('/close'), { name: 'A brand' })
    expect(page.url).toBe('/new')
    for (const mode of ['test', 'live'] as const) {
      expect((await callWith(mode)).status).toBe(401)
    }
    expect((await viewer.browser.get(pathOf())).status).toBe(404)
    const [state] = await query(sql`
      select (select array_agg(distinct status) from (
                select status from test.webhook_endpoints w join test.tenants t on t.id = w.tenant
                 where t.integration = ${integration}
                union all
                select status from live.webhook_endpoints w join live.tenants t on t.id = w.tenant
                 where t.integration = ${integration}) e) as endpoints,
             (select array_agg(status) from auth.grants
               where integration = ${integration} and mode = 'live') as grants,
             (select count(*)::int from auth.agreements
               where integration = ${integration} and terminated_at is null) as agreements,
             (select count(*)::int from site.emails where kind = 'integration_closed'
                 and facts::jsonb ->> 'integration' = 'A brand') as emails`)
    expect(state).toEqual({
      endpoints: ['disabled'],
      grants: ['revoked'],
      agreements: 0,
      emails: 1,
    })
    expect(await audited(owner.person)).toEqual([['closeIntegration', null]])
  })

  test('422 unless the exact name is typed, and nothing ends', async () => {
    await owner.browser.get(pathOf('/close'))
    for (const name of ['', 'a brand', 'Another']) {
      const page = await owner.browser.submit(pathOf('/close'), { name })
      expect(page.status).toBe(422)
      expect(page.text).toContain('Type “A brand”')
    }
    expect((await callWith('test')).status).toBe(200)
    expect(await audited(owner.person)).toEqual([])
  })
})
