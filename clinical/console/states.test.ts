// Both the sandbox's controls and the console move cases and orders. From each state, each
// transition has the same result and events in both, and is allowed only where contract/states.ts
// allows it.

import { beforeAll, describe, expect, test } from 'bun:test'
import type { OperationId } from '#contract/api.ts'
import type { ConsoleId } from '#contract/console/operations.ts'
import { caseStatuses, caseTransitions, orderStatuses, orderTransitions } from '#contract/states.ts'
import { sql } from '#database/sql.ts'
import { eventsOf, queryAsOwner } from '../testing/assertions.ts'
import { type CallResult, invoke, invokeOk, queuedCase, rivera } from '../testing/call.ts'
import { useFixtures } from '../testing/fixtures.ts'
import { type StaffMember, useConsole } from '../testing/staff.ts'

const fixtures = useFixtures()
const staff = useConsole(fixtures)
let clinician: StaffMember
beforeAll(async () => {
  clinician = await staff.hire(['clinician', 'pharmacy'], { states: [rivera.address.state] })
})

const question = (target: string) => ({ target, question: 'Since when?' })
const reason = { reason: 'Not safe.' }
const caseMoves = {
  approve: ['decide', { decision: 'approve' }, 'approveCase', {}],
  decline: ['decide', { decision: 'decline', ...reason }, 'declineCase', reason],
  'ask the patient': [
    'decide',
    { decision: 'needs_info', ...question('patient') },
    'askQuestion',
    question('patient'),
  ],
  'ask the integration': [
    'decide',
    { decision: 'needs_info', ...question('integration') },
    'askQuestion',
    question('integration'),
  ],
  message: ['converse', { body: 'Hello.' }, 'writeMessage', { body: 'Hello.' }],
} as const satisfies Record<string, [keyof typeof caseTransitions, object, ConsoleId, object]>
type CaseMove = keyof typeof caseMoves

const orderMoves = {
  ship: ['shipCase', 'shipOrder', { tracking: { carrier: 'ups', number: '1Z' } }],
  deliver: ['deliverCase', 'deliverOrder', {}],
  block: ['blockCase', 'blockOrder', { reason: 'Out of stock.' }],
  fail: ['failCase', 'failOrder', {}],
} as const satisfies Record<keyof typeof orderTransitions, [OperationId, ConsoleId, object]>
type OrderMove = keyof typeof orderMoves

type Driver = {
  mode: 'test' | 'live'
  as(): string
  moveCase(id: string, move: CaseMove): Promise<CallResult>
  moveOrder(theCase: string, order: string, move: OrderMove): Promise<CallResult>
}

const sandbox: Driver = {
  mode: 'test',
  as: () => fixtures.ada.test,
  moveCase(id, move) {
    const [transition, body] = caseMoves[move]
    const operation = transition === 'decide' ? 'decideCase' : 'sendClinicianMessage'
    return invoke(fixtures, operation, { id, body })
  },
  moveOrder(id, _order, move) {
    const [operation, , body] = orderMoves[move]
    return invoke(fixtures, operation, { id, body })
  },
}

const inConsole: Driver = {
  mode: 'live',
  as: () => fixtures.ada.live,
  async moveCase(id, move) {
    const [, , operation, body] = caseMoves[move]
    const { updated_at: version } = await invokeOk(fixtures, 'getCase', { as: this.as(), id })
    return staff.call(operation, { as: clinician, id, body: { version, ...body } })
  },
  async moveOrder(_case, id, move) {
    const [, operation, body] = orderMoves[move]
    const { updated_at: version } = await invokeOk(fixtures, 'getOrder', { as: this.as(), id })
    return staff.call(operation, { as: clinician, id, body: { version, ...body } })
  },
}

const drivers = [sandbox, inConsole]

async function caseIn(driver: Driver, state: string): Promise<string> {
  const as = driver.as()
  const { id } = await queuedCase(fixtures, as, { hold: state === 'received' })
  const moves: Record<string, CaseMove> = {
    waiting_on_patient: 'ask the patient',
    in_review: 'ask the patient',
    waiting_on_integration: 'ask the integration',
    approved: 'approve',
    declined: 'decline',
  }
  const move = moves[state]
  if (move) await driver.moveCase(id, move)
  const answers = [{ answer: 'In May.' }]
  if (state === 'in_review') await invokeOk(fixtures, 'answerCase', { as, id, body: { answers } })
  if (state === 'cancelled') await invokeOk(fixtures, 'cancelCase', { as, id })
  if (state === 'withdrawn') await invokeOk(fixtures, 'withdrawCase', { as, id })
  expect((await invokeOk(fixtures, 'getCase', { as, id })).status).toBe(state)
  return id
}

async function orderIn(driver: Driver, state: string): Promise<{ theCase: string; order: string }> {
  const theCase = await caseIn(driver, 'approved')
  const as = driver.as()
  const { order_ids } = await invokeOk(fixtures, 'getCase', { as, id: theCase })
  const order: string = order_ids[0]
  const moves: Record<string, OrderMove[]> = {
    shipped: ['ship'],
    delivered: ['ship', 'deliver'],
    blocked: ['block'],
    failed: ['fail'],
  }
  for (const move of moves[state] ?? []) await driver.moveOrder(theCase, order, move)
  // No call leaves an order in this state: shipping passes through it.
  if (state === 'at_pharmacy') {
    await queryAsOwner(
      fixtures,
      driver.mode === 'test'
        ? sql`update test.orders set status = 'at_pharmacy' where id = ${order}`
        : sql`update live.orders set status = 'at_pharmacy' where id = ${order}`,
    )
  }
  expect((await invokeOk(fixtures, 'getOrder', { as, id: order })).status).toBe(state)
  return { theCase, order }
}

