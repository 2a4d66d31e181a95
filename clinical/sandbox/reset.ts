// Empties the sandbox by swapping its tenant (contract/06, section 5): every row of the old one is
// out of sight from the commit on, whole or not at all, and the worker removes them afterwards.

import { sql } from '#database/sql.ts'
import { tenantOf, write } from '../pipeline/handler.ts'
import { published } from '../pipeline/publish.ts'

export const resetSandbox = write('resetSandbox', {
  decide: () => null,
  write: call => sql`
    swapped as materialized (
      select r.tenant, r.deleted from go, reset_sandbox(${tenantOf(call)}) r
    ), changed as (
      select '' as id, tenant as home,
             ${published(sql`true as reset, deleted as resources_deleted`)} as answer
        from swapped
    )`,
  // The retry of a reset comes with the successor's tenant, and has to find the record there.
  recordsIn: sql`changed.home`,
})
