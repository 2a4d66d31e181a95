import { sql } from '#database/sql.ts'
import { write } from '../preview/handler.ts'
import { removeEndpoint, type Version } from '../webhooks/delete.ts'
import { destinationOf } from './destination.ts'

export const deleteDestination = write('deleteDestination', {
  facts: (_call, { id }) => sql`select id, iso(updated_at) as updated_at ${destinationOf(id)}`,
  decide: (call, _input, found: Version | null) => {
    if (!found) throw call.refuse('not_found')
    return found
  },
  write: (call, found) => removeEndpoint(call, found, destinationOf),
})
