// Destroying records: when a record is due, what keeps a record from being destroyed, and that
// nothing else is touched.

import { beforeAll, expect, test } from 'bun:test'
import { constantFrom, date, integer, oneof, sample, tuple } from 'fast-check'
import { sql } from '#database/sql.ts'
import { queryAsOwner } from '../testing/assertions.ts'
import { invoke, invokeOk, queuedCase } from '../testing/call.ts'
import { consoleBodies } from '../testing/console-calls.ts'
import { useFixtures } from '../testing/fixtures.ts'
import { type StaffMember, useConsole } from '../testing/staff.ts'
import { retentionJob } from './retention-job.ts'

const fixtures = useFixtures()
const staff = useConsole(fixtures)

let records: StaffMember
beforeAll(async () => {
  records = await staff.hire(['records'])
  await setPolicy(10, 28)
})

const setPolicy = (years: number, minorAge: number, starts = '-1 day') =>
  queryAsOwner(
    fixtures,
    sql`insert into auth.retention_policies (organization, years, minor_age, starts_at)
        values (${fixtures.clinic}, ${years}::int, ${minorAge}::int, now() + ${starts}::interval)
            on conflict (organization) do update set years = excluded.years,
               minor_age = excluded.minor_age, starts_at = excluded.starts_at`,
  )

/** Creates a patient with a withdrawn case, with all rows this old. */
async function oldRecord(age: string, born = '1970-01-01') {
  const as = fixtures.ada.live
  const { id, patient } = await queuedCase(fixtures, as)
  await invokeOk(fixtures, 'withdrawCase', { as, id })
  for (const statement of [
    sql`update live.patients set created_at = now() - ${age}::interval,
               updated_at = now() - ${age}::interval, date_of_birth = ${born}::date
         where id = ${patient}`,
    sql`alter table live.consents no force row level security`,
    sql`update live.consents set created_at = now() - ${age}::interval where patient = ${patient}`,
    sql`alter table live.consents force row level security`,
    sql`update live.cases set updated_at = now() - ${age}::interval where id = ${id}`,
  ]) {
    await queryAsOwner(fixtures, statement)
  }
  return { id, patient }
}

const run = () => retentionJob.run(fixtures.workerContext, ['live'], () => null)

const exists = async (patient: string) =>
  (await invoke(fixtures, 'getPatient', { as: fixtures.ada.live, id: patient })).status === 200

test('retention: a record past the policy is destroyed, with an audit row that has no patient value', async () => {
  const old = await oldRecord('10 years 2 days')
  const young = await oldRecord('9 years 364 days')
  await run()
  expect([await exists(old.patient), await exists(young.patient)]).toEqual([false, true])
  const left = await queryAsOwner(
    fixtures,
    sql`select 1 from live.cases where id = ${old.id} union all
        select 1 from live.consents where patient = ${old.patient}`,
  )
  expect(left).toEqual([])
  const [row] = await queryAsOwner<{ text: string; rows: object }>(
    fixtures,
    sql`select d::text as text, rows from records.destructions d where patient = ${old.patient}`,
  )
  expect(row?.rows).toMatchObject({ cases: 1, consents: 2, messages: 0, holds: 0 })
  expect(row?.text).not.toMatch(/1970|Rivera/i)
  const audit = await queryAsOwner(
    fixtures,
    sql`select actor, surface, organization from audit.entries
         where action = 'destroyRecord' and target = ${old.patient}`,
  )
  expect(audit).toEqual([{ actor: 'worker', surface: 'worker', organization: fixtures.clinic }])
})

test('retention: a minor’s record is kept until the policy’s age', async () => {
  const day = (years: number, days: number) =>
    new Date(
      Date.UTC(
        new Date().getUTCFullYear() - years,
        new Date().getUTCMonth(),
        new Date().getUTCDate() + days,
      ),
    )
      .toISOString()
      .slice(0, 10)
  const grown = await oldRecord('11 years', day(28, -3))
  const minor = await oldRecord('11 years', day(28, 3))
  await run()
  expect([await exists(grown.patient), await exists(minor.patient)]).toEqual([false, true])
})

test('retention: a legal hold, an open case and a policy not yet in effect keep a record', async () => {
  const held = await oldRecord('20 years')
  const open = await oldRecord('20 years')
  const hold = { as: records, id: held.patient }
  const { id } = await staff.ok('placeHold', { ...hold, body: consoleBodies.placeHold })
  await queryAsOwner(fixtures, sql`update live.cases set status = 'queued' where id = ${open.id}`)
  await invokeOk(fixtures, 'deletePatient', { as: fixtures.ada.live, id: held.patient })
  await queryAsOwner(
    fixtures,
    sql`update live.patients set deleted_at = now() - interval '15 years',
               updated_at = now() - interval '15 years' where id = ${held.patient}`,
  )
  await run()
  const kept = () =>
    queryAsOwner(
      fixtures,
      sql`select id from live.patients where id in (${held.patient}, ${open.patient}) order by id`,
    )
  expect(await kept()).toHaveLength(2)
  await staff.ok('liftHold', { ...hold, body: { hold: id, reason: 'It ended.' } })
  await setPolicy(10, 28, '1 hour')
  await run()
  expect(await kept()).toHaveLength(2)
  await setPolicy(10, 28)
  await run()
  expect(await kept()).toEqual([{ id: open.patient }])
})

