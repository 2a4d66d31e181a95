// An event as the API returns it, with the same nine fields in the same order in polling, webhooks
// and realtime. `data` is the resource's current state, never a copy from the time of the event, so
// the event log stores no patient values.

import { type EventResource, scopeOfResource } from '#contract/events.ts'
import type { OperationId } from '#contract/api.ts'
import type { Mode } from '#contract/operation.ts'
import { sql, type Statement } from '#database/sql.ts'
import { chargeColumns } from '../billing/charge.ts'
import { caseColumns } from '../cases/case.ts'
import { consentColumns } from '../consents/consent.ts'
import { fileColumns, presentFiles } from '../files/file.ts'
import { type Call, tenantOf } from '../pipeline/handler.ts'
import { orderColumns } from '../orders/order.ts'
import { livingPatients, patientColumns } from '../patients/patient.ts'
import { prescriptionColumns } from '../prescriptions/prescription.ts'
import { published } from '../pipeline/publish.ts'
import { visitColumns } from '../visits/visit.ts'
import { endpointColumns, integrationTenant } from '../webhooks/endpoint.ts'

type AnyCall = Call<OperationId>

export const eventColumns = (call: Pick<AnyCall, 'principal'>): Statement =>
  eventColumnsOf(sql`${call.principal.organization.id}::text`, call.principal.mode)

/** An event's columns, for statements that read several organizations' events. */
export const eventColumnsOf = (organization: Statement, mode: Mode): Statement => sql`
  id, type, iso(created_at) as created_at, ${organization} as organization, ${mode}::text as mode,
  (select row_to_json(x) from (select resource_type as type, resource_id as id) x) as resource,
  status, previous_status`

/** Selects the current resource by its type; `e` is the event. */
const present = (call: AnyCall): Partial<Record<EventResource, Statement>> => {
  const inTenant = sql`where tenant = ${tenantOf(call)} and id = e.resource_id`
  return {
    patient: sql`select ${published(patientColumns)} ${livingPatients(call)} and id = e.resource_id`,
    consent: sql`
      select ${published(consentColumns)} from consents ${inTenant}
         and exists (select ${livingPatients(call)} and id = consents.patient)`,
    file: sql`select ${published(fileColumns)} ${presentFiles(call)} and id = e.resource_id`,
    case: sql`select ${published(caseColumns)} from cases ${inTenant}`,
    prescription: sql`select ${published(prescriptionColumns)} from prescriptions ${inTenant}`,
    order: sql`select ${published(orderColumns)} from orders ${inTenant}`,
    visit: sql`select ${published(visitColumns)} from visits ${inTenant}`,
    charge: sql`select ${published(chargeColumns)} from charges ${inTenant}`,
    webhook_endpoint: sql`select ${published(endpointColumns)} from webhook_endpoints
      where tenant = ${integrationTenant} and id = e.resource_id`,
  }
}

/** Selects the event, with `data` if this credential may read its resource. */
export function itemWithData(call: AnyCall): Statement {
  const texts = present(call)
  const branches = Object.entries(scopeOfResource)
    .filter(([, scope]) => call.principal.scopes.includes(scope))
    .map(([kind]) => {
      const text = texts[kind as EventResource] ?? sql`null`
      return sql`
        when ${kind} then coalesce(e.fabricated::text, (${text}),
                                   '{"id":"' || e.resource_id || '","deleted":true}')`
    })
  const [first, ...others] = branches
  if (!first) return published(eventColumns(call))
  const all = others.reduce((sum, one) => sql`${sum} ${one}`, first)
  return sql`(
    select case when d.data is null then b.body else left(b.body, -1) || ',"data":' || d.data || '}' end
      from (select ${published(eventColumns(call))} as body) b,
           (select case e.resource_type ${all} end as data) d)`
}
