// Tests the administrator pages, in a browser without scripts.

import { beforeAll, describe, expect, test } from 'bun:test'
import { type FormValues, hiddenFields, type TestBrowser } from '#auth/testing/browser.ts'
import { newId } from '#auth/ids.ts'
import { queryAsOwner } from '#clinical/testing/assertions.ts'
import { minoxidil, semaglutide } from '#clinical/testing/call.ts'
import type { Row } from '#database/pool.ts'
import { sql } from '#database/sql.ts'
import { useConsolePages } from '../../testing/console.ts'

const pages = useConsolePages()
const run = <R extends Row>(statement: ReturnType<typeof sql>) =>
  queryAsOwner<R>(pages.fixtures, statement)

type Signed = Awaited<ReturnType<typeof pages.signIn>>
let admin: Signed
beforeAll(async () => {
  admin = await pages.signIn({ roles: ['admin'] })
})

/** Submits a page's form with checkboxes checked. */
async function send(
  { browser, home }: Signed,
  [page, form]: readonly [string, string],
  values: FormValues = {},
  ticked: readonly (readonly [string, string])[] = [],
) {
  const shown = await browser.get(`${home}${page}`)
  expect([page, shown.status]).toEqual([page, 200])
  const fields = { ...hiddenFields(shown.text, `${home}${form}`), ...values }
  const body = new URLSearchParams(fields)
  for (const [name, value] of ticked) body.append(name, value)
  const answer = await browser.send(`${home}${form}`, { method: 'POST', body })
  // The next page confirms the change.
  const next = answer.headers.get('location')
  if (next !== null) expect((await browser.get(next)).text).toContain('role="status"')
  return { status: answer.status, text: await answer.text() }
}
const show = ({ browser, home }: { browser: TestBrowser; home: string }, page: string) =>
  browser.get(`${home}${page}`)

async function request(scopes = ['patients:read', 'cases:read']): Promise<string> {
  const [id, integration] = [newId('grant'), newId('integration')]
  await run(
    sql`insert into auth.integrations (id, name) values (${integration}, 'River <b>Care</b>')`,
  )
  await run(sql`
    insert into auth.grants (id, integration, organization, mode, scopes, status, requested_scopes,
                             note, lapses_at)
    values (${id}, ${integration}, ${pages.fixtures.clinic}, 'live', '{}', 'pending',
            ${scopes}::text[], 'For our members.', now() + interval '30 days')`)
  return id
}
const grantOf = async (id: string) => {
  const [row] = await run<{ status: string; scopes: string[]; note: string | null }>(
    sql`select status, scopes, decision_note as note from auth.grants where id = ${id}`,
  )
  return row
}
const scope = (name: string) => ['scope', name] as const
const role = (name: string) => ['role', name] as const
const medication = (id: string) => ['medication', id] as const

describe('grants', () => {
  test('a request is shown in words with its note, and part of it is approved with a note', async () => {
    const id = await request()
    const list = await show(admin, '/grants')
    expect(list.text).toContain('River &lt;b>Care&lt;/b>')
    const page = await show(admin, `/grants/${id}`)
    expect(page.text).toContain('For our members.')
    expect(page.text).toContain('None in effect')
    expect(page.text).toMatch(/Read patients/i)
    const form = [`/grants/${id}`, `/grants/${id}/decide`] as const
    const sent = await send(admin, form, { note: 'Cases only.' }, [scope('cases:read')])
    expect(sent.status).toBe(303)
    expect(await grantOf(id)).toEqual({
      status: 'active',
      scopes: ['cases:read'],
      note: 'Cases only.',
    })
    expect((await show(admin, `/grants/${id}`)).text).toContain('Cases only.')
    const revoked = await send(admin, [`/grants/${id}`, `/grants/${id}/revoke`])
    expect(revoked.status).toBe(303)
    expect((await grantOf(id))?.status).toBe('revoked')
  })

  test('a request can be declined with any boxes checked; approving with none is refused', async () => {
    const id = await request()
    const form = [`/grants/${id}`, `/grants/${id}/decide`] as const
    const none = await send(admin, form, { note: 'Kept text' })
    expect([
      none.status,
      none.text.includes('at least one'),
      none.text.includes('Kept text'),
    ]).toEqual([409, true, true])
    await send(admin, form, { decision: 'decline' }, [scope('cases:read')])
    expect((await grantOf(id))?.status).toBe('declined')
  })

  test('a scope that wasn’t requested is refused, and nothing is granted', async () => {
    const id = await request()
    const form = [`/grants/${id}`, `/grants/${id}/decide`] as const
    for (const other of ['orders:read', 'charts:burn']) {
      const ticked = [scope('cases:read'), scope(other)]
      const { status, text } = await send(admin, form, { note: 'Kept text' }, ticked)
      expect([other, status]).toEqual([other, 409])
      expect(text).toContain('This request doesn’t include every scope you chose.')
      expect(text).toContain('Kept text')
      expect(text).toMatch(/value="cases:read" checked/)
    }
    expect(await grantOf(id)).toEqual({ status: 'pending', scopes: [], note: null })
  })

  test('the list says who ended a grant, and names nobody for a request that nobody decided', async () => {
    const other = await pages.signIn({ roles: ['admin'] })
    const nameOf = async ({ person }: Signed) =>
      (
        await run<{ name: string }>(sql`
        update auth.persons set name = ${`Admin ${person}`} where id = ${person} returning name`)
      )[0]?.name ?? ''
    const [approver, revoker] = [await nameOf(admin), await nameOf(other)]
    const [revoked, expired] = [await request(), await request()]
    await send(admin, [`/grants/${revoked}`, `/grants/${revoked}/decide`], {}, [
      scope('cases:read'),
    ])
    await send(other, [`/grants/${revoked}`, `/grants/${revoked}/revoke`])
    await run(
      sql`update auth.grants set lapses_at = now() - interval '1 hour' where id = ${expired}`,
    )
    const { text } = await show(admin, '/grants')
    const rowOf = (id: string) =>
      text.split('<tr').find(row => row.includes(`/grants/${id}"`)) ?? ''
    expect(rowOf(revoked)).toContain(revoker)
    expect(rowOf(revoked)).not.toContain(approver)
    expect(rowOf(expired)).toContain('Expired')
    expect(rowOf(expired)).not.toContain('Operator')
    const page = (await show(admin, `/grants/${revoked}`)).text
    expect([page.includes(approver), page.includes(revoker)]).toEqual([true, true])
  })

  test('another clinic’s request: 404', async () => {
    const id = await request()
    await run(sql`
      insert into auth.organizations (id, name, slug) values ('org_other', 'Other', 'other')`)
    await run(sql`update auth.grants set organization = 'org_other' where id = ${id}`)
    expect((await show(admin, `/grants/${id}`)).status).toBe(404)
  })
})

