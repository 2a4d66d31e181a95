// Inserts years of cases and patients, in id order. Every tenth case belongs to a new patient.
import { dayMilliseconds } from '#contract/moments.ts'
import { SQL } from 'bun'
import type { BenchEnvironment } from '../harness/environment.ts'
import { firstMoment } from '../events-page/fill-events.ts'
import { person } from '../harness/statement.ts'

export const casesApart = 2
export const casesOfPatient = 10
export const batch = 50_000
/** Ten days before the oldest time at which the API still returns rows. */
export const expiredMoment = firstMoment - 15 * dayMilliseconds

const patients = `
  insert into test.patients (tenant, id, external_id, first_name, last_name, date_of_birth,
         sex_at_birth, email, phone, address, cases, created_at, updated_at)
  select $1::bigint, public.ulid('pat', n.at, substr(md5('p' || n.i), 1, 16)), 'cust_' || n.i,
         $2, $3, '1988-03-14', 'female', $4, $5, $6::text::json, 10, n.at, n.at
    from (select i, to_timestamp($7::bigint / 1000.0) + i * $8::int * interval '1 ms' as at
            from generate_series($9::bigint, $10::bigint, 10) i) n`

/** Of every hundred cases, ninety-nine are approved and one is declined. */
const cases = `
  insert into test.cases (tenant, id, patient, status, status_at, consent_ids,
         requested_medications, answers, hold, files, created_at, updated_at)
  select $1::bigint, public.ulid('case', n.at, substr(md5('c' || n.i), 1, 16)),
         public.ulid('pat', p.at, substr(md5('p' || (n.i - n.i % 10)), 1, 16)),
         case when n.i % 100 = 7 then 'declined' else 'approved' end, n.at,
         '{cons_01m7wqrwr07q7txy3ntfjc6jem,cons_01m7wqrwr07q7txy3ntfjc6jen}',
         '[{"medication_id":"med_01ke5q8600cs8dx2pfwah5v0tz"}]', '[]', false, '{}', n.at, n.at
    from (select i, to_timestamp($2::bigint / 1000.0) + i * $3::int * interval '1 ms' as at
            from generate_series($4::bigint, $5::bigint) i) n,
         lateral (select n.at - (n.i % 10) * $3::int * interval '1 ms' as at) p`

/** The first `expired` rows, a multiple of `batch`, are too old for the API to return. */
export async function fillCases(
  { url }: BenchEnvironment,
  tenant: string,
  rows: number,
  expired = 0,
): Promise<void> {
  const connection = new SQL(url, { max: 1 })
  const { first_name, last_name, email, phone, address } = person
  const who = [first_name, last_name, email, phone, JSON.stringify(address)]
  try {
    for (let from = 0; from < rows; from += batch) {
      const to = Math.min(rows, from + batch) - 1
      const range = [from < expired ? expiredMoment : firstMoment, casesApart, from, to]
      await connection.unsafe(patients, [tenant, ...who, ...range])
      await connection.unsafe(cases, [tenant, ...range])
    }
    await connection.unsafe('vacuum analyze test.patients, test.cases')
  } finally {
    await connection.close()
  }
}
