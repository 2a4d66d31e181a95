// The sandbox clinician starts a visit, completes it, or marks a no-show.

import { write } from '../pipeline/handler.ts'
import {
  type CompletionFacts,
  completionFacts,
  endVisit,
  writeCompletion,
} from '../visits/complete.ts'
import { moveVisit, writeVisit } from '../visits/move.ts'
import { type VisitFacts, visitFacts } from '../visits/visit.ts'

export const startVisit = write('startVisit', {
  facts: (call, { id }) => visitFacts(call, id),
  decide: (_call, _input, found: VisitFacts | null) => moveVisit('start', found),
  write: (call, plan) => writeVisit(call, plan),
})

export const noShowVisit = write('noShowVisit', {
  facts: (call, { id }) => visitFacts(call, id),
  decide: (_call, _input, found: VisitFacts | null) => moveVisit('miss', found),
  write: (call, plan) => writeVisit(call, plan),
})

export const completeVisit = write('completeVisit', {
  facts: (call, { id }) => completionFacts(call, id),
  decide: (call, _input, found: CompletionFacts | null) => endVisit(call, found),
  write: (call, plan) => writeCompletion(call, plan),
})
