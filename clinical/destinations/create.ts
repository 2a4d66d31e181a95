import { write } from '../preview/handler.ts'
import { freePlace, insertEndpoint, type Places, takenPlaces } from '../webhooks/create.ts'
import { checkScopes, checkTypes } from '../webhooks/endpoint.ts'
import { batchMax, type Configured, configured, destinationColumns, noKind } from './destination.ts'

export const createDestination = write('createDestination', {
  facts: () => takenPlaces,
  inspect: (call, input, _facts: Places | null, context) =>
    configured(call.principal, input, context),
  decide: (call, input, facts, one: Configured | null) => {
    if (one === null) throw noKind()
    checkTypes(input.event_types)
    if (input.include_resource) checkScopes(call, input.event_types)
    const { event_types, include_resource = false, description = null } = input
    const place = freePlace(facts)
    const id = call.mint('webhook_endpoint', 0)
    const scopes = call.principal.ownScopes
    const batch = batchMax[one.kind]
    return { ...one, id, place, batch, event_types, include_resource, description, scopes }
  },
  write: (call, made) => insertEndpoint(call, made, destinationColumns),
})
