// Tests an operator's emergency access through the command: it needs a second person, lasts an
// hour, and puts every statement in the audit log.
import { afterAll, beforeAll, beforeEach, expect, test } from 'bun:test'
import { SQL } from 'bun'
import { sqlState } from '#database/failures.ts'
import { openPool, type Row } from '#database/pool.ts'
import { verifierOf } from '#database/roles.ts'
import { sql } from '#database/sql.ts'
import { hire, openClinic } from '../testing/clinic.ts'
import { emailsTo } from '../testing/emails.ts'
import { closeEmergencies, runEmergency } from '../testing/emergency.ts'
import { openPeople, type TestPeople, type TestPerson } from '../testing/people.ts'
import { statementsOf } from './emergency-command.ts'

let people: TestPeople
let clinic: string
let other: string
let ada: TestPerson
let ben: TestPerson
let eve: TestPerson
beforeAll(async () => {
  people = await openPeople()
  ;[ada, ben, eve] = [await people.addPerson(), await people.addPerson(), await people.addPerson()]
  ;[clinic, other] = [await openClinic(people), await openClinic(people)]
  expect(await run('operator', ada.email)).toEqual([`${ada.email} is now an operator.`])
  await run('operator', ben.email)
  const integration = await people.addMember(ada)
  for (const organization of [clinic, other]) {
    await people.run(sql`
      with made as (insert into live.tenants (integration, organization)
                    values (${integration}, ${organization}) returning id)
      insert into live.events (tenant, id, type, resource_type, resource_id, status, created_at)
      select id, ${`evt_${organization}`}, 'case.created.v1', 'case', 'case_x', 'draft', now() from made`)
  }
})
afterAll(() => closeEmergencies(people))

const run = (...args: string[]) => runEmergency(people, args, () => statementsOf(lines))
let lines: AsyncIterable<string>
beforeEach(() => void (lines = from([])))
async function* from(all: readonly string[]) {
  yield* all
}
const as = (person: TestPerson) => ['--as', person.email, '--code', people.clock.nextCode(person)]
const says = (...args: string[]) => run(...args).catch((fault: Error) => fault.message)
const reason = ['--reason', 'Orders of the clinic are stuck.']
async function ask(of = clinic): Promise<string> {
  const [first = ''] = await run('ask', of, ...reason, ...as(ada))
  return first.split(' ')[0] ?? ''
}
async function approved(of = clinic): Promise<string> {
  const id = await ask(of)
  await run('approve', id, ...as(ben))
  return id
}
const roleOf = async (id: string) => {
  const [row] = await people.run<Row & { role: string; exists: boolean }>(sql`
    select role::text as role, exists (select from pg_roles where rolname = role) as exists
      from auth.operator_accesses where id = ${id}`)
  return row
}
const audit = (id: string) =>
  people.run<Row & { action: string; person: string; code: string | null }>(sql`
    select action, person, code from audit.entries where target = ${id} order by seq`)

test('emergency: without a second person, no role is created and no row is shown', async () => {
  const id = await ask()
  const events = ['read', id, ...as(ada), 'select * from events']
  expect(await says(...events)).toContain('No other operator has approved it yet.')
  expect(await says('approve', id, ...as(ada))).toContain('Another operator must')
  const code = ['--code', people.clock.nextCode(ada)]
  expect(await says('approve', id, '--as', ben.email, ...code)).toContain(
    'Wrong or already used code, or the account has no authenticator app.',
  )
  expect(await says('approve', id, '--as', ben.email)).toContain('Say who you are')
  expect(await says('approve', id, ...as(eve))).toContain('Only an operator can do this')
  expect(await roleOf(id)).toEqual({ role: null, exists: false } as never)
  const past = people.run(sql`
    update auth.operator_accesses set approved_by = asked_by, approved_at = now(), ends_at = now() - interval '1 ms',
           role = 'x' where id = ${id}`)
  expect(await past.catch(failure => sqlState(failure))).toBe('23514')
  expect([...(await audit(id))].map(row => [row.action, row.person, row.code])).toEqual([
    ['askOperatorAccess', ada.id, null],
    ['openOperatorAccess', ada.id, 'not_approved'],
    ['approveOperatorAccess', ada.id, 'own_request'],
    ['approveOperatorAccess', eve.id, 'operator_required'],
  ])
})

