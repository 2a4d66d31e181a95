// The minimum PostgreSQL work for the rows of POST /v1/patients: the same five rows in tables with
// the same columns and indexes, written by one plain statement. The tables have no policies or
// checks, and the client sends the values that our statement would compute.
import { meter } from '../harness/meter.ts'
import { plainTables } from '../harness/plain.ts'
import type { Tenant } from '../harness/environment.ts'
import { pgbench, runPgbench } from '../harness/pgbench.ts'
import { interleave, type Result, rowOf } from '../harness/rounds.ts'
import { createPatientStatement, keyPlaceholder, person } from '../harness/statement.ts'
import { sql, type Statement } from '#database/sql.ts'
import { targetOf } from '../targets.ts'
import type { Setup } from './setup.ts'

const tables = plainTables(
  sql`'test.tenants', 'test.patients', 'test.events', 'test.idempotency_keys', 'audit.entries'`,
)

const patient = `pat_${'0'.repeat(26)}`
const answer = JSON.stringify({
  id: patient,
  status: 'active',
  ...person,
  created_at: '2026-11-28T12:00:00.000Z',
  updated_at: '2026-11-28T12:00:00.000Z',
})

const idWith = (prefix: string): Statement =>
  sql`${prefix} || lpad(nextval('plain.ids')::text, 26, '0')`

const plainStatement = ({ id: tenant, credential, integration, organization }: Tenant) => {
  const request = `req_${'0'.repeat(26)}`
  const fingerprint = new Uint8Array(32)
  return sql`
  with clock as (update plain.tenants set last = now() where id = ${tenant}::bigint),
  patient as (
    insert into plain.patients (tenant, id, external_id, first_name, middle_name, last_name,
                                date_of_birth, sex_at_birth, email, phone, address, created_at,
                                updated_at)
    values (${tenant}::bigint, ${idWith('pat_')}, ${person.external_id}, ${person.first_name},
            ${person.middle_name}, ${person.last_name}, ${person.date_of_birth}::date,
            ${person.sex_at_birth}, ${person.email}, ${person.phone},
            ${JSON.stringify(person.address)}::text::json, now(), now())
  ), event as (
    insert into plain.events (tenant, id, type, resource_type, resource_id, status, created_at,
                              request)
    values (${tenant}::bigint, ${idWith('evt_')}, 'patient.created.v1', 'patient',
            ${patient}, 'active', now(), ${request})
  ), record as (
    insert into plain.idempotency_keys (tenant, key, fingerprint, operation, credential, request,
                                        status, answer, location, patient, expires_at)
    values (${tenant}::bigint, ${keyPlaceholder}::text, ${fingerprint}, 'createPatient',
            ${credential}, ${request}, 201, ${answer}, ${`/v1/patients/${patient}`}, ${patient},
            now())
  )
  insert into plain.entries (mode, integration, organization, actor, surface, action, target,
                             outcome, status, request, address, agent)
  values ('test', ${integration}, ${organization}, ${credential}, 'rest', 'createPatient',
          ${patient}, 'ok', 201, ${request}, '127.0.0.1', 'bench')`
}

type Shape = { clients: number; tenantCount: number }

/** PostgreSQL's CPU time per write, compared with the plain statement's. */
export async function besidePlain(
  { options, environment }: Setup,
  { clients, tenantCount }: Shape,
): Promise<Result> {
  const program = pgbench
  if (program === null) return { rows: [], notes: [], proofs: [] }
  const tenants = await environment.openTenants(tenantCount)
  await environment.owner.use(async connection => {
    await connection.run(tables)
    await connection.run(
      sql`insert into plain.tenants overriding system value select * from test.tenants`,
    )
  })
  const { seconds, requestsMax } = options
  // Built for each run, because our statement contains the current half minute.
  const side = (make: (tenant: Tenant) => Promise<Statement> | Statement) => async () => {
    const statements = await Promise.all(
      tenants.map(async tenant => ({ statement: await make(tenant), tenant: tenant.id })),
    )
    const work = { url: environment.urls.test, statements, clients, seconds, requestsMax }
    const processes = { gateway: undefined, postmaster: environment.postmaster }
    return meter(processes, () => runPgbench(program, work))
  }
  const runs = await interleave(options.rounds, {
    ours: side(createPatientStatement),
    plain: side(plainStatement),
  })
  const of = (name: string) => (runs[name] ?? []).map(run => run.databaseCost)
  const shape = tenantCount === 1 ? 'one tenant' : `${tenantCount} tenants`
  const row = rowOf({
    job: `PostgreSQL's time of a write, ${clients} clients, ${shape}`,
    unit: 'µs',
    target: targetOf(tenantCount === 1 ? 'P1c one tenant' : 'P1c eight tenants'),
    ours: of('ours'),
    peer: { name: 'the same rows by a plain statement', rounds: of('plain') },
  })
  return { rows: [row], notes: [], proofs: [] }
}
