import { type CaseFacts, caseFacts } from '../cases/case.ts'
import { write } from '../pipeline/handler.ts'
import { postMessage, writeMessage } from './post.ts'

export const createMessage = write('createMessage', {
  facts: (call, { id }) => caseFacts(call, id),
  decide: (call, { body, author = 'integration' }, found: CaseFacts | null) =>
    postMessage(call, { author, by: null, body }, found),
  write: (call, plan) => writeMessage(call, plan),
})