describe('staff', () => {
  test('a person is invited, and the invitation is canceled', async () => {
    const form = ['/staff/invite', '/staff/invite'] as const
    const refused = await send(admin, form, { email: 'no address' })
    expect(refused.status).toBe(422)
    expect(refused.text).toContain('Choose at least one role.')
    const sent = await send(admin, form, { email: 'noor@example.com' }, [
      role('nurse'),
      role('pharmacy'),
    ])
    expect(sent.status).toBe(303)
    expect((await show(admin, '/staff')).text).toContain('noor@example.com')
    const [row] = await run<{ id: string; roles: string[] }>(
      sql`select id, roles from auth.invitations where email = 'noor@example.com'`,
    )
    expect(row?.roles).toEqual(['nurse', 'pharmacy'])
    await send(admin, ['/staff', `/staff/invitations/${row?.id}/cancel`])
    expect((await show(admin, '/staff')).text).not.toContain('noor@example.com')
  })

  test('an invitation that was accepted in the meantime isn’t said to be canceled', async () => {
    const id = newId('invitation')
    await run(sql`
      insert into auth.invitations (id, organization, email, roles, accepted_by, accepted_at)
      values (${id}, ${admin.organization}, 'ola@example.com', '{nurse}', ${admin.person}, now())`)
    const late = await admin.sendForm(`${admin.home}/staff/invitations/${id}/cancel`)
    expect(late.status).toBe(409)
    expect(await late.text()).toContain('isn’t open anymore, so nothing was canceled.')
  })

  test('roles and a license are changed; an outdated form is refused', async () => {
    const { person } = await pages.signIn({ roles: ['nurse'] })
    const page = `/staff/${person}`
    const stale = await show(admin, page)
    const fields = hiddenFields(stale.text, `${admin.home}${page}/roles`)
    const changed = await send(admin, [page, `${page}/roles`], { name: 'Noor Haddad, RN' }, [
      role('nurse'),
      role('records'),
    ])
    expect(changed.status).toBe(303)
    const body = new URLSearchParams({ ...fields, name: 'Old', role: 'auditor' })
    const late = await admin.browser.send(`${admin.home}${page}/roles`, { method: 'POST', body })
    const kept = await late.text()
    expect([late.status, kept.includes('nothing was saved')]).toEqual([409, true])
    // The typed text appears next to the saved text, so neither is lost.
    expect(kept).toContain('value="Old"')
    expect(kept).toContain('Currently saved: “Noor Haddad, RN”.')
    expect(kept).toContain('Currently saved: “nurse and records”.')
    expect(kept).toMatch(/id="role-auditor" value="auditor" checked/)
    const license = { state: 'CA', number: 'RN 1', expires_on: 'soon' }
    const bad = await send(admin, [page, `${page}/licenses`], license)
    expect([bad.status, bad.text.includes('Enter an expiration date')]).toEqual([422, true])
    await send(admin, [page, `${page}/licenses`], { ...license, expires_on: '2020-01-31' })
    expect((await show(admin, page)).text).toContain('Expired')
    await send(admin, [page, `${page}/licenses/remove`])
    const [row] = await run(sql`
      select name, roles, (select count(*)::int from auth.licenses l where l.person = s.person) as licenses
        from auth.staff s where person = ${person}`)
    expect(row).toEqual({ name: 'Noor Haddad, RN', roles: ['nurse', 'records'], licenses: 0 })
  })

  test('a deactivated member can’t open the clinic’s pages', async () => {
    const nurse = await pages.signIn({ roles: ['nurse'] })
    expect((await show(nurse, '/queue')).status).toBe(200)
    const page = `/staff/${nurse.person}`
    await send(admin, [page, `${page}/deactivate`])
    expect((await show(nurse, '/queue')).status).toBe(404)
    expect((await show(admin, page)).status).toBe(404)
  })

  test('the last administrator can’t leave, and can’t give themself a role', async () => {
    const organization = newId('organization')
    await run(sql`
      insert into auth.organizations (id, name, slug) values (${organization}, 'Small', 'small')`)
    const only = await pages.signIn({ roles: ['admin'], organization })
    const page = `/staff/${only.person}`
    const left = await send(only, [page, `${page}/deactivate`])
    expect([left.status, left.text.includes('at least one administrator')]).toEqual([409, true])
    const given = await send(only, [page, `${page}/roles`], { name: 'Ada' }, [
      role('admin'),
      role('records'),
    ])
    expect([given.status, given.text.includes('Ask another administrator')]).toEqual([409, true])
  })
})

