// Empties the sandbox by replacing its tenant: every row in the old tenant is invisible after the
// commit, and the worker deletes the rows later. Decided in
// docs/decisions/0019-replace-the-tenant-on-a-sandbox-reset.md.

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
  // A retry of the reset runs in the new tenant, so its idempotency record is stored there.
  recordsIn: sql`changed.home`,
})
