// Tests the members pages: who belongs to an integration, and what its owners can change.
import { beforeEach, describe, expect, test } from 'bun:test'
import type { MemberRole } from '#contract/scopes.ts'
import { openIntegration } from '#auth/integrations.ts'
import { newId } from '#auth/ids.ts'
import { hiddenFields } from '#auth/testing/browser.ts'
import { queryAsOwner } from '#clinical/testing/assertions.ts'
import { sql, type Statement } from '#database/sql.ts'
import { usePortal } from '../../testing/portal.ts'

const portal = usePortal()

let integration: string
let owner: Awaited<ReturnType<typeof portal.signIn>>
const pathOf = (rest = '') => `/${integration}/test/members${rest}`
const join = (role: MemberRole) => portal.signIn({ role, integration })

beforeEach(async () => {
  const made = await portal.fixtures.owner.use(connection => openIntegration(connection, 'A brand'))
  integration = made.integration
  owner = await join('owner')
})

const query = (statement: Statement) => queryAsOwner(portal.fixtures, statement)
const roleOf = async (person: string) =>
  (
    await query(sql`
      select role from auth.members
       where integration = ${integration} and person = ${person} and removed_at is null`)
  )[0]?.['role']
/** A person's changes to members: action, target, and an error's code. */
const audited = async (actor: string) => {
  const rows = await query(sql`
    select action, target, code from audit.entries
     where actor = ${actor} and surface = 'portal' and integration = ${integration} order by at`)
  return rows.map(({ action, target, code }) => [action, target, code])
}

describe('inviting', () => {
  test('an invitation is emailed, listed and canceled, each with its audit row', async () => {
    await owner.browser.get(pathOf('/invite'))
    const page = await owner.browser.submit(pathOf('/invite'), {
      email: ' ben@example.com ',
      role: 'billing',
    })
    expect([page.status, page.url]).toEqual([200, pathOf()])
    expect(page.text).toContain('Open invitations')
    expect(page.text).toContain('ben@example.com')
    const [invitation] = await query(sql`
      select id, role from auth.invitations where integration = ${integration}`)
    expect(invitation?.['role']).toBe('billing')
    const path = pathOf(`/invitations/${invitation?.['id']}/cancel`)
    expect((await owner.browser.submit(path)).text).not.toContain('ben@example.com')
    expect(await audited(owner.person)).toEqual([
      ['inviteMember', invitation?.['id'], null],
      ['cancelInvitation', invitation?.['id'], null],
    ])
  })

  test('an invitation is sent again, and its first link stops working', async () => {
    await owner.browser.get(pathOf('/invite'))
    await owner.browser.submit(pathOf('/invite'), { email: 'ben@example.com', role: 'viewer' })
    await owner.browser.get(pathOf())
    await owner.browser.submit(pathOf('/invite'))
    const rows = await query(sql`
      select role, cancelled_at is null as is_open from auth.invitations
       where integration = ${integration} order by id`)
    expect(rows).toEqual([
      { role: 'viewer', is_open: false },
      { role: 'viewer', is_open: true },
    ])
  })

  test('a form submitted twice sends one invitation', async () => {
    const { text } = await owner.browser.get(pathOf('/invite'))
    const values = { email: 'ben@example.com', role: 'viewer' }
    const body = new URLSearchParams({ ...hiddenFields(text, pathOf('/invite')), ...values })
    for (let sent = 0; sent < 2; sent++) {
      const answer = await owner.browser.send(pathOf('/invite'), { method: 'POST', body })
      expect(answer.headers.get('location')).toBe(pathOf())
    }
    const rows = await query(sql`select from auth.invitations where integration = ${integration}`)
    expect(rows).toHaveLength(1)
  })

  test.each([
    ['ben', 'viewer', 'Enter a full email address'],
    ['', 'viewer', 'Enter an email address.'],
    [`${'a'.repeat(250)}@example.com`, 'viewer', 'Enter a full email address'],
    ['ben@example.com', 'admin', 'Choose a role'],
  ])('422 for %p as %s, with what was typed, and nothing is sent', async (email, role, says) => {
    await owner.browser.get(pathOf('/invite'))
    const page = await owner.browser.submit(pathOf('/invite'), { email, role })
    expect(page.status).toBe(422)
    expect(page.text).toContain(says)
    expect(page.text).toContain(email)
    expect(
      await query(sql`select from auth.invitations where integration = ${integration}`),
    ).toEqual([])
    expect(portal.failures).toEqual([])
  })

  test('an email address of 254 characters is invited; one of 255 isn’t', async () => {
    const addressOf = (count: number) =>
      `${'a'.repeat(64)}@${'d'.repeat(63)}.${'d'.repeat(63)}.${'d'.repeat(count - 197)}.com`
    for (const [count, status] of [
      [254, 200],
      [255, 422],
    ] as const) {
      const email = addressOf(count)
      expect(email).toHaveLength(count)
      await owner.browser.get(pathOf('/invite'))
      const page = await owner.browser.submit(pathOf('/invite'), { email, role: 'viewer' })
      expect([count, page.status]).toEqual([count, status])
    }
    expect(portal.failures).toEqual([])
  })

  test('409 for an existing member, whose role doesn’t change', async () => {
    const { person } = await join('viewer')
    const [member] = await query(sql`select email from auth.persons where id = ${person}`)
    await owner.browser.get(pathOf('/invite'))
    const page = await owner.browser.submit(pathOf('/invite'), {
      email: String(member?.['email']),
      role: 'owner',
    })
    expect(page.status).toBe(409)
    expect(page.text).toContain('already a member')
    expect(await roleOf(person)).toBe('viewer')
  })

  test('another integration’s invitation can’t be canceled', async () => {
    const other = await portal.fixtures.owner.use(connection =>
      openIntegration(connection, 'Other'),
    )
    const id = newId('invitation')
    await query(sql`
      insert into auth.invitations (id, integration, email, role)
      values (${id}, ${other.integration}, 'eve@example.com', 'viewer')`)
    await query(sql`
      insert into auth.invitations (id, integration, email, role)
      values (${newId('invitation')}, ${integration}, 'eve@example.com', 'viewer')`)
    const { text } = await owner.browser.get(pathOf())
    const own = /invitations\/(invt_\w+)\/cancel/.exec(text)?.[1] ?? ''
    expect(text).not.toContain(id)
    await owner.browser.submit(pathOf(`/invitations/${own}/cancel`))
    const [left] = await query(sql`select cancelled_at from auth.invitations where id = ${id}`)
    expect(left?.['cancelled_at']).toBeNull()
  })
})

