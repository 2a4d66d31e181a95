// Finds a clinician's next case: the oldest case that no one is working on. The clinician's own
// claims come last, because another of their windows may have the case open.

import { sql } from '#database/sql.ts'
import { read } from './handler.ts'
import { licensed } from './queue.ts'

export const findNextCase = read('findNextCase', (call, { after }) => {
  const { person, staff, organization } = call.principal
  const last = after ?? null
  return {
    rows: sql`
      select '' as id, json_build_object('case', (
        select row_to_json(n) from (
          select id, iso(updated_at) as updated_at
            from (select * from cases
                   where status in ('queued', 'in_review') and organization = ${organization.id}
                     and (claimed_until is null or claimed_until <= now() or claimed_by = ${person})
                     and id is distinct from ${last}
                   order by coalesce(claimed_until > now(), false), coalesce(id < ${last}, false),
                            id offset 0) cases
           where ${licensed(staff.states)} limit 1) n))::text as item`,
  }
})