test('emergency: a code works once, and only operators can request access and name operators', async () => {
  const proof = as(ada)
  await run('ask', clinic, ...reason, ...proof)
  expect(await says('ask', clinic, ...reason, ...proof)).toContain('already used')
  expect(await says('ask', clinic, ...reason, ...as(eve))).toContain('Only an operator')
  expect(await says('ask', clinic, '--reason', 'short', ...as(ada))).toContain('--reason must have')
  expect(await says('operator', eve.email)).toContain('Say who you are with --as and --code.')
  expect(await says('operator', eve.email, '--remove', ...as(ada))).toBe(
    `${eve.email} isn't an operator. See: npm run admin -- emergency operators`,
  )
  expect(await says('operator', eve.email, ...as(eve))).toContain('Only an operator')
  expect(await says('operator', eve.email, ...as(ben))).toEqual([
    `${eve.email} is now an operator.`,
  ])
  expect(await run('operators')).toHaveLength(3)
  await run('operator', eve.email, '--remove', ...as(ada))
  expect(await run('operators')).toHaveLength(2)
})

test('emergency: every statement is audited before it runs, even if it fails', async () => {
  const admin = await hire(people, clinic, ['admin'])
  const id = await approved()
  expect(await emailsTo(people, admin.email)).toMatchObject([{ kind: 'operator_access_approved' }])
  const all = ['select id from events', 'select nothing from events', 'select 1 as n']
  lines = from(['select id', '  from events;', 'select nothing from events;', 'select 1 as n'])
  expect(await run('read', id, ...as(ada))).toEqual([
    JSON.stringify({ id: `evt_${clinic}` }),
    expect.stringMatching(/^refused: .*nothing/),
    JSON.stringify({ n: 1 }),
  ])
  const seen = await run('read', id, ...as(ada), all[0] ?? '')
  expect(seen).toEqual([JSON.stringify({ id: `evt_${clinic}` })])
  const shown = await run('show', id)
  expect(shown.map(line => line.slice(26))).toEqual([...all, all[0]].map(one => `${one}`))
  const [{ rows, same } = { rows: 0, same: 0 }] = await people.run<
    Row & { rows: number; same: number }
  >(sql`
    select count(*)::int as rows,
           count(*) filter (where e.shape = encode(sha256(convert_to(s.statement, 'utf8')), 'hex')
             and e.organization = ${clinic} and e.person = ${ada.id})::int as same
      from audit.statements s join audit.entries e on e.target = s.id where s.access = ${id}`)
  expect([rows, same]).toEqual([4, 4])
  const changed = people.run(sql`update audit.statements set statement = 'x'`)
  expect(await changed.catch(failure => sqlState(failure))).toBe('42501')
  expect(await says('read', id, ...as(ben), 'select 1')).toContain('No open access has this ID')
})

