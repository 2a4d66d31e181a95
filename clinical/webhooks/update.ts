// Updates an endpoint. Disabling ends its pending deliveries; enabling resets its failed event
// count and sends nothing by itself.

import type { Input } from '#contract/api.ts'
import { nothing, sql, type Statement } from '#database/sql.ts'
import { clock } from '../pipeline/clock.ts'
import { type AnyCall, write } from '../pipeline/handler.ts'
import { published } from '../pipeline/publish.ts'
import { endPendingDeliveries, endpointAfterClock } from './end-pending.ts'
import {
  checkScopes,
  checkTypes,
  checkUrl,
  endpointColumns,
  endpointOf,
  integrationTenant,
} from './endpoint.ts'

export type EndpointFacts = {
  id: string
  url: string
  event_types: string[]
  include_resource: boolean
  scopes: string[]
  description: string | null
  status: 'enabled' | 'disabled'
  updated_at: string
}

export type EndpointPatch = Omit<Input<'updateWebhookEndpoint'>, 'id'>

/** Whether the call may change what is sent or where. */
const redirects = ({ url, event_types, include_resource }: EndpointPatch) =>
  url !== undefined || event_types !== undefined || include_resource !== undefined

/** Assignments for the fields this call changes. */
export function changes(
  patch: EndpointPatch,
  was: EndpointFacts,
  scopes: readonly string[],
): Statement[] {
  const { url = was.url, event_types = was.event_types, status = was.status } = patch
  const { include_resource = was.include_resource } = patch
  const description = patch.description === undefined ? was.description : patch.description
  const set: Statement[] = []
  if (url !== was.url) set.push(sql`url = ${url}`)
  if (event_types.join() !== was.event_types.join()) {
    set.push(sql`event_types = ${event_types}::text[]`)
  }
  if (include_resource !== was.include_resource) {
    set.push(sql`include_resource = ${include_resource}`)
  }
  if (redirects(patch) && scopes.join() !== was.scopes.join())
    set.push(sql`scopes = ${scopes}::text[]`)
  if (description !== was.description) set.push(sql`description = ${description}`)
  if (status !== was.status) {
    set.push(
      status === 'disabled'
        ? sql`status = 'disabled', disabled_at = c.at`
        : sql`status = 'enabled', disabled_at = null, listens_from = now()`,
    )
  }
  return set
}

type Change = {
  id: string
  version: string
  set: readonly Statement[]
  /** The new status. */
  moved: EndpointFacts['status'] | null
}

export const changeOf = (
  { id, status, updated_at: version }: EndpointFacts,
  patch: EndpointPatch,
  set: readonly Statement[],
): Change => ({ id, version, set, moved: patch.status === status ? null : (patch.status ?? null) })

/** The last part of a write that changes the endpoint that `of` selects, whatever its kind. The
 *  response has the fields in `columns`. */
export function writeChange(
  call: AnyCall,
  { id, version, set, moved }: Change,
  of: (id: string) => Statement,
  columns: Statement,
): Statement {
  const held = sql`
    held as materialized (
      select id ${of(id)} and updated_at = ${version}::timestamptz
         and exists (select from go) for no key update
    )`
  if (set.length === 0) {
    return sql`${held}, changed as (
      select id, ${published(columns)} as answer ${of(id)} and id in (select id from held))`
  }
  const assigned = set.reduce((all, one) => sql`${all}, ${one}`)
  const ends =
    moved === 'disabled'
      ? sql`, ${endPendingDeliveries(endpointAfterClock(id), sql`'endpoint_disabled'::text`)}`
      : nothing
  const begins =
    moved === 'enabled'
      ? sql`, failures_reset as (
          delete from failed_events
           where tenant = ${integrationTenant} and webhook_endpoint = ${id} and exists (select from clock))`
      : nothing
  return sql`
    ${held}, ${clock(call, 1, sql`held`, integrationTenant)},
    changed as (
      update webhook_endpoints set ${assigned}, updated_at = c.at from clock c
       where tenant = ${integrationTenant} and id = ${id}
      returning id, ${published(columns)} as answer
    )${ends}${begins}`
}

export const updateWebhookEndpoint = write('updateWebhookEndpoint', {
  facts: (_call, { id }) => sql`select ${endpointColumns}, scopes ${endpointOf(id)}`,
  inspect: async (call, { url }, was: EndpointFacts | null, context) => {
    if (was && url !== undefined) await checkUrl(call, url, context)
  },
  decide: (call, patch, was) => {
    if (!was) throw call.refuse('not_found')
    const { event_types = was.event_types, include_resource = was.include_resource } = patch
    checkTypes(patch.event_types)
    if (include_resource && redirects(patch)) checkScopes(call, event_types)
    return changeOf(was, patch, changes(patch, was, call.principal.ownScopes))
  },
  write: (call, change) => writeChange(call, change, endpointOf, endpointColumns),
})