/** Returns what a move did: the refusal with the states that would allow the move, or the
 *  events. */
async function outcomeOf(driver: Driver, move: () => Promise<CallResult>) {
  const { answer, lines } = await eventsOf(fixtures, move, driver.as())
  if (answer.problem) {
    expect(lines).toEqual([])
    const { current_status, allowed_from } = answer.body.members
    return { refused: answer.code, current_status, allowed_from }
  }
  // Drops the IDs, which differ between drivers, and keeps each resource's kind.
  return { events: lines.map(line => line.replace(/_[0-7][0-9a-z]{25}$/, '')) }
}

describe.each([...caseStatuses])('a case in %s', state => {
  test('every decision and message follows the table, and is the same with both drivers', async () => {
    const refusing: Partial<Record<Driver['mode'], string>> = {}
    let moved = 0
    for (const [move, [transition]] of Object.entries(caseMoves)) {
      const from: readonly string[] = caseTransitions[transition].from
      const isAllowed = from.includes(state)
      const outcomes = []
      for (const driver of drivers) {
        const id = isAllowed
          ? await caseIn(driver, state)
          : (refusing[driver.mode] ??= await caseIn(driver, state))
        outcomes.push(await outcomeOf(driver, () => driver.moveCase(id, move as CaseMove)))
      }
      const [bySandbox, byConsole] = outcomes
      expect([move, byConsole]).toEqual([move, bySandbox])
      expect([move, 'events' in (byConsole ?? {})]).toEqual([move, isAllowed])
      moved++
    }
    expect(moved).toBe(5)
  })
})

/** The integration's own calls, made with its key for either mode. */
const ownMoves = {
  release: ['releaseCase', {}],
  cancel: ['cancelCase', undefined],
  withdraw: ['withdrawCase', undefined],
  answer: ['answerCase', { answers: [{ answer: 'In May.' }] }],
} as const satisfies Partial<
  Record<keyof typeof caseTransitions, [OperationId, object | undefined]>
>

describe.each([...caseStatuses])('a case in %s', state => {
  test('every call by the integration follows the table, and is the same in both modes', async () => {
    const refusing: Partial<Record<Driver['mode'], string>> = {}
    let moved = 0
    for (const [move, [operation, body]] of Object.entries(ownMoves)) {
      const from: readonly string[] = caseTransitions[move as keyof typeof ownMoves].from
      const isAllowed = from.includes(state)
      const outcomes = []
      for (const driver of drivers) {
        const id = isAllowed
          ? await caseIn(driver, state)
          : (refusing[driver.mode] ??= await caseIn(driver, state))
        const given = { as: driver.as(), id, ...(body && { body }) }
        outcomes.push(await outcomeOf(driver, () => invoke(fixtures, operation, given)))
      }
      const [inTest, inLive] = outcomes
      expect([move, inLive]).toEqual([move, inTest])
      expect([move, 'events' in (inLive ?? {})]).toEqual([move, isAllowed])
      moved++
    }
    expect(moved).toBe(4)
  })
})

describe.each([...orderStatuses])('an order in %s', state => {
  test('every move follows the table, and is the same with both drivers', async () => {
    const refusing: Partial<Record<Driver['mode'], Awaited<ReturnType<typeof orderIn>>>> = {}
    let moved = 0
    for (const name of Object.keys(orderMoves)) {
      const move = name as OrderMove
      const from: readonly string[] = orderTransitions[move].from
      const isAllowed = from.includes(state)
      const outcomes = []
      for (const driver of drivers) {
        const { theCase, order } = isAllowed
          ? await orderIn(driver, state)
          : (refusing[driver.mode] ??= await orderIn(driver, state))
        const outcome = await outcomeOf(driver, () => driver.moveOrder(theCase, order, move))
        // The sandbox moves all of a case's orders, so its refusal is about the case.
        outcomes.push({ ...outcome, current_status: null })
      }
      const [bySandbox, byConsole] = outcomes
      expect([move, byConsole]).toEqual([move, bySandbox])
      expect([move, 'events' in (byConsole ?? {})]).toEqual([move, isAllowed])
      moved++
    }
    expect(moved).toBe(4)
  })
})

describe('claimCase', () => {
  test.each([...caseStatuses])('from %s', async state => {
    const id = await caseIn(inConsole, state)
    const as = inConsole.as()
    const { updated_at: version } = await invokeOk(fixtures, 'getCase', { as, id })
    const outcome = await outcomeOf(inConsole, () =>
      staff.call('claimCase', { as: clinician, id, body: { version } }),
    )
    const from: readonly string[] = caseTransitions.decide.from
    const events = state === 'queued' ? ['case.in_review.v1 queued → in_review case'] : []
    const allowed_from = from.toSorted()
    expect(outcome).toEqual(
      from.includes(state)
        ? { events }
        : { refused: 'invalid_transition', current_status: state, allowed_from },
    )
  })
})
