// What remains of a destroyed record. The tables come from the catalog, so a new table that refers
// to a patient fails here until `wholeRecord` writes it and `records.destroy` deletes it.

import { expect, test } from 'bun:test'
import type { Row } from '#database/pool.ts'
import { type Statement, sql } from '#database/sql.ts'
import { queryAsOwner } from '../testing/assertions.ts'
import { useFixtures } from '../testing/fixtures.ts'
import { useConsole } from '../testing/staff.ts'
import { mark, wholeRecord } from '../testing/whole-record.ts'
import { retentionJob } from './retention-job.ts'

const fixtures = useFixtures()
const staff = useConsole(fixtures)

/** Every table that refers to a patient, directly or through others. */
const referring = sql`
  with recursive referring as (
    select 'live.patients'::regclass::oid as id
    union
    select c.conrelid from pg_constraint c join referring r on c.confrelid = r.id
     where c.contype = 'f')`

const patientTables = sql`
  ${referring} select format('%I.%I', relnamespace::regnamespace, relname) as name
    from pg_class join referring on referring.id = pg_class.oid order by 1`

const allTables = sql`
  select format('%I.%I', relnamespace::regnamespace, relname) as name from pg_class
   where relkind in ('r', 'p') and not relispartition
     and relnamespace::regnamespace::text !~ '^(pg_|information_schema)' order by 1`

const namesOf = async (tables: Statement) =>
  (await queryAsOwner<{ name: string }>(fixtures, tables)).map(({ name }) => name)

type Holding = Row & { name: string; ids: string[] }

/** Returns the tables with a row containing one of these texts, and the IDs of such rows. */
async function holding(tables: readonly string[], texts: readonly string[]): Promise<Holding[]> {
  const parts = tables.map(
    name => `
      select '${name}' as name,
             coalesce(array_agg(row_to_json(t) ->> 'id')
                      filter (where row_to_json(t) ->> 'id' is not null), '{}') as ids
        from ${name} t
       where exists (select from json_array_elements_text(
                       (select texts from searched)) s where strpos(t::text, s) > 0)
      having count(*) > 0`,
  )
  const union = sql([parts.join(' union all ')] as unknown as TemplateStringsArray)
  return queryAsOwner<Holding>(
    fixtures,
    sql`with searched as (select ${JSON.stringify(texts)}::text::json as texts) ${union}`,
  )
}

test('retention: a destroyed record leaves only the audit and rows with nothing but its IDs', async () => {
  const patient = await wholeRecord(fixtures, staff)
  const tables = await namesOf(patientTables)
  const ids = new Set([patient])
  for (const _ of ['of the patient', 'of those', 'of these']) {
    for (const found of await holding(tables, [...ids])) found.ids.forEach(id => ids.add(id))
  }
  const before = await holding(tables, [...ids])
  expect(before.map(({ name }) => name).toSorted()).toEqual(tables.toSorted())
  expect(tables).toContain('pharmacy.transmissions')

  await queryAsOwner(
    fixtures,
    sql`insert into auth.retention_policies (organization, years, minor_age, starts_at)
        values (${fixtures.clinic}, 10, 28, now() - interval '1 day')`,
  )
  expect(await retentionJob.run(fixtures.workerContext, ['live'], () => null)).toEqual({
    records: 1,
  })
  const every = await namesOf(allTables)
  const left = (await holding(every, [...ids])).map(({ name }) => name)
  expect(left.toSorted()).toEqual(['audit.entries', 'live.events', 'records.destructions'])
  expect(await holding(every, [mark])).toEqual([])
})

test('retention: a change in any dated table of a record is activity, except an export', async () => {
  const patient = await wholeRecord(fixtures, staff)
  const columns = await queryAsOwner<{ name: string; column: string }>(
    fixtures,
    sql`${referring} select format('%I.%I', relnamespace::regnamespace, relname) as name,
               max(attname::text) as column
          from pg_class join referring on referring.id = pg_class.oid
          join pg_attribute on attrelid = pg_class.oid
           and attname in ('created_at', 'updated_at')
         group by 1 order by 1`,
  )
  const passive: string[] = []
  for (const { name, column } of columns) {
    const setTo = (age: string) =>
      queryAsOwner(
        fixtures,
        sql([`update ${name} set ${column} = now() - interval '${age}'`] as never),
      )
    await setTo('0 days')
    const [row] = await queryAsOwner(
      fixtures,
      sql`select records.last_activity(tenant, id) > now() - interval '1 year' as is_active
            from live.patients where id = ${patient}`,
    )
    if (row?.['is_active'] !== true) passive.push(name)
    await setTo('20 years')
  }
  expect(columns.length).toBeGreaterThan(10)
  expect(passive).toEqual(['live.exports'])
})

test('retention: every foreign key that a destruction checks has an index', async () => {
  const keys = await queryAsOwner<{ key: string; indexed: boolean }>(
    fixtures,
    sql`${referring} select format('%s %s', c.conrelid::regclass, pg_get_constraintdef(c.oid)) as key,
               exists (select from pg_index i
                        where i.indrelid = c.conrelid
                          and (i.indkey::int2[])[0:cardinality(c.conkey) - 1] @> c.conkey
                          and coalesce(pg_get_expr(i.indpred, i.indrelid)
                                       ~ '^[(]"?[a-z]+"? IS NOT NULL[)]$', true)) as indexed
          from pg_constraint c join referring r on r.id = c.confrelid where c.contype = 'f'`,
  )
  expect(keys.length).toBeGreaterThan(10)
  expect(keys.filter(({ indexed }) => !indexed)).toEqual([])
})
