// Updates an endpoint. Disabling ends its pending deliveries; enabling resets its count of failed
// events and sends nothing by itself.

import type { Input } from '#contract/api.ts'
import { nothing, sql, type Statement } from '#database/sql.ts'
import { clock } from '../pipeline/clock.ts'
import { write } from '../pipeline/handler.ts'
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

type Facts = {
  id: string
  url: string
  event_types: string[]
  include_resource: boolean
  scopes: string[]
  description: string | null
  status: 'enabled' | 'disabled'
  updated_at: string
}

type Patch = Input<'updateWebhookEndpoint'>

/** Whether the call may change what is sent where. */
const redirects = ({ url, event_types, include_resource }: Patch) =>
  url !== undefined || event_types !== undefined || include_resource !== undefined

/** Assignments for the members that this call changes. */
function changes(patch: Patch, was: Facts, scopes: readonly string[]): Statement[] {
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

export const updateWebhookEndpoint = write('updateWebhookEndpoint', {
  facts: (_call, { id }) => sql`select ${endpointColumns}, scopes ${endpointOf(id)}`,
  inspect: async (call, { url }, was: Facts | null, context) => {
    if (was && url !== undefined) await checkUrl(call, url, context)
  },
  decide: (call, patch, was) => {
    if (!was) throw call.refuse('not_found')
    const { event_types = was.event_types, include_resource = was.include_resource } = patch
    checkTypes(patch.event_types)
    if (include_resource && redirects(patch)) checkScopes(call, event_types)
    const moved = patch.status === undefined || patch.status === was.status ? null : patch.status
    return {
      id: was.id,
      version: was.updated_at,
      set: changes(patch, was, call.principal.ownScopes),
      moved,
    }
  },
  write: (call, { id, version, set, moved }) => {
    const held = sql`
      held as materialized (
        select id ${endpointOf(id)} and updated_at = ${version}::timestamptz
           and exists (select from go) for no key update
      )`
    if (set.length === 0) {
      return sql`${held}, changed as (
        select id, ${published(endpointColumns)} as answer ${endpointOf(id)}
           and id in (select id from held))`
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
        returning id, ${published(endpointColumns)} as answer
      )${ends}${begins}`
  },
})
