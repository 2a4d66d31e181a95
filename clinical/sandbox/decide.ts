// The sandbox clinician decides.

import { type DecisionFacts, decide, decisionFacts, writeDecision } from '../cases/decide.ts'
import { write } from '../pipeline/handler.ts'
import { sandboxClinician } from '../actor.ts'

export const decideCase = write('decideCase', {
  facts: (call, { id }) => decisionFacts(call, id),
  decide: (call, input, found: DecisionFacts | null) =>
    decide(call, sandboxClinician, input, found),
  write: (call, plan) => writeDecision(call, plan),
})
