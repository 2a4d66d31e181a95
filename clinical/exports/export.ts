// An export as the API returns it, and the condition for rows that callers can see.

import type { OperationId } from '#contract/api.ts'
import { limits } from '#contract/limits.ts'
import { sql, type Statement } from '#database/sql.ts'
import { tenantNow } from '../pipeline/clock.ts'
import { type Call, tenantOf } from '../pipeline/handler.ts'
import { livingPatients } from '../patients/patient.ts'

/** `base` is the public origin. */
export const exportColumns = (base: string): Statement => sql`
  id, status,
  case when status = 'completed'
       then ${base}::text || '/v1/exports/' || id || '/download' end as url,
  iso(expires_at) as expires_at`

/** This caller's exports, as the tail of a select. An export expires to the millisecond. In live
 *  mode its row stays, so the clinic can tell who saw a patient. */
export const presentExports = (call: Call<OperationId>): Statement => sql`
  from exports where tenant = ${tenantOf(call)}
   and created_at > ${tenantNow} - ${limits.exportJobDays}::int * interval '1 day'
   and exists (select ${livingPatients(call)} and id = exports.patient)`
