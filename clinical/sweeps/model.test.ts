// Random lives of a case against the reference: calls alone, in twins, two at once, with every
// connection cut under them, and with the house closed and opened between them. Whatever order two
// calls at once were really carried out in, one of the two orders must explain all of it.
//
// A failure names its seed: MODEL_SEED=… repeats it, MODEL_RUNS=… takes more.

import { expect, test } from 'bun:test'
import * as fc from 'fast-check'
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

type Lived = {
  readonly steps: readonly How[]
  readonly hold: boolean
  readonly start: readonly Action[]
}
type Life = { id: string; patient: string; last: string }
let keys = 0

/** Makes a call as a client does that means to have it done: again, under its key, until it has an
 *  answer that is not the server's trouble. */
async function insist(life: Life, action: Action, key = `model-${keys++}`): Promise<CallResult> {
  const [operation, body] = calls[action]
  const id = action === 'delete_patient' ? life.patient : life.id
  const asked: CallOptions = body === undefined ? { id, key } : { id, key, body }
  for (;;) {
    const replied = await invoke(fixtures, operation, asked)
    if (replied.status < 500 && replied.code !== 'idempotency_in_progress') return replied
    await Bun.sleep(5)
  }
}

const cut = () =>
  queryAsOwner(
    fixtures,
    sql`select pg_terminate_backend(pid) from pg_stat_activity
         where usename = 'app_test' and datname = current_database()`,
  )

type How =
  | { readonly how: 'alone' | 'twins' | 'cut' | 'reopened'; readonly action: Action }
  | { readonly how: 'at once'; readonly action: Action; readonly other: Action }

/** What the world, the answers and the events are after a step, in one line each. */
async function observed(life: Life) {
  const found = await invokeOk(fixtures, 'getCase', { id: life.id })
  const [order] = (await invokeOk(fixtures, 'listOrders', { id: life.id })).data
  const [prescription] = (await invokeOk(fixtures, 'listPrescriptions', { id: life.id })).data
  const patient = await invoke(fixtures, 'getPatient', { id: life.patient })
  const events = await eventsAfter(fixtures, life.last)
  life.last = events.at(-1)?.id ?? life.last
  const world: CaseState = {
    patient: patient.status === 200 ? 'active' : 'deleted',
    status: found.status,
    order: order?.status ?? null,
    prescription: prescription?.status ?? null,
  }
  return { world, told: events.map(({ type }) => type) }
}

type Explained = { world: CaseState; told: string[]; codes: (string | null)[] }

/** What a sequence of calls must come to. */
function explain(from: CaseState, sequence: readonly Action[]): Explained {
  let world = from
  const told: string[] = []
  const codes = sequence.map(action => {
    const next = step(world, action)
    if ('refused' in next) return next.refused
    world = next.state
    told.push(...next.events)
    return null
  })
  return { world, told, codes }
}

async function carryOut(life: Life, one: How): Promise<CallResult[]> {
  switch (one.how) {
    case 'alone':
      return [await insist(life, one.action)]
    case 'twins': {
      const key = `twins-${keys++}`
      const all = await Promise.all([1, 2, 3].map(() => insist(life, one.action, key)))
      // A refusal leaves no key, so a twin of it is judged by itself, and all are judged alike.
      expect(new Set(all.map(each => `${each.code} ${each.text}`)).size).toBe(1)
      return all.slice(0, 1)
    }
    case 'cut': {
      const [replied] = await Promise.all([insist(life, one.action), cut()])
      return [replied]
    }
    case 'reopened':
      await fixtures.reopen()
      return [await insist(life, one.action)]
    default:
      return Promise.all([insist(life, one.action), insist(life, one.other)])
  }
}

/** How a life comes to where its steps begin, so that no state is rare. */
const starts: Record<string, readonly Action[]> = {
  filed: [],
  'in review': ['ask_patient', 'answer'],
  waiting: ['ask_integration'],
  approved: ['approve'],
  shipped: ['approve', 'ship'],
  blocked: ['approve', 'block'],
}

async function live({ steps, hold, start }: Lived): Promise<void> {
  const { id, patient } = await queuedCase(fixtures, undefined, { hold })
  const before = await eventsAfter(fixtures, null)
  const life = { id, patient, last: before.at(-1)?.id ?? '' }
  let world: CaseState = {
    patient: 'active',
    status: hold ? 'received' : 'queued',
    order: null,
    prescription: null,
  }
  for (const action of hold && start.length > 0 ? ['release' as const, ...start] : start) {
    world = explain(world, [action]).world
    await insist(life, action)
  }
  await observed(life)
  for (const one of steps) {
    const codes = (await carryOut(life, one)).map(({ code }) => code)
    const seen = { ...(await observed(life)), codes }
    const orders =
      one.how === 'at once'
        ? [
            explain(world, [one.action, one.other]),
            swapped(explain(world, [one.other, one.action])),
          ]
        : [explain(world, [one.action])]
    const fits = orders.some(each => Bun.deepEquals(each, seen))
    if (!fits) expect({ one, world, seen }).toEqual({ one, world, seen: orders[0] as never })
    world = seen.world
  }
}

/** The answers in the order in which the calls were made, not in which they are explained. */
const swapped = (one: Explained): Explained => ({ ...one, codes: one.codes.toReversed() })

const action = fc.constantFrom(...actions)
const how: fc.Arbitrary<How> = fc.oneof(
  { weight: 8, arbitrary: fc.record({ how: fc.constant('alone' as const), action }) },
  { weight: 3, arbitrary: fc.record({ how: fc.constant('twins' as const), action }) },
  {
    weight: 4,
    arbitrary: fc.record({ how: fc.constant('at once' as const), action, other: action }),
  },
  { weight: 1, arbitrary: fc.record({ how: fc.constant('cut' as const), action }) },
  { weight: 1, arbitrary: fc.record({ how: fc.constant('reopened' as const), action }) },
)
const lives: fc.Arbitrary<Lived> = fc.record({
  steps: fc.array(how, { minLength: 3, maxLength: 6 }),
  hold: fc.boolean(),
  start: fc.constantFrom(...Object.values(starts)),
})

test('every life of a case is one that the contract tells', async () => {
  const seed = process.env['MODEL_SEED']
  await fc.assert(fc.asyncProperty(lives, live), {
    numRuns: Number(process.env['MODEL_RUNS'] ?? 30),
    ...(seed === undefined ? {} : { seed: Number(seed) }),
    interruptAfterTimeLimit: 120_000,
    endOnFailure: false,
  })
  expect(fixtures.errors.filter(failure => !String(failure).includes('onnection'))).toEqual([])
}, 180_000)
