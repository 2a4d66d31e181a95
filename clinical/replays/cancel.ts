// Stops a replay. The cancellation and a worker's step both lock the replay's row, so a running
// step either finishes first or changes nothing.

import { sql } from '#database/sql.ts'
import { clock } from '../pipeline/clock.ts'
import { published } from '../pipeline/publish.ts'
import { write } from '../preview/handler.ts'
import { integrationTenant } from '../webhooks/endpoint.ts'
import { refusedReplay, replayColumns, replayOf } from './replay.ts'

type Facts = { id: string; status: string }

export const cancelReplay = write('cancelReplay', {
  facts: (_call, { id }) => sql`select r.id, r.status ${replayOf(id)}`,
  decide: (call, _input, found: Facts | null) => {
    if (!found) throw call.refuse('not_found')
    if (found.status !== 'running') throw refusedReplay(call, 'cancelReplay', found)
    return found.id
  },
  write: (call, id) => sql`
    held as materialized (
      select id from replays where tenant = ${integrationTenant} and id = ${id}
         and status = 'running' and exists (select from go) for update
    ), ${clock(call, 1, sql`held`, integrationTenant)},
    changed as (
      update replays r set status = 'cancelled', ended_at = c.at from clock c
       where r.tenant = ${integrationTenant} and r.id = ${id}
      returning r.id, ${published(replayColumns)} as answer
    )`,
})
