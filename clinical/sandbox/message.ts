// The sandbox clinician writes to the patient or the integration.

import { type CaseFacts, caseFacts } from '../cases/case.ts'
import { postMessage, writeMessage } from '../messages/post.ts'
import { write } from '../pipeline/handler.ts'
import { sandboxClinician } from '../actor.ts'

export const sendClinicianMessage = write('sendClinicianMessage', {
  facts: (call, { id }) => caseFacts(call, id),
  decide: (call, { body }, found: CaseFacts | null) =>
    postMessage(call, { author: 'clinician', by: sandboxClinician, body }, found),
  write: (call, plan) => writeMessage(call, plan),
})
