// A sandbox's cases and visits by ID and state.

import { nothing, sql, type Statement } from '#database/sql.ts'
import type { Call } from '../pipeline/handler.ts'
import { tenantOf } from '../pipeline/handler.ts'
import { idAndItem, published } from '../pipeline/publish.ts'
import { newestPage, read } from './handler.ts'

/** The maximum for one case, which usually has about ten. */
const eventsMax = 100

const visitColumns = sql`id, status, iso(starts_at) as starts_at, "case"`

const caseColumns = sql`
  id, status, iso(created_at) as created_at, iso(updated_at) as updated_at,
  (select coalesce(json_agg(json_build_object('id', o.id, 'status', o.status) order by o.id), '[]')
     from orders o where o.tenant = cases.tenant and o."case" = cases.id) as orders`

type InTenant = { principal: Pick<Call<'getCase'>['principal'], 'tenant'> }
const ofTenant = (call: InTenant): Statement => sql`tenant = ${tenantOf(call)}`

export const listSandboxCases = read('listSandboxCases', (call, input) =>
  newestPage(
    input,
    sql`
      select ${idAndItem(caseColumns)} from cases
       where ${ofTenant(call)}
         ${input.status === undefined ? nothing : sql`and status = ${input.status}`}`,
  ),
)

export const getSandboxCase = read('getSandboxCase', (call, { id }) => ({
  rows: sql`
    select ${idAndItem(sql`
        ${caseColumns}, patient,
        (select coalesce(json_agg(row_to_json(v) order by v.id), '[]') from (
           select ${visitColumns} from visits
            where tenant = cases.tenant and "case" = cases.id) v) as visits,
        (select coalesce(json_agg(row_to_json(e) order by e.id desc), '[]') from (
           select id, type, iso(created_at) as created_at from events
            where tenant = cases.tenant and resource_id = any (
              cases.prescription_ids || cases.order_ids || cases.id || array(
                select v.id from visits v where v.tenant = cases.tenant and v."case" = cases.id))
            order by id desc limit ${eventsMax}::int) e) as events`)}
      from cases where ${ofTenant(call)} and id = ${id}`,
}))

export const listSandboxVisits = read('listSandboxVisits', (call, input) =>
  newestPage(input, sql`select ${idAndItem(visitColumns)} from visits where ${ofTenant(call)}`),
)

/** If several steps are due together, the autopilot takes the oldest first. */
export const getNextStep = read('getNextStep', call => {
  const tenant = ofTenant(call)
  const soonest = (step: string, from: Statement) => sql`
    (select ${step}::text as step, ${from} order by status_at, "case" limit 1)`
  return {
    rows: sql`
      select '' as id, ${published(sql`n."case", n.step, iso(n.due) as due_at`)} as item
        from (select 1) one
        left join autopilot a on a.${tenant}
        left join lateral (
          select * from (
            ${soonest(
              'approve',
              sql`id as "case", status_at + a.approve_after_s * interval '1 s' as due
                    from cases where ${tenant} and status in ('queued', 'in_review')`,
            )} union all ${soonest(
              'ship',
              sql`"case", status_at + a.ship_after_s * interval '1 s'
                    from orders where ${tenant} and status in ('created', 'at_pharmacy')`,
            )} union all ${soonest(
              'deliver',
              sql`"case", status_at + a.ship_after_s * interval '1 s'
                    from orders where ${tenant} and status = 'shipped'`,
            )}) due
           where due.due is not null order by due.due, due."case", due.step limit 1) n on true`,
  }
})
