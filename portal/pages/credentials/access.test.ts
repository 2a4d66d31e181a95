// Tests the agents and devices pages, and credentials' activity.
import { afterEach, describe, expect, test } from 'bun:test'
import { listAccess } from '#auth/accounts/access.ts'
import { newId } from '#auth/ids.ts'
import { issueToken } from '#auth/testing/tokens.ts'
import { queryAsOwner } from '#clinical/testing/assertions.ts'
import { invoke } from '#clinical/testing/call.ts'
import { projectAll } from '#clinical/testing/requests.ts'
import type { MemberRole } from '#contract/scopes.ts'
import { sql } from '#database/sql.ts'
import { usePortal } from '../../testing/portal.ts'

const portal = usePortal()
afterEach(() => expect(portal.failures).toEqual([]))

/** The token of an agent that a new member authorized. */
async function issue(role: MemberRole = 'developer', kind: 'agent' | 'device' = 'agent') {
  const { fixtures } = portal
  const { integration } = fixtures.ada
  const [pepper] = fixtures.context.peppers
  return fixtures.owner.use(connection =>
    issueToken(connection, pepper, { integration, kind, role }),
  )
}
const pathOf = (home: string, one: { client: string; person: string | null }, kind = 'agent') =>
  `${home}/test/access/${one.client}/${one.person}/${kind}`
const call = async (
  token: string,
  operation: 'getOrganization' | 'listPatients' = 'listPatients',
) => (await invoke(portal.fixtures, operation, { as: token })).status
/** A browser with this person's session. */
async function sessionOf(person: string | null) {
  const member = await portal.signIn({ role: 'viewer' })
  await queryAsOwner(
    portal.fixtures,
    sql`update auth.credentials set person = ${person} where person = ${member.person}`,
  )
  return member
}

describe('agents and devices', () => {
  test('a consent whose token was never issued is not listed, here or on the account', async () => {
    const agent = await issue()
    const { browser, home } = await portal.signIn()
    const isListed = async () =>
      (await browser.get(`${home}/test/access`)).text.includes(pathOf(home, agent))
    const ofPerson = async () =>
      (await listAccess(portal.fixtures.owner, agent.person ?? '')).map(({ client }) => client)
    expect([await isListed(), await ofPerson()]).toEqual([true, [agent.client]])
    await queryAsOwner(portal.fixtures, sql`delete from auth.credentials where id = ${agent.id}`)
    expect([await isListed(), await ofPerson()]).toEqual([false, []])
  })

  test("an owner sees every member's agents and what they did, and can end any", async () => {
    const agent = await issue()
    const device = await issue('viewer', 'device')
    for (const operation of ['listPatients', 'listPatients', 'getOrganization'] as const) {
      expect(await call(agent.token, operation)).toBe(200)
    }
    await projectAll(portal.fixtures)
    // Pretends that the request came in through the tool server.
    await queryAsOwner(
      portal.fixtures,
      sql`update test.requests set surface = 'mcp'
           where client = ${agent.client} and operation = 'getOrganization'`,
    )
    const { browser, home, person } = await portal.signIn()
    const list = await browser.get(`${home}/test/access`)
    expect(list.text).toContain(pathOf(home, agent))
    expect(list.text).toContain(pathOf(home, device, 'device'))
    expect((await browser.get(`${home}/test/access?name=nothing`)).text).toContain('No matches')
    const page = await browser.get(pathOf(home, agent))
    expect(page.text).toContain('“An agent”')
    const counted = (operation: string, outcome: string) =>
      new RegExp(`>${operation}</code>.*?data-head="${outcome}"[^>]*>([^<]+)<`).exec(page.text)?.[1]
    expect(counted('listPatients', 'Succeeded')).toBe('2')
    expect(counted('get_organization', 'Via')).toBe('Tool server')
    expect(counted('get_organization', 'Succeeded')).toBe('1')
    expect(counted('listPatients', 'Via')).toBe('API')
    const log = /href="([^"]*\/requests\?[^"]*)">All requests/.exec(page.text)?.[1] ?? ''
    const calls = await browser.get(log.replaceAll('&amp;', '&'))
    expect(calls.text).toContain('get_organization</span></code>')
    expect(calls.text.match(/data-head="Caller">“An agent”<div class="fine">for /g)).toHaveLength(3)
    await browser.get(pathOf(home, agent))
    await browser.submit(`${pathOf(home, agent)}/end`)
    expect(browser.page.url).toBe(`${home}/test/access`)
    expect(browser.page.text).not.toContain(pathOf(home, agent))
    expect([await call(agent.token), await call(device.token)]).toEqual([401, 200])
    const rows = await queryAsOwner(
      portal.fixtures,
      sql`select action, person, client, target, outcome from audit.entries
           where client = ${agent.client} and surface = 'portal'`,
    )
    expect([...rows]).toEqual([
      { action: 'endAccess', person, client: agent.client, target: agent.person, outcome: 'ok' },
    ])
  })

  test('another member sees and ends only their own', async () => {
    const [own, other] = [await issue(), await issue()]
    const { browser, home } = await sessionOf(own.person)
    const list = await browser.get(`${home}/test/access`)
    expect(list.text).toContain(pathOf(home, own))
    expect(list.text).not.toContain(pathOf(home, other))
    expect((await browser.get(pathOf(home, other))).status).toBe(404)
    await browser.get(pathOf(home, own))
    await browser.submit(`${pathOf(home, own)}/end`)
    expect([await call(own.token), await call(other.token)]).toEqual([401, 200])
  })

  test('the database lets no member revoke another’s agents, wherever the request comes from', async () => {
    const [mine, theirs] = [await issue('developer'), await issue()]
    const elsewhere = await portal.signIn({ integration: portal.fixtures.ben.integration })
    for (const by of [mine.person, elsewhere.person, newId('person')]) {
      const act = JSON.stringify({ surface: 'portal', request: newId('request'), person: by })
      const [row] = await queryAsOwner<{ refusal: string | null }>(
        portal.fixtures,
        sql`select auth.end_access(${theirs.client}, ${theirs.person},
              ${portal.fixtures.ada.integration}, 'agent', ${act}::text::jsonb) as refusal`,
      )
      expect(row?.refusal).toBe('not_found')
    }
    expect(await call(theirs.token)).toBe(200)
  })

  test('live mode has none, and the page says why', async () => {
    const agent = await issue()
    const { browser, home } = await portal.signIn()
    const { text } = await browser.get(`${home}/live/access`)
    expect(text).toContain('Test mode only')
    expect(text).toContain(`href="${home}/test/access"`)
    expect(text).not.toContain(agent.client)
    const path = pathOf(home, agent).replace('/test/', '/live/')
    expect((await browser.get(path)).status).toBe(404)
  })
})

