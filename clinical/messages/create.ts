// Creates a message of either side. It changes no status: a message does not answer a question.

import { sql } from '#database/sql.ts'
import { allow, type CaseFacts, caseFacts, heldCase } from '../cases/case.ts'
import { clock, idAt } from '../pipeline/clock.ts'
import { emit, event } from '../events/emit.ts'
import { type Call, type Minted, tenantOf, write } from '../pipeline/handler.ts'
import { published } from '../pipeline/publish.ts'
import { messageColumns } from './message.ts'

type SendOperation = 'createMessage' | 'sendClinicianMessage'

type Decision = { current: CaseFacts; body: string; author: string; id: Minted }

const message = (operation: SendOperation) =>
  write<SendOperation, CaseFacts, Decision>(operation, {
    facts: (call, { id }) => caseFacts(call, id),
    decide: (call, input, found: CaseFacts | null) => ({
      current: allow(found, 'converse'),
      body: input.body,
      author: 'author' in input ? (input.author ?? 'integration') : 'clinician',
      id: call.mint('message', 0),
    }),
    write: (call: Call<SendOperation>, { current, body, author, id }) => sql`
      ${heldCase(call, current, sql`share`)}, ${clock(call, 2, sql`held`)},
      changed as (
        insert into messages (tenant, id, "case", kind, author, body, created_at)
        select ${tenantOf(call)}, ${idAt(id)}, ${current.id}, 'message', ${author}, ${body}, c.at
          from clock c
        returning id, ${published(messageColumns)} as answer
      ), ${emit(call, [event(1, 'case.message_created.v1', current.id, current.status, current.status)])}`,
  })

export const createMessage = message('createMessage')
export const sendClinicianMessage = message('sendClinicianMessage')
