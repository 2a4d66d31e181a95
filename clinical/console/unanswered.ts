// Cases with a message that the clinic hasn't answered. A staff member's message, question or
// decision removes a case from the list (migrations/0033_unanswered_messages.sql); so does marking
// its messages as needing no reply.

import { sql } from '#database/sql.ts'
import { tenantOf } from '../pipeline/handler.ts'
import { paging } from '../pipeline/pages.ts'
import { published } from '../pipeline/publish.ts'
import { staffCaseColumns } from './case.ts'
import { read, sameVersion, write } from './handler.ts'
import { listedCaseColumns } from './queue.ts'

export const listUnanswered = read('listUnanswered', (call, input) => ({
  rows: sql`
    select u.first_message as id, ${published(sql`
             ${listedCaseColumns}, u.first_message as message, (
               select iso(created_at) from messages
                where tenant = u.tenant and id = u.first_message) as since`)} as item
      from records.unanswered_threads u
      join cases on cases.tenant = u.tenant and cases.id = u."case"
     where u.organization = ${call.principal.organization.id}
       ${paging(input, { id: sql`u.first_message` })}`,
}))

/** When the last unanswered message on the case in scope was sent; null if there's none. */
export const unansweredAt = sql`(
  select iso(m.created_at) from records.unanswered_threads u
    join messages m on m.tenant = u.tenant and m.id = u.last_message
   where u.tenant = cases.tenant and u."case" = cases.id)`

type Facts = { id: string; updated_at: string; last_message: string | null }

/** A message that arrives in the meantime stays unanswered. */
export const dismissMessages = write('dismissMessages', {
  facts: (call, { id }) => sql`
    select id, coalesce(${unansweredAt}, iso(updated_at)) as updated_at, (
             select u.last_message from records.unanswered_threads u
              where u.tenant = cases.tenant and u."case" = cases.id) as last_message
      from cases where tenant = ${tenantOf(call)} and id = ${id}`,
  decide: (_call, input, found: Facts | null) => sameVersion(found, input),
  write: (call, { id, last_message }) => sql`
    dismissed as (
      delete from records.unanswered_threads
       where tenant = ${tenantOf(call)} and "case" = ${id} and last_message = ${last_message}
         and exists (select from go)
    ), changed as (
      select id, ${published(staffCaseColumns)} as answer from cases
       where tenant = ${tenantOf(call)} and id = ${id} and exists (select from go)
    )`,
})
