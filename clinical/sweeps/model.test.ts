// Runs random scenarios on a case and compares each step with testing/model.ts: single calls,
// duplicates with one idempotency key, two concurrent calls, calls whose connections are cut, and
// calls after a restart. For two concurrent calls, one of the two orders must explain every result.
//
// MODEL_SEED=… runs other scenarios, MODEL_RUNS=… runs more of them.

import { expect, test } from 'bun:test'
import * as fc from 'fast-check'
import { until } from '#http/testing/until.ts'
import type { OperationId } from '#contract/api.ts'
import { sql } from '#database/sql.ts'
import { invoke, type CallOptions, queuedCase, invokeOk, type CallResult } from '../testing/call.ts'
import { useFixtures } from '../testing/fixtures.ts'
import { eventsAfter, queryAsOwner } from '../testing/assertions.ts'
import { type Action, actions, step, type CaseState } from '../testing/model.ts'

const fixtures = useFixtures({ poolSize: 6 })

const calls: Record<Action, [OperationId, object | undefined]> = {
  release: ['releaseCase', undefined],
  cancel: ['cancelCase', {}],
  withdraw: ['withdrawCase', { reason: 'No longer wanted.' }],
  answer: ['answerCase', { answers: [{ answer: 'No.' }] }],
  approve: ['decideCase', { decision: 'approve' }],
  decline: ['decideCase', { decision: 'decline', reason: 'Not safe.' }],
  ask_patient: [
    'decideCase',
    { decision: 'needs_info', target: 'patient', question: 'Since when?' },
  ],
  ask_integration: [
    'decideCase',
    { decision: 'needs_info', target: 'integration', question: 'Which pharmacy?' },
  ],
  message: ['createMessage', { body: 'Hello.' }],
  clinician_message: ['sendClinicianMessage', { body: 'Hello.' }],
  ship: ['shipCase', {}],
  deliver: ['deliverCase', undefined],
  block: ['blockCase', { reason: 'Out of stock.' }],
  fail: ['failCase', undefined],
  delete_patient: ['deletePatient', undefined],
}

type Scenario = {
  readonly steps: readonly Step[]
  readonly hold: boolean
  readonly start: readonly Action[]
}
type CaseRun = { id: string; patient: string; last: string }
let keys = 0

/** Makes a call like a client with retries: again with the same key after a 5xx or while the first
 *  call is in progress. */
async function callUntilAnswered(
  life: CaseRun,
  action: Action,
  key = `model-${keys++}`,
): Promise<CallResult> {
  const [operation, body] = calls[action]
  const id = action === 'delete_patient' ? life.patient : life.id
  const options: CallOptions = body === undefined ? { id, key } : { id, key, body }
  let result = await invoke(fixtures, operation, options)
  await until(async () => {
    if (result.status < 500 && result.code !== 'idempotency_in_progress') return true
    result = await invoke(fixtures, operation, options)
    return false
  })
  return result
}

const cutConnections = () =>
  queryAsOwner(
    fixtures,
    sql`select pg_terminate_backend(pid) from pg_stat_activity
         where usename = 'app_test' and datname = current_database()`,
  )

type Step =
  | { readonly how: 'alone' | 'duplicates' | 'cut' | 'restarted'; readonly action: Action }
  | { readonly how: 'at once'; readonly action: Action; readonly other: Action }

/** Returns the state after a step and its events' types. */
async function observe(life: CaseRun) {
  const found = await invokeOk(fixtures, 'getCase', { id: life.id })
  const [order] = (await invokeOk(fixtures, 'listOrders', { id: life.id })).data
  const [prescription] = (await invokeOk(fixtures, 'listPrescriptions', { id: life.id })).data
  const patient = await invoke(fixtures, 'getPatient', { id: life.patient })
  const events = await eventsAfter(fixtures, life.last)
  life.last = events.at(-1)?.id ?? life.last
  const state: CaseState = {
    patient: patient.status === 200 ? 'active' : 'deleted',
    status: found.status,
    order: order?.status ?? null,
    prescription: prescription?.status ?? null,
  }
  return { state, events: events.map(({ type }) => type) }
}

type Outcome = { state: CaseState; events: string[]; codes: (string | null)[] }

