import { sql } from '#database/sql.ts'
import { clock, idAt } from '../pipeline/clock.ts'
import { emit, event } from '../pipeline/emit.ts'
import { tenantOf, write } from '../pipeline/handler.ts'
import { published } from '../pipeline/publish.ts'
import { addressText, patientColumns } from './patient.ts'

export const createPatient = write('createPatient', {
  decide: (call, input) => ({ ...input, id: call.mint('patient', 0) }),
  write: (call, patient) => sql`
    ${clock(call, 2, sql`go`)},
    changed as (
      insert into patients (tenant, id, external_id, first_name, middle_name, last_name,
                            date_of_birth, sex_at_birth, email, phone, address, created_at, updated_at)
      select ${tenantOf(call)}, ${idAt(patient.id)}, ${patient.external_id ?? null},
             ${patient.first_name}, ${patient.middle_name ?? null}, ${patient.last_name},
             ${patient.date_of_birth}::date, ${patient.sex_at_birth}::text, ${patient.email},
             ${patient.phone}, ${addressText(patient.address)}::text::json, c.at, c.at
        from clock c
      returning id, ${published(patientColumns)} as answer
    ), ${emit(call, [event(1, 'patient.created.v1', patient.id, null, 'active')])}`,
})