describe('a member', () => {
  test('is given another role, with an audit row', async () => {
    const { person } = await join('viewer')
    await owner.browser.get(pathOf(`/${person}`))
    const page = await owner.browser.submit(pathOf(`/${person}/role`), { role: 'developer' })
    expect(page.url).toBe(pathOf())
    expect(await roleOf(person)).toBe('developer')
    expect(await audited(owner.person)).toEqual([['changeRole', person, null]])
  })

  test('is removed along with their agents and devices, and the page says how many', async () => {
    const { person, browser } = await join('developer')
    await query(sql`
      with client as (insert into auth.clients (id, kind, name)
        values (${`cli_${person}`}, 'registered', 'An agent')
      ), used as (insert into auth.operation_uses (holder, operation, calls, first_at, last_at)
        values (${`fam_${person}`}, 'listCases', 1, now(), now()))
      insert into auth.token_families (id, kind, client, person, integration, mode, scopes)
      values (${`fam_${person}`}, 'agent', ${`cli_${person}`}, ${person}, ${integration}, 'test', '{cases:read}')`)
    const { text } = await owner.browser.get(pathOf(`/${person}`))
    expect(text).toContain('1 agent')
    expect(text).toContain('“An agent”')
    await owner.browser.submit(pathOf(`/${person}/remove`))
    expect(await roleOf(person)).toBeUndefined()
    const [family] = await query(sql`
      select revoked_reason from auth.token_families where id = ${`fam_${person}`}`)
    expect(family?.['revoked_reason']).toBe('member_removed')
    expect((await browser.get(pathOf())).status).toBe(404)
  })

  test('the page says who is removed, and whether they have agents or devices', async () => {
    const { person } = await join('viewer')
    const other = await owner.browser.get(pathOf(`/${person}`))
    expect(other.text).toContain('Remove Ada')
    expect(other.text).toContain('No agents or devices act for this member')
    const own = await owner.browser.get(pathOf(`/${owner.person}`))
    expect(own.text).toContain('Leave account')
    expect(own.text).not.toContain('Remove Ada')
  })

  test('another integration’s member has no page', async () => {
    const other = await portal.signIn({ integration: portal.fixtures.ben.integration })
    expect((await owner.browser.get(pathOf(`/${other.person}`))).status).toBe(404)
  })

  test('a non-owner sees no forms for other members, and may leave', async () => {
    const { person, browser } = await join('viewer')
    const { text } = await browser.get(pathOf())
    expect(text).not.toContain(pathOf('/invite'))
    expect(text).not.toContain(pathOf(`/${owner.person}`))
    await browser.submit(pathOf('/leave'))
    expect(await roleOf(person)).toBeUndefined()
    expect(await audited(person)).toEqual([['removeMember', person, null]])
  })
})

test('an owner lets a developer change live endpoints for a day, and a new role ends that', async () => {
  const [developer, viewer] = [await join('developer'), await join('viewer')]
  const page = `/${integration}/live/webhooks/new`
  const status = async () => (await developer.browser.get(page)).status
  const allow = async (person: string) => {
    await owner.browser.get(pathOf(`/${person}`))
    return owner.browser.submit(pathOf(`/${person}/live`))
  }
  expect(await status()).toBe(403)
  expect((await allow(developer.person)).text).toContain('can change live endpoints until')
  expect(await status()).toBe(200)
  await query(sql`
    update auth.members set live_until = now() - interval '1 s' where person = ${developer.person}`)
  expect(await status()).toBe(403)
  await allow(developer.person)
  const role = (to: string) =>
    owner.browser.submit(pathOf(`/${developer.person}/role`), { role: to })
  await owner.browser.get(pathOf(`/${developer.person}`))
  await role('viewer')
  await owner.browser.get(pathOf(`/${developer.person}`))
  await role('developer')
  expect(await status()).toBe(403)
  expect((await owner.browser.get(pathOf(`/${viewer.person}`))).text).not.toContain(
    'Live endpoints',
  )
  expect(await audited(owner.person)).toContainEqual(['allowLiveChanges', developer.person, null])
})

describe('the last owner', () => {
  test('409, in words, when leaving or taking another role', async () => {
    await owner.browser.get(pathOf())
    const left = await owner.browser.submit(pathOf('/leave'))
    expect(left.status).toBe(409)
    expect(left.text).toContain('or close the account under Settings.')
    await owner.browser.get(pathOf(`/${owner.person}`))
    const demoted = await owner.browser.submit(pathOf(`/${owner.person}/role`), { role: 'viewer' })
    expect(demoted.status).toBe(409)
    expect(demoted.text).toContain('needs at least one owner')
    expect(await roleOf(owner.person)).toBe('owner')
    expect(await audited(owner.person)).toEqual([
      ['removeMember', owner.person, 'last_owner'],
      ['changeRole', owner.person, 'last_owner'],
    ])
  })
})