/** Returns the model's outcome for a sequence of calls. */
function expectedOutcome(from: CaseState, sequence: readonly Action[]): Outcome {
  let state = from
  const events: string[] = []
  const codes = sequence.map(action => {
    const next = step(state, action)
    if ('refused' in next) return next.refused
    state = next.state
    events.push(...next.events)
    return null
  })
  return { state, events, codes }
}

async function execute(life: CaseRun, one: Step): Promise<CallResult[]> {
  switch (one.how) {
    case 'alone':
      return [await callUntilAnswered(life, one.action)]
    case 'duplicates': {
      const key = `duplicates-${keys++}`
      const all = await Promise.all([1, 2, 3].map(() => callUntilAnswered(life, one.action, key)))
      // A refusal doesn't store its key, so each duplicate is decided again, with the same result.
      expect(new Set(all.map(each => `${each.code} ${each.text}`)).size).toBe(1)
      return all.slice(0, 1)
    }
    case 'cut': {
      const [result] = await Promise.all([callUntilAnswered(life, one.action), cutConnections()])
      return [result]
    }
    case 'restarted':
      await fixtures.reopen()
      return [await callUntilAnswered(life, one.action)]
    default:
      return Promise.all([callUntilAnswered(life, one.action), callUntilAnswered(life, one.other)])
  }
}

/** The actions before the random steps, so no state is rare. */
const starts: Record<string, readonly Action[]> = {
  filed: [],
  'in review': ['ask_patient', 'answer'],
  waiting: ['ask_integration'],
  approved: ['approve'],
  shipped: ['approve', 'ship'],
  blocked: ['approve', 'block'],
}

async function runScenario({ steps, hold, start }: Scenario): Promise<void> {
  const { id, patient } = await queuedCase(fixtures, undefined, { hold })
  const before = await eventsAfter(fixtures, null)
  const life = { id, patient, last: before.at(-1)?.id ?? '' }
  let state: CaseState = {
    patient: 'active',
    status: hold ? 'received' : 'queued',
    order: null,
    prescription: null,
  }
  for (const action of hold && start.length > 0 ? ['release' as const, ...start] : start) {
    state = expectedOutcome(state, [action]).state
    await callUntilAnswered(life, action)
  }
  await observe(life)
  for (const one of steps) {
    const codes = (await execute(life, one)).map(({ code }) => code)
    const observed = { ...(await observe(life)), codes }
    const orders =
      one.how === 'at once'
        ? [
            expectedOutcome(state, [one.action, one.other]),
            withCodesSwapped(expectedOutcome(state, [one.other, one.action])),
          ]
        : [expectedOutcome(state, [one.action])]
    const fits = orders.some(each => Bun.deepEquals(each, observed))
    if (!fits)
      expect({ one, state, observed }).toEqual({ one, state, observed: orders[0] as never })
    state = observed.state
  }
}

/** Returns the codes in the order the calls were made, not in the explanation's order. */
const withCodesSwapped = (one: Outcome): Outcome => ({ ...one, codes: one.codes.toReversed() })

const action = fc.constantFrom(...actions)
const how: fc.Arbitrary<Step> = fc.oneof(
  { weight: 8, arbitrary: fc.record({ how: fc.constant('alone' as const), action }) },
  { weight: 3, arbitrary: fc.record({ how: fc.constant('duplicates' as const), action }) },
  {
    weight: 4,
    arbitrary: fc.record({ how: fc.constant('at once' as const), action, other: action }),
  },
  { weight: 1, arbitrary: fc.record({ how: fc.constant('cut' as const), action }) },
  { weight: 1, arbitrary: fc.record({ how: fc.constant('restarted' as const), action }) },
)
const scenarios: fc.Arbitrary<Scenario> = fc.record({
  steps: fc.array(how, { minLength: 3, maxLength: 6 }),
  hold: fc.boolean(),
  start: fc.constantFrom(...Object.values(starts)),
})

test('model: random calls move a case, its order and its patient as the model predicts', async () => {
  await fc.assert(fc.asyncProperty(scenarios, runScenario), {
    numRuns: Number(process.env['MODEL_RUNS'] ?? 30),
    seed: Number(process.env['MODEL_SEED'] ?? 20_261_124),
    interruptAfterTimeLimit: 120_000,
    endOnFailure: false,
  })
  expect(fixtures.errors.filter(failure => !String(failure).includes('onnection'))).toEqual([])
}, 180_000)
