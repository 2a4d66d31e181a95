import { sql } from '#database/sql.ts'
import { clock, idAt } from '../pipeline/clock.ts'
import { emit, event } from '../pipeline/emit.ts'
import { tenantOf, write } from '../pipeline/handler.ts'
import { livingPatients } from '../patients/patient.ts'
import { published } from '../pipeline/publish.ts'
import { consentColumns } from './consent.ts'

export const recordConsent = write('recordConsent', {
  facts: (call, { id, kind }) => sql`
    select id, (select v.version from consent_versions v
                 where v.tenant = ${tenantOf(call)} and v.kind = ${kind}) as in_force
      ${livingPatients(call)} and id = ${id}`,
  decide: (call, input, patient: { id: string; in_force: string | null } | null) => {
    if (!patient) throw call.refuse('not_found')
    const { kind, version, accepted_at = null } = input
    const status = version === (patient.in_force ?? version) ? 'current' : 'superseded'
    return { patient: patient.id, kind, version, status, accepted_at, id: call.mint('consent', 0) }
  },
  // Locks the patient's row to order concurrent consents of one kind. The old consent is superseded
  // before the new consent is inserted, because a unique index allows one current consent of each
  // kind.
  write: (call, { patient, kind, version, status, accepted_at, id }) => sql`
    held as materialized (
      select id ${livingPatients(call)} and id = ${patient} and exists (select from go)
         for no key update
    ), ${clock(call, 2, sql`held`)},
    superseded as (
      update consents set status = 'superseded'
       where tenant = ${tenantOf(call)} and patient = ${patient} and kind = ${kind}
         and status = 'current' and exists (select from clock)
      returning id
    ), changed as (
      insert into consents (tenant, id, patient, kind, version, status, accepted_at, created_at)
      select ${tenantOf(call)}, ${idAt(id)}, ${patient}, ${kind}, ${version}, 'current',
             coalesce(${accepted_at}::timestamptz, c.at), c.at
        from clock c cross join (select count(*) from superseded) done
      returning id, ${published(consentColumns)} as answer
    ), ${emit(call, [event(1, 'consent.recorded.v1', id, null, status)])}`,
})
