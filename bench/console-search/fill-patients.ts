// A clinic's million patients, with realistic name frequencies: a few first names, and last names
// that get rarer down the list.
import { SQL } from 'bun'
import type { Fixtures } from '#clinical/testing/fixtures.ts'

const batch = 100_000
const firstNames = `{Maria,José,Ana,John,James,Robert,Linda,Ángela,Wei,Fatima,Olga,Sean,Noah,Emma,Liam,Zoë,Chloé,Björn,Łukasz,Priya}`
const lastNames = `{Smith,García,Martinez,Johnson,Williams,Brown,Nguyễn,O'Brien,Müller,Kowalski}`

const patients = `
  insert into live.patients (tenant, id, external_id, first_name, last_name, date_of_birth, sex_at_birth,
                             email, phone, address, created_at, updated_at)
  select t.id, public.ulid('pat', '2025-01-01', lpad(i::text, 16, '0')), 'MRN-' || i,
         (string_to_array(trim('{}' from $4), ','))[1 + i / 7 % 20],
         -- A tenth have a common name; the others' are made of syllables.
         case when i % 10 = 0 then (string_to_array(trim('{}' from $5), ','))[1 + i / 10 % 10]
              else initcap(substr(translate(md5(i::text), '0123456789', 'aeioulmnrs'), 1, 7)) end,
         date '1930-01-01' + (i * 7919 % 33000)::int, 'female', 'patient' || i || '@example.com',
         '+1' || lpad((2000000000 + i * 7103 % 7999999999)::text, 10, '0'),
         json_build_object('line1', '1 Example Street', 'city', 'Example', 'postal_code', '10001',
                           'state', 'NY'), now(), now()
    from generate_series($1::bigint, $2::bigint) i
    join (select id, row_number() over (order by id) - 1 as n, count(*) over () as total
            from live.tenants where organization = $3) t on t.n = i % t.total`

/** The patient that the rare searches find. */
const known = `
  insert into live.patients (tenant, id, external_id, first_name, last_name, date_of_birth, sex_at_birth,
                             email, phone, address, created_at, updated_at)
  select id, public.ulid('pat', '2025-01-01', lpad('0', 16, '0')), 'MRN-KNOWN', 'José', 'O''Brien-García',
         '1979-06-02', 'male', 'known@example.com', '+15035550142', '{"state":"NY"}', now(), now()
    from live.tenants where organization = $1 order by id limit 1`

/** Also creates the peer's index. */
export async function fillPatients(fixtures: Fixtures, count: number): Promise<void> {
  const connection = new SQL(fixtures.database.url, { max: 1 })
  const [index] = await connection.unsafe(
    `select pg_get_indexdef('live.patients_by_term'::regclass) as definition`,
  )
  await connection.unsafe('drop index live.patients_by_term')
  for (let from = 1; from <= count; from += batch) {
    const to = Math.min(count, from + batch - 1)
    await connection.unsafe(patients, [from, to, fixtures.clinic, firstNames, lastNames])
  }
  await connection.unsafe(known, [fixtures.clinic])
  await connection.unsafe(index.definition)
  await connection.unsafe('create extension if not exists pg_trgm')
  await connection.unsafe(
    `create index on live.patients using gin ((first_name || ' ' || last_name) gin_trgm_ops)`,
  )
  await connection.unsafe('vacuum analyze live.patients')
  await connection.close()
}