test('formulary: some entries are saved, no entries are refused, and the whole catalog is saved again', async () => {
  const form = ['/formulary', '/formulary'] as const
  const formulary = async () => {
    const [row] = await run<{ formulary: string[] | null }>(
      sql`select formulary from auth.organizations where id = ${pages.fixtures.clinic}`,
    )
    return row?.formulary
  }
  expect((await send(admin, form)).status).toBe(422)
  const outdated = [medication(minoxidil), medication(semaglutide), medication('med_x')]
  const unknown = await send(admin, form, {}, outdated)
  expect([unknown.status, await formulary()]).toEqual([422, null])
  expect(unknown.text).toContain('The catalog changed after you opened this page.')
  expect(unknown.text).toContain(`value="${minoxidil}" checked`)
  await send(admin, form, {}, [medication(minoxidil), medication(semaglutide)])
  expect(await formulary()).toEqual([semaglutide, minoxidil])
  await run(sql`
    update auth.organizations set formulary = array_append(formulary, 'med_former')
     where id = ${pages.fixtures.clinic}`)
  expect((await show(admin, '/formulary')).text).toContain('2 of 40 medications')
  await send(admin, form, { all: 'yes' })
  expect(await formulary()).toBeNull()

  const { text } = await show(admin, '/formulary')
  const fields = hiddenFields(text, `${admin.home}/formulary`)
  await send(admin, form, {}, [medication(semaglutide)])
  const body = new URLSearchParams({ ...fields, medication: minoxidil })
  const late = await admin.browser.send(`${admin.home}/formulary`, { method: 'POST', body })
  const kept = await late.text()
  expect([late.status, await formulary()]).toEqual([409, [semaglutide]])
  const entryOf = (id: string) => kept.slice(kept.indexOf(`id="${id}"`)).split('</div>')[0]
  expect(entryOf(minoxidil)).toContain(' checked')
  expect(entryOf(minoxidil)).toContain('Saved as not dispensed.')
  expect(entryOf(semaglutide)).not.toContain(' checked')
  expect(entryOf(semaglutide)).toContain('Saved as dispensed.')
  await send(admin, form, { all: 'yes' })
})

test('settings are changed, and errors appear next to the typed text', async () => {
  const form = ['/settings', '/settings'] as const
  const given = { name: 'River Clinic', time_zone: 'Mars/Base', contact_email: 'front@example.com' }
  const bad = await send(admin, form, given)
  expect([
    bad.status,
    bad.text.includes('Choose a time zone'),
    bad.text.includes('Mars/Base'),
  ]).toEqual([422, true, true])
  // The clinic is live, so it needs an incident email.
  const silent = await send(admin, form, { ...given, time_zone: 'America/Denver' })
  expect([silent.status, silent.text.includes('A live clinic needs one')]).toEqual([422, true])
  const kept = { incident_email: 'incidents@example.com' }
  const good = await send(admin, form, { ...given, ...kept, time_zone: 'America/Denver' })
  expect(good.status).toBe(303)
  expect((await show(admin, '/settings')).text).toContain('America/Denver')
})

test('no administrator page had an internal error', () => {
  expect(pages.failures).toEqual([])
})
