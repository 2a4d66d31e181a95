// A plain message, from either side. It changes no status: chatting is not answering.

import { sql } from '#database/sql.ts'
import { allow, type CaseFacts, caseFacts, heldCase } from '../cases/case.ts'
import { clock, idAt } from '../pipeline/clock.ts'
import { emit, event } from '../events/emit.ts'
import { type Call, type Minted, tenantOf, write } from '../pipeline/handler.ts'
import { published } from '../pipeline/publish.ts'
import { messageColumns } from './message.ts'

type Sending = 'createMessage' | 'sendClinicianMessage'

type Decision = { seen: CaseFacts; body: string; author: string; id: Minted }

const message = (operation: Sending) =>
  write<Sending, CaseFacts, Decision>(operation, {
    facts: (call, { id }) => caseFacts(call, id),
    decide: (call, input, found: CaseFacts | null) => ({
      seen: allow(found, 'converse'),
      body: input.body,
      author: 'author' in input ? (input.author ?? 'integration') : 'clinician',
      id: call.mint('message', 0),
    }),
    write: (call: Call<Sending>, { seen, body, author, id }) => sql`
      ${heldCase(call, seen, sql`share`)}, ${clock(call, 2, sql`held`)},
      changed as (
        insert into messages (tenant, id, "case", kind, author, body, created_at)
        select ${tenantOf(call)}, ${idAt(id)}, ${seen.id}, 'message', ${author}, ${body}, c.at
          from clock c
        returning id, ${published(messageColumns)} as answer
      ), ${emit(call, [event(1, 'case.message_created.v1', seen.id, seen.status, seen.status)])}`,
  })

export const createMessage = message('createMessage')
export const sendClinicianMessage = message('sendClinicianMessage')
