// Updates a destination. New settings replace the old settings and their secret, so a secret is
// only ever sent to the address it was given for.

import type { DestinationKind } from '#contract/preview/destinations.ts'
import { sql } from '#database/sql.ts'
import { write } from '../preview/handler.ts'
import { checkScopes, checkTypes } from '../webhooks/endpoint.ts'
import { changeOf, changes, type EndpointFacts, writeChange } from '../webhooks/update.ts'
import {
  type Configured,
  configured,
  destinationColumns,
  destinationOf,
  otherKind,
} from './destination.ts'

type Facts = EndpointFacts & { kind: DestinationKind }

export const updateDestination = write('updateDestination', {
  facts: (_call, { id }) => sql`select ${destinationColumns}, scopes ${destinationOf(id)}`,
  inspect: (call, input, was: Facts | null, context) =>
    was ? configured(call.principal, input, context) : Promise.resolve(null),
  decide: (call, input, was, one: Configured | null) => {
    if (!was) throw call.refuse('not_found')
    if (one !== null && one.kind !== was.kind) throw otherKind(one.kind, was.kind)
    const { event_types, include_resource, description, status } = input
    const url = one?.url
    checkTypes(event_types)
    const redirects = one !== null || event_types !== undefined || include_resource !== undefined
    if ((include_resource ?? was.include_resource) && redirects)
      checkScopes(call, event_types ?? was.event_types)
    const patch = {
      ...(url !== undefined && { url }),
      ...(event_types !== undefined && { event_types }),
      ...(include_resource !== undefined && { include_resource }),
      ...(description !== undefined && { description }),
      ...(status !== undefined && { status }),
    }
    const set = changes(patch, was, call.principal.ownScopes)
    if (one !== null) set.push(sql`settings = ${one.settings}::text::json, secret = ${one.secret}`)
    return changeOf(was, patch, set)
  },
  write: (call, change) => writeChange(call, change, destinationOf, destinationColumns),
})