test('emergency: the role reads only one clinic, and each statement is one read-only query', async () => {
  const id = await approved()
  const { role = '' } = (await roleOf(id)) ?? {}
  const [times] = await people.run<Row & { hours: number; valid: boolean }>(sql`
    select extract(epoch from ends_at - approved_at)::float8 / 3600 as hours,
           (select rolvaliduntil = ends_at from pg_roles where rolname = role) as valid
      from auth.operator_accesses where id = ${id}`)
  expect(times).toEqual({ hours: 1, valid: true })
  // Another access, to another clinic, is open at the same time.
  await approved(other)
  expect((await run('list')).some(line => line.startsWith(`${id}  open until 2`))).toBe(true)
  const tenants = 'select distinct organization from tenants'
  expect(await run('read', id, ...as(ada), tenants)).toEqual([
    JSON.stringify({ organization: clinic }),
  ])
  for (const statement of [
    `alter role ${role} password 'mine'`,
    `select 1) r; alter role ${role} password 'mine'; select (1`,
    'set default_transaction_read_only = off',
    'do $$ begin commit; end $$',
    'delete from events returning 1',
    'with gone as (delete from events returning 1) select * from gone',
    `select query_to_xml('alter role ${role} password ''mine''', true, true, '')`,
    'select * from auth.credentials',
    'select * from auth.operator_accesses',
    'select * from audit.entries',
    'select * from test.events',
    'select * from idempotency_keys',
    "select set_config('transaction_read_only', 'off', true)",
  ]) {
    const answer = await run('read', id, ...as(ada), statement).then(
      () => 'succeeded',
      failure => sqlState(failure.cause) ?? String(failure),
    )
    expect([
      statement,
      ['42501', '42601', '25006', '0A000', '25001'].includes(answer),
      answer,
    ]).toEqual([statement, true, answer])
  }
  const [rights] = await people.run<
    Row & { mighty: boolean; secret: boolean; rights: string[] }
  >(sql`
    select rolsuper or rolbypassrls or rolcreaterole or rolcreatedb or rolreplication as mighty,
           (select passwd is not null from pg_shadow where usename = rolname) as secret,
           array(select distinct privilege_type::text from information_schema.role_table_grants
                  where grantee in ('app_operator', rolname)) as rights
      from pg_roles where rolname = ${role}`)
  expect(rights).toEqual({ mighty: false, secret: false, rights: ['SELECT'] })
})

test('emergency: an open session reads nothing after the access ends, and the worker removes the role', async () => {
  const id = await approved()
  const { role = '' } = (await roleOf(id)) ?? {}
  await people.run(
    sql`select auth.open_operator_role(${id}, ${verifierOf('known')}, ${JSON.stringify({
      surface: 'cli',
      request: 'req_x',
      person: ada.id,
    })}::text::jsonb)`,
  )
  const url = new URL(people.database.url)
  ;[url.username, url.password] = [role, 'known']
  const open = new SQL(url.href, { max: 1 })
  const count = async () => (await open`select count(*)::int as n from live.events`)[0].n
  expect(await count()).toBe(1)
  await people.run(sql`
    update auth.operator_accesses set approved_at = now() - interval '2 hours',
           ends_at = now() - interval '1 hour' where id = ${id}`)
  expect(await count()).toBe(0)
  expect(await says('read', id, ...as(ada), 'select 1')).toContain('This access has ended')
  const worker = openPool({ url: people.database.urls.worker_live, size: 2, name: 'worker' })
  const remove = () => worker.use(one => one.run(sql`select auth.remove_operator_roles()`))
  await Promise.all([remove(), remove()])
  expect(await roleOf(id)).toEqual({ role, exists: false })
  expect(await count().catch(() => 'closed')).toBe('closed')
  await Promise.all([worker.close(), open.close()])
})

test('emergency: one of two simultaneous approvals counts, and an ended access is not approved', async () => {
  await run('operator', eve.email, ...as(ada))
  const id = await ask()
  const proofs = [as(ben), as(eve)]
  const two = await Promise.all(proofs.map(proof => says('approve', id, ...proof)))
  expect(two.filter(one => Array.isArray(one))).toHaveLength(1)
  expect(await run('end', id)).toEqual([`Ended ${id} and removed its role.`])
  expect((await roleOf(id))?.exists).toBe(false)
  expect(await says('end', id)).toContain('No open access has this ID')
  const late = await ask()
  await run('end', late)
  expect(await says('approve', late, ...as(ben))).toContain('No open access has this ID')
  const listed = await run('list')
  expect(listed[0]).toBe(`${late}  over  ${clinic} River Clinic`)
  expect(listed[1]).toMatch(/^  requested \d{4}-.* by Ada: Orders of the clinic are stuck\.$/)
  expect(listed[2]).toBe(`${id}  over  ${clinic} River Clinic`)
  expect(listed[4]).toMatch(/^  approved \d{4}-.* by Ada$/)
  expect(listed.filter(line => line.startsWith('opa_')).length).toBe(
    new Set(listed.filter(line => line.startsWith('opa_'))).size,
  )
  for (const wrong of [['read'], ['approve'], ['end', id, 'x'], ['operators', 'x'], ['x', id]]) {
    expect([wrong, String(await says(...wrong)).includes("doesn't match any usage")]).toEqual([
      wrong,
      true,
    ])
  }
})
