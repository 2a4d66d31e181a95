// Tests the command `npm run admin -- grants`.
import { afterAll, beforeAll, expect, test } from 'bun:test'
import { openPeople, type TestPeople } from '../testing/people.ts'
import { sql } from '#database/sql.ts'
import { grantsCommand } from './grants-command.ts'
import { requestGrant } from './grants.ts'

let people: TestPeople
beforeAll(async () => void (people = await openPeople()))
afterAll(() => people.close())

const run = (...args: string[]) =>
  people.owner.use(connection => grantsCommand(args, { connection }))
const says = (...args: string[]) => run(...args).catch((fault: Error) => fault.message)

const incident = ['--incident-email', 'incidents@example.com']

/** A new integration's request to a new clinic. */
async function ask(slug: string) {
  const ada = await people.addPerson(false)
  const integration = await people.addMember(ada)
  const made = await run('clinic', '--name', 'Example Clinic', '--slug', slug, ...incident)
  const organization = made.split(' ')[0] ?? ''
  const { id } = await people.pool.use(connection =>
    requestGrant(
      connection,
      { integration, organization, scopes: ['patients:read', 'cases:read'], note: 'For cases.' },
      { surface: 'portal', request: 'req_x', person: ada.id },
    ),
  )
  return { ada, id, organization, integration }
}

test('grants: creates a clinic, lists it, and refuses a taken or invalid slug', async () => {
  expect(await run('clinics')).toContain('No clinics yet')
  const { organization } = await ask('first-clinic')
  expect(await run('clinics')).toBe(`${organization}  active  first-clinic  Example Clinic`)
  expect(await says('clinic', '--name', 'Second', '--slug', 'first-clinic')).toContain('is taken')
  expect(await says('clinic', '--name', 'Second', '--slug', 'No slug')).toContain('--slug must be')
  const long = 'a'.repeat(63)
  expect(await says('clinic', '--name', 'Long', '--slug', `${long}a`)).toContain('--slug must be')
  expect(await run('clinic', '--name', 'Long', '--slug', long)).toContain('is Long.')
  const wrong = ['clinic', '--name', 'A', '--slug', 'a', '--incident-email', 'none']
  expect(await says(...wrong)).toContain('--incident-email must be')
  expect(await says('clinic', '--slug', 'no-name')).toContain('--name')
  // A clinic can't take a sandbox's slug.
  expect(await run('clinic', '--name', 'Harbor', '--slug', 'harbor-sandbox')).toContain(
    'is Harbor.',
  )
})

test('grants: lists requested and granted scopes and notes, even for a single grant', async () => {
  await people.run(sql`delete from auth.grants`)
  expect(await run('list')).toBe('No live requests or grants.')
  const { id, organization, integration } = await ask('listed-clinic')
  await people.run(sql`
    update auth.grants set created_at = '2026-11-03T10:00Z', lapses_at = '2999-12-03T10:00Z',
           note = 'For\ncases.' where id = ${id}`)
  const [{ name } = { name: '' }] = await people.run<{ name: string }>(
    sql`select name from auth.integrations where id = ${integration}`,
  )
  const between = `  ${integration} ${name} → ${organization} Example Clinic`
  const asked = '  requested: patients:read, cases:read'
  expect((await run('list')).split('\n')).toEqual([
    `${id}  pending  requested 2026-11-03 by Ada, expires 2999-12-03`,
    between,
    asked,
    '  note: For cases.',
  ])
  const decider = await people.addPerson(false)
  await run('approve', id, '--by', decider.email, '--scopes', 'cases:read')
  const decided = sql`decided_at = '2026-11-04T10:00Z', note = null`
  await people.run(sql`update auth.grants set ${decided} where id = ${id}`)
  expect((await run('list')).split('\n')).toEqual([
    `${id}  active  since 2026-11-04`,
    between,
    asked,
    '  granted: cases:read',
  ])
  await run('revoke', id, '--by', decider.email)
  await people.run(sql`update auth.grants set ended_at = '2026-11-05T10:00Z' where id = ${id}`)
  expect((await run('list')).split('\n')[0]).toBe(`${id}  revoked  since 2026-11-05`)
})

test('grants: lists every clinic', async () => {
  await people.run(sql`
    insert into auth.organizations (id, name, slug)
    select 'org_0' || lpad(n::text, 25, '0'), 'Clinic', 'of-many-' || n
      from generate_series(1, 1001) n`)
  expect((await run('clinics')).match(/^org_0{5}\d+ /gm)).toHaveLength(1001)
  await people.run(sql`delete from auth.organizations where slug like 'of-many-%'`)
})

test('grants: lists every request, and approves the oldest', async () => {
  const { id, organization, integration } = await ask('busy-clinic')
  await people.run(sql`update auth.grants set created_at = '2026-01-01' where id = ${id}`)
  await people.run(sql`
    with made as (
      insert into auth.integrations (id, name)
      select 'int_0' || lpad(n::text, 25, '0'), 'Brand' from generate_series(1, 501) n returning id)
    insert into auth.grants (id, integration, organization, mode, scopes, status)
    select replace(id, 'int_', 'grant_'), id, ${organization}, 'live', '{}', 'active' from made`)
  expect((await run('list')).match(/^grant_0{5}\d+ /gm)).toHaveLength(501)
  const decider = await people.addPerson(false)
  expect(await run('approve', id, '--by', decider.email)).toContain('patients:read, cases:read')
  await people.run(sql`delete from auth.grants where integration <> ${integration}`)
})

