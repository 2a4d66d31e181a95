import { type CaseFacts, caseFacts } from '../cases/case.ts'
import { postMessage, writeMessage } from '../messages/post.ts'
import { actorOf, sameVersion, write } from './handler.ts'

export const writeStaffMessage = write('writeMessage', {
  facts: (call, { id }) => caseFacts(call, id),
  decide: (call, { body, ...input }, found: CaseFacts | null) =>
    postMessage(call, { author: 'clinician', by: actorOf(call), body }, sameVersion(found, input)),
  write: (call, plan) => writeMessage(call, plan),
})