test('retention: a hold placed while the job runs either comes first or is refused', async () => {
  const outcomes: boolean[] = []
  for (let round = 0; round < 8; round++) {
    const { patient } = await oldRecord('20 years')
    const body = consoleBodies.placeHold
    const [placed] = await Promise.all([
      staff.call('placeHold', { as: records, id: patient, body }),
      run(),
    ])
    outcomes.push(placed.code === null)
    expect([null, 'not_found']).toContain(placed.code)
    expect(await exists(patient)).toBe(placed.code === null)
  }
  expect(outcomes).toHaveLength(8)
})

test('retention: a job killed mid-record leaves the record whole, and the next run destroys it', async () => {
  const { patient, id } = await oldRecord('20 years')
  await queryAsOwner(
    fixtures,
    sql`create function public.kill_session() returns trigger language plpgsql as
        'begin perform pg_terminate_backend(pg_backend_pid()); return old; end'`,
  )
  await queryAsOwner(
    fixtures,
    sql`create trigger zz_kill before delete on live.patients for each row
        execute function public.kill_session()`,
  )
  expect(
    await run().then(
      () => 'ended',
      () => 'killed',
    ),
  ).toBe('killed')
  expect(await exists(patient)).toBe(true)
  const cases = sql`select id from live.cases where id = ${id}`
  expect(await queryAsOwner(fixtures, cases)).toEqual([{ id }])
  await queryAsOwner(fixtures, sql`drop trigger zz_kill on live.patients`)
  await run()
  expect(await exists(patient)).toBe(false)
})

test('retention: slow records are destroyed a second’s work at a time', async () => {
  const old = [
    await oldRecord('20 years'),
    await oldRecord('20 years'),
    await oldRecord('20 years'),
  ]
  for (const statement of [
    sql`create function public.take_time() returns trigger language plpgsql as
        'begin perform pg_sleep(0.6); return old; end'`,
    sql`create trigger zz_slow before delete on live.patients for each row
        execute function public.take_time()`,
  ]) {
    await queryAsOwner(fixtures, statement)
  }
  const [first] = await fixtures.workerContext.pools.live.use(connection =>
    connection.run(sql`select destroyed from records.destroy_due(0, '', 100)`),
  )
  expect(first?.['destroyed']).toBeWithin(1, 3)
  await run()
  for (const { patient } of old) expect(await exists(patient)).toBe(false)
  await queryAsOwner(fixtures, sql`drop trigger zz_slow on live.patients`)
})

test('retention: only the live worker may destroy records, through one function', async () => {
  const rows = await queryAsOwner(
    fixtures,
    sql`select r as role, has_function_privilege(r, 'records.destroy_due(bigint, text, int)', 'execute') as due,
               has_function_privilege(r, 'records.destroy(bigint, text)', 'execute') as one,
               has_table_privilege(r, 'live.patients', 'delete') as remove
          from unnest(array['app_live', 'app_console', 'app_auth', 'app_worker_live', 'app_worker_test']) r`,
  )
  expect(rows.filter(one => one['due'] || one['one'] || one['remove'])).toEqual([
    { role: 'app_worker_live', due: true, one: false, remove: false },
  ])
})

const dayNumber = (date: string) => Date.parse(date) / 86_400_000
const anniversary = (date: string, years: number): number => {
  const [year = 0, month = 1, day = 1] = date.split('-').map(Number)
  const moved = new Date(Date.UTC(year + years, month - 1, day))
  // In a year that isn't a leap year, February 29 becomes February 28.
  if (moved.getUTCDate() !== day) moved.setUTCDate(0)
  return moved.getTime() / 86_400_000
}

test('retention: the day follows the end of the years or the age, whichever is later', async () => {
  const anyDate = date({
    min: new Date('1900-01-01'),
    max: new Date('2040-12-31'),
    noInvalidDate: true,
  }).map(one => one.toISOString().slice(0, 10))
  const leap = constantFrom('2000-02-29', '2016-02-29', '2024-02-29', '2024-02-28')
  const cases = sample(
    tuple(
      oneof(anyDate, leap),
      oneof(anyDate, leap),
      integer({ min: 6, max: 100 }),
      integer({ min: 18, max: 100 }),
    ),
    500,
  )
  const found = await queryAsOwner<{ due: string }>(
    fixtures,
    sql`select records.due_on((c ->> 0)::date, (c ->> 1)::date, (c ->> 2)::int, (c ->> 3)::int)::text as due
          from json_array_elements(${JSON.stringify(cases)}::text::json) with ordinality as x (c, n) order by n`,
  )
  expect(found).toHaveLength(500)
  found.forEach(({ due }, at) => {
    const [last = '', born = '', years = 0, age = 0] = cases[at] ?? []
    const expected = Math.max(anniversary(last, years), anniversary(born, age)) + 1
    expect([cases[at], dayNumber(due)]).toEqual([cases[at], expected])
  })
})