test('grants: an unknown command is refused', async () => {
  for (const wrong of [
    ['clinics', 'x'],
    ['clinic', 'x'],
    ['list', 'x'],
    ['approve'],
    ['approve', 'x', 'y'],
    ['give', 'x'],
    ['give'],
  ]) {
    expect(await says(...wrong)).toBe(`"${wrong.join(' ')}" doesn't match any usage below.`)
  }
})

test('grants: approves the requested scopes, with a note of a thousand characters', async () => {
  const decider = await people.addPerson(false)
  await ask('another-clinic')
  const { id, integration, ada } = await ask('narrow-clinic')
  const narrow = await run('clinic', '--name', 'Narrow', '--slug', 'narrow', ...incident)
  const made = await people.pool.use(connection =>
    requestGrant(
      connection,
      {
        integration,
        organization: narrow.split(' ')[0] ?? '',
        scopes: ['events:read'],
        note: '',
      },
      { surface: 'portal', request: 'req_x', person: ada.id },
    ),
  )
  const by = ['--by', decider.email]
  const note = (length: number) => ['--note', 'x'.repeat(length)]
  expect(await says('approve', made.id, ...by, ...note(1001))).toBe(
    '--note must have at most 1000 characters.',
  )
  expect(await run('approve', made.id, ...by, ...note(1000))).toBe(
    `Approved ${made.id} with events:read.`,
  )
  expect(await run('approve', id, ...by)).toBe(`Approved ${id} with patients:read, cases:read.`)
})

test('grants: invites the first administrator of a clinic by email', async () => {
  const { organization } = await ask('clinic-of-an-admin')
  const email = ['--email', 'admin@example.com']
  expect(await run('invite', organization, ...email)).toContain('Invited')
  const [sent] = await people.run<{ facts: object }>(sql`
    select facts::jsonb as facts from site.emails where kind = 'staff_invitation'`)
  expect(sent?.facts).toMatchObject({ email: 'admin@example.com', roles: ['admin'], by: null })
  expect(await says('invite', 'org_none', ...email)).toContain('No clinic has this ID')
  expect(await says('invite', organization, '--email', 'no address')).toContain('--email must be')
})

test('grants: approves part of a request for a named person, who is audited', async () => {
  const { id, organization, integration } = await ask('second-clinic')
  const decider = await people.addPerson(false)
  const listed = await run('list')
  expect(listed).toContain(`${id}  pending`)
  expect(listed).toContain('requested: patients:read, cases:read')
  const by = ['--by', decider.email.toUpperCase()]
  expect(await run('approve', id, ...by, '--scopes', 'cases:read')).toContain('with cases:read.')
  expect(await run('list')).toContain('granted: cases:read')
  const [row] = await people.run(sql`
    select action, surface, actor, integration from audit.entries
     where target = ${id} and action = 'approveGrant'`)
  expect(row).toEqual({ action: 'approveGrant', surface: 'cli', actor: decider.id, integration })
  expect(await run('revoke', id, ...by)).toContain('Revoked')
  expect(await says('revoke', id, ...by)).toContain('npm run admin -- grants list')
  expect(organization).toStartWith('org_')
})

test('grants: approves everything requested, or declines', async () => {
  const decider = await people.addPerson(false)
  const [all, none] = [await ask('third-clinic'), await ask('fourth-clinic')]
  expect(await run('approve', all.id, '--by', decider.email)).toContain('cases:read')
  expect(await run('decline', none.id, '--by', decider.email, '--note', 'Not now.')).toContain(
    'Declined',
  )
  const rows = await people.run(sql`
    select status, scopes, decision_note from auth.grants where id in (${all.id}, ${none.id})
     order by status`)
  expect([...rows]).toEqual([
    { status: 'active', scopes: ['patients:read', 'cases:read'], decision_note: null },
    { status: 'declined', scopes: [], decision_note: 'Not now.' },
  ])
})

test('grants: refuses a decision by a member, an unknown person, or nobody', async () => {
  const { ada, id } = await ask('fifth-clinic')
  expect(await says('approve', id, '--by', ada.email)).toContain("can't decide its grant")
  expect(await says('approve', id, '--by', 'unknown@example.com')).toContain('--by must be')
  expect(await says('approve', id)).toContain('Say who decides')
  const scopes = ['--scopes', 'visits:write']
  const decider = await people.addPerson(false)
  expect(await says('approve', id, '--by', decider.email, ...scopes)).toContain(
    'among the requested ones',
  )
  expect(await says('give', id)).toContain('"give')
})

test('grants: confirms an only administrator who recovered their account, by email', async () => {
  const { organization } = await ask('recovered-clinic')
  const [other, eve] = [await people.addPerson(false), await people.addPerson(false)]
  // Only ASCII letters match in any case.
  await people.run(sql`update auth.persons set email = 'élise@example.com' where id = ${other.id}`)
  await people.run(sql`update auth.persons set email = 'Élise@Example.com' where id = ${eve.id}`)
  await people.run(sql`
    insert into auth.staff (organization, person, name, roles, recovered_at)
    values (${organization}, ${eve.id}, 'Eve', '{admin}', now())`)
  const confirm = ['confirm', organization, '--email', 'Élise@example.com']
  expect(await says('confirm', organization, '--email', 'none@example.com')).toContain(
    'needs confirmation',
  )
  expect(await run(...confirm)).toContain('Restored the roles of Élise@example.com')
  expect(await says(...confirm)).toContain('No staff account with this email')
})
