// What is pending for an endpoint that takes no more, ended with its change.

import { sql, type Statement } from '#database/sql.ts'
import { integrationTenant } from './endpoint.ts'

/** So that a statement stays short, however long the line of an endpoint is. */
export const endedAtOnce = 1000

/** The endpoint of a write, in a form for `ending`, once the clock of that write has ticked. */
export const ticked = (id: string): Statement =>
  sql`(select ${integrationTenant} as tenant, ${id}::text as id from clock)`

/** Common table expressions that end what is pending for endpoints that `gone (tenant, id)` names,
 *  with an error that may be told from a row `g` of it. An attempt under way is left to be
 *  recorded; it is the last. What is left of a long line is never sent, and the worker ends it. */
export const ending = (gone: Statement, error: Statement): Statement => sql`
  idle as materialized (
    select q.tenant, q.delivery, ${error} as error from due_deliveries q
      join ${gone} g on g.tenant = q.tenant and g.id = q.webhook_endpoint
     where q.claim is null or q.due_at <= clock_timestamp()
     limit ${endedAtOnce}::int for update of q skip locked
  ), dropped as (
    delete from due_deliveries q using idle i where q.tenant = i.tenant and q.delivery = i.delivery
  ), ended as (
    update deliveries d set status = 'failed', error = i.error, next_attempt_at = null
      from idle i where d.tenant = i.tenant and d.id = i.delivery and d.status = 'pending'
  )`