describe('key activity', () => {
  test('counts each allowed request once, and no refused ones', async () => {
    const { fixtures } = portal
    const { integration } = fixtures.ada
    const name = `Reader ${newId('key')}`
    const key = await fixtures.key({ integration, mode: 'test', name, scopes: ['patients:read'] })
    const of = { as: key }
    await invoke(fixtures, 'listPatients', of)
    await projectAll(fixtures)
    await invoke(fixtures, 'listPatients', of)
    expect((await invoke(fixtures, 'listCases', of)).status).toBe(403)
    await projectAll(fixtures)
    const rows = await queryAsOwner(
      fixtures,
      sql`select u.operation, u.calls::int as calls, u.last_at > u.first_at as later
            from auth.operation_uses u join auth.credentials k on k.id = u.holder
           where k.name = ${name}`,
    )
    expect([...rows]).toEqual([{ operation: 'listPatients', calls: 2, later: true }])
  })

  test('is deleted with its consent', async () => {
    const agent = await issue()
    await call(agent.token)
    await projectAll(portal.fixtures)
    const uses = () =>
      queryAsOwner(
        portal.fixtures,
        sql`select from auth.operation_uses where holder = ${agent.family}`,
      )
    expect(await uses()).toHaveLength(1)
    await queryAsOwner(
      portal.fixtures,
      sql`delete from auth.token_families where id = ${agent.family}`,
    )
    expect(await uses()).toHaveLength(0)
  })

  test('after a week, lists unused scopes and suggests a narrower successor', async () => {
    const { fixtures } = portal
    const { integration } = fixtures.ada
    const name = `Wide ${newId('key')}`
    const scopes = ['patients:read', 'patients:write', 'cases:read'] as const
    await fixtures.key({ integration, mode: 'test', name, scopes })
    const [key] = await queryAsOwner<{ id: string }>(
      fixtures,
      sql`insert into auth.operation_uses (holder, operation, calls, first_at, last_at)
          select id, 'listPatients', 5, now() - interval '8 days', now()
            from auth.credentials where name = ${name} returning holder as id`,
    )
    const { browser, home } = await portal.signIn()
    const path = `${home}/test/keys/${key?.id}`
    const { text } = await browser.get(path)
    expect(text).toContain('<code>patients:write</code> and <code>cases:read</code>')
    const link = `${path}/rotate?scopes=patients%3Aread`
    expect(text).toContain(`href="${link}"`)
    const form = await browser.get(link)
    expect(form.text).toContain('value="patients:read" checked')
    expect(form.text).toMatch(/value="patients:write"\/?>/)
    await browser.submit(`${path}/rotate`, { scope: 'patients:read' })
    const successor = await queryAsOwner(
      fixtures,
      sql`select scopes from auth.credentials where name = ${name} order by id desc limit 1`,
    )
    expect([...successor]).toEqual([{ scopes: ['patients:read'] }])
  })
})
