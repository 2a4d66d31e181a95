// A clinic after a year: patients, cases (some waiting), and visits, spread over its integrations.
// Ids and timestamps look like the platform's own.
import { SQL } from 'bun'
import { grant, openIntegration } from '#auth/integrations.ts'
import type { Fixtures } from '#clinical/testing/fixtures.ts'
import { queueStatuses } from '#contract/console/cases.ts'

const batch = 100_000
const casesOfPatient = 20
/**
 * One in this many cases waits. The number is prime, so waiting cases cover every integration and
 * status.
 */
const waitsEach = 199

/** The patients' states, in turn. A clinician is licensed in only a few states. */
export const states = ['AZ', 'CA', 'CO', 'FL', 'GA', 'IL', 'NY', 'OH', 'TX', 'WA'] as const

const tenants = `
  (select t.id, row_number() over (order by t.id) - 1 as n, count(*) over () as total
     from live.tenants t where t.organization = $4) t on t.n = i % t.total`

/** This many rows, evenly spaced over a year that ends today. */
const rowsOf = `
  generate_series($1::bigint, $2::bigint) i
  cross join lateral (
    select now() - interval '365 days' + (i - 1) * interval '365 days' / $3::float8 as at) x
  join ${tenants}`

const patientOf = (number: string) =>
  `public.ulid('pat', '2025-01-01', lpad((${number})::text, 16, '0'))`

const patients = `
  insert into live.patients (tenant, id, first_name, last_name, date_of_birth, sex_at_birth, email,
                             phone, address, created_at, updated_at)
  select t.id, ${patientOf('i')}, 'Sam', 'Example', '1990-01-01', 'female', 'sam@example.com',
         '+12025550100',
         json_build_object('line1', '1 Example Street', 'city', 'Example', 'postal_code', '10001',
                           'state', ($5::text[])[1 + i / t.total % cardinality($5::text[])]), x.at, x.at
    from ${rowsOf}`

/** `$6`: the clinic's patients, each with cases in one tenant only. */
const cases = `
  insert into live.cases (tenant, id, patient, status, status_at, consent_ids,
                          requested_medications, answers, hold, files, question_message,
                          question_target, question_body, question_asked_at, created_at, updated_at)
  select t.id, public.ulid('case', x.at, lpad(i::text, 16, '0')), ${patientOf('1 + (i - 1) % $6::bigint')},
         s.status, x.at, '{}', '[{"medication_id":"med_example"}]', '[]', false, '{}',
         case when s.status like 'waiting%' then 'msg_example' end,
         case when s.status like 'waiting%' then replace(s.status, 'waiting_on_', '') end,
         case when s.status like 'waiting%' then 'Since when?' end,
         case when s.status like 'waiting%' then x.at end, x.at, x.at
    from ${rowsOf}
   cross join lateral (
     select case when i % ${waitsEach} = 0
                 then ($5::text[])[1 + i / ${waitsEach} % cardinality($5::text[])]
                 else 'approved' end as status) s`

/** Each approved case gets one prescription and one order. */
const prescriptions = `
  insert into live.prescriptions (tenant, id, "case", patient, "order", status, medication_id, name,
                                  form, strength, quantity, refills, days_supply, directions,
                                  prescriber_name, expires_at, created_at, updated_at)
  select tenant, replace(id, 'case_', 'rx_'), id, patient, replace(id, 'case_', 'ord_'), 'active',
         'med_example', 'Example', 'tablet', '10 mg', 30, 2, 30, 'Take one daily.', 'Dr. Example',
         created_at + interval '1 year', created_at, updated_at
    from live.cases where status = 'approved' and organization = $1`

const orders = `
  insert into live.orders (tenant, id, "case", patient, prescription, status, status_at,
                           medication_id, quantity, ship_to, created_at, updated_at)
  select tenant, replace(id, 'case_', 'ord_'), id, patient, replace(id, 'case_', 'rx_'),
         case when id like '%1' then 'at_pharmacy' else 'delivered' end, status_at, 'med_example',
         30, json_build_object('line1', '1 Example Street', 'city', 'Example',
                               'postal_code', '10001', 'state', 'NY'), created_at, updated_at
    from live.cases where status = 'approved' and organization = $1`

const visits = `
  insert into live.visits (tenant, id, patient, status, state, time_zone, clinician, starts_at,
                           ends_at, started_at, ended_at, created_at, updated_at)
  select t.id, public.ulid('vis', x.at, lpad(i::text, 16, '0')), ${patientOf('1 + (i - 1) % $5::bigint')},
         'completed', 'TX', 'America/Chicago', 'per_example', x.at, x.at + interval '15 minutes',
         x.at, x.at + interval '15 minutes', x.at, x.at
    from ${rowsOf}`

export type Size = { integrations: number; cases: number; visits: number }

export async function fillClinic(fixtures: Fixtures, size: Size): Promise<void> {
  const organization = fixtures.clinic
  // The fixtures already have two integrations.
  for (let at = 2; at < size.integrations; at++) {
    await fixtures.owner.use(async connection => {
      const { integration } = await openIntegration(connection, `Brand ${at}`)
      await grant(connection, { integration, organization, mode: 'live' })
    })
  }
  const connection = new SQL(fixtures.database.url, { max: 1 })
  const people = Math.ceil(size.cases / casesOfPatient / size.integrations) * size.integrations
  const fill = async (statement: string, rows: number, ...values: unknown[]) => {
    for (let from = 1; from <= rows; from += batch) {
      const to = Math.min(rows, from + batch - 1)
      await connection.unsafe(statement, [from, to, rows, organization, ...values])
    }
  }
  await fill(patients, people, connection.array([...states], 'text'))
  await fill(cases, size.cases, connection.array([...queueStatuses], 'text'), people)
  for (const statement of [prescriptions, orders]) {
    await connection.unsafe(statement, [organization])
  }
  await fill(visits, size.visits, people)
  await connection.unsafe(
    'vacuum analyze live.patients, live.cases, live.prescriptions, live.orders, live.visits, live.tenants',
  )
  await connection.close()
}
