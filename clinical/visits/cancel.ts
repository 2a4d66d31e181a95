import { write } from '../pipeline/handler.ts'
import { moveVisit, writeVisit } from './move.ts'
import { type VisitFacts, visitFacts } from './visit.ts'

export const cancelVisit = write('cancelVisit', {
  facts: (call, { id }) => visitFacts(call, id),
  decide: (_call, _input, found: VisitFacts | null) => moveVisit('cancel', found),
  write: (call, plan) => writeVisit(call, plan),
})
