// The hint of a refused move: what each status of a case and of a visit allows instead.

import { expect, test } from 'bun:test'
import { caseTransitions, visitTransitions } from '#contract/states.ts'
import { nextCalls } from './next-calls.ts'

const [cancel, withdraw] = ['POST /v1/cases/{id}/cancel', 'POST /v1/cases/{id}/withdraw']
const decide = 'POST /v1/test/cases/{id}/decision'

/** The refused move, the status, and the hint. */
const ofCases: [keyof typeof caseTransitions, string, string][] = [
  [
    'answer',
    'received',
    `A received case accepts POST /v1/cases/{id}/release, ${cancel}, ${withdraw}.`,
  ],
  ['answer', 'queued', `A queued case accepts ${cancel}, ${withdraw}.`],
  ['answer', 'in_review', `An in-review case accepts ${withdraw}.`],
  [
    'release',
    'waiting_on_patient',
    `A waiting-on-patient case accepts ${cancel}, ${withdraw}, POST /v1/cases/{id}/answers.`,
  ],
  ['release', 'approved', 'An approved case is final; no API call can change it.'],
  ['release', 'declined', 'A declined case is final; no API call can change it.'],
  // Controls of the sandbox are named to a caller that used one.
  ['decide', 'queued', `A queued case accepts ${cancel}, ${withdraw}, ${decide}.`],
  ['decide', 'in_review', `An in-review case accepts ${withdraw}, ${decide}.`],
  ['decide', 'withdrawn', 'A withdrawn case is final; no API call can change it.'],
]
test.each(ofCases)('next calls: %s of a case that is %s', (move, status, hint) => {
  expect(nextCalls('case', caseTransitions, move, status)).toBe(hint)
})

const [move, drop] = ['POST /v1/visits/{id}/reschedule', 'POST /v1/visits/{id}/cancel']
const [start, complete, miss] = ['start', 'complete', 'no_show'].map(
  name => `POST /v1/test/visits/{id}/${name}`,
)
const ofVisits: [keyof typeof visitTransitions, string, string][] = [
  ['cancel', 'scheduled', `A scheduled visit accepts ${move}, ${drop}.`],
  ['cancel', 'started', 'Only the clinic can change a started visit. Read it again later.'],
  ['cancel', 'no_show', 'A no-show visit is final; no API call can change it.'],
  ['complete', 'scheduled', `A scheduled visit accepts ${move}, ${drop}, ${start}, ${miss}.`],
  ['start', 'started', `A started visit accepts ${complete}.`],
  ['start', 'completed', 'A completed visit is final; no API call can change it.'],
]
test.each(ofVisits)('next calls: %s of a visit that is %s', (refused, status, hint) => {
  expect(nextCalls('visit', visitTransitions, refused, status)).toBe(hint)
})
