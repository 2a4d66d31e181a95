// Posts a message from either side. The case's status stays, because a message doesn't answer a
// question.

import { sql, type Statement } from '#database/sql.ts'
import type { Actor } from '../actor.ts'
import { allow, type CaseFacts, heldCase } from '../cases/case.ts'
import { emitAny, type Emitted, event } from '../pipeline/emit.ts'
import { clock, idAt } from '../pipeline/clock.ts'
import { type AnyCall, type IdParts, tenantOf } from '../pipeline/handler.ts'
import { published } from '../pipeline/publish.ts'
import { messageColumns } from './message.ts'

type Author = 'patient' | 'integration' | 'clinician'

/** `by` is the author at the clinic. */
type Draft = { author: Author; by: Actor | null; body: string }

export type MessagePlan = Draft & {
  current: CaseFacts
  id: IdParts
  events: Emitted<'case.message_created.v1'>[]
}

export const postMessage = (call: AnyCall, draft: Draft, found: CaseFacts | null): MessagePlan => {
  const current = allow(found, 'converse')
  const { id, status } = current
  return {
    ...draft,
    current,
    id: call.mint('message', 0),
    events: [event(1, 'case.message_created.v1', id, status, status)],
  }
}

export const writeMessage = (
  call: AnyCall,
  { current, author, by, body, id, events }: MessagePlan,
): Statement => sql`
  ${heldCase(call, current, sql`share`)}, ${clock(call, 2, sql`held`)},
  changed as (
    insert into messages (tenant, id, "case", kind, author, person, person_name, body, created_at)
    select ${tenantOf(call)}, ${idAt(id)}, ${current.id}, 'message', ${author},
           ${by?.person ?? null}::text, ${by?.name ?? null}::text, ${body}, c.at
      from clock c
    returning id, ${published(messageColumns)} as answer
  ), ${emitAny(call, events)}`
