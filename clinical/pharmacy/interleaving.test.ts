// Runs events in random orders: workers die before or after the pharmacy has stored an order,
// responses are lost, and updates are repeated or late. A prescription always has at most one order
// at the pharmacy, and its transitions are legal.

import { expect, test } from 'bun:test'
import {
  type Arbitrary,
  array,
  assert,
  asyncProperty,
  constant,
  constantFrom,
  nat,
  oneof,
  record,
} from 'fast-check'
import { type UpdateType, updateTypes } from '#contract/pharmacy/protocol.ts'
import { connectedTransitions } from '#contract/states.ts'
import { useFixtures } from '../testing/fixtures.ts'
import type { PharmacyProvider } from './provider.ts'
import { usePharmacyClinic } from './testing/clinic.ts'

const fixtures = useFixtures()
const clinic = usePharmacyClinic(fixtures)

/** Each state's possible next states; a shipment passes through `at_pharmacy`. */
const legal = new Set(
  Object.values(connectedTransitions).flatMap(({ from, to }) => from.map(one => `${one} ${to}`)),
)

/** A worker that dies, either before sending or after the pharmacy's response. */
const dying = (hasSent: boolean): PharmacyProvider => ({
  async transmit(...sent) {
    if (hasSent) await clinic.parts.provider.transmit(...sent)
    throw new Error('the worker died')
  },
})

const step = oneof(
  constant('transmit' as const),
  constantFrom('dies before', 'dies after', 'answer lost', 'unavailable'),
  record({ type: constantFrom(...updateTypes), minute: nat(5), id: nat(8) }),
)
type Step = typeof step extends Arbitrary<infer S> ? S : never

async function perform(one: Step, order: string): Promise<void> {
  if (typeof one === 'object') {
    const { type, minute, id } = one
    const timestamp = new Date(Date.UTC(2026, 0, 1, 0, minute)).toISOString()
    const reason = type === 'order.blocked' ? { reason: 'Out of stock' } : {}
    const answer = await clinic.send(
      { type, timestamp, data: { order, ...reason } },
      { id: `${order}${id}` },
    )
    expect([200, 409, 422]).toContain(answer.status)
    return
  }
  const { answers } = clinic.double
  if (one === 'answer lost') answers.push(made => (made(), new Response('lost', { status: 502 })))
  if (one === 'unavailable') answers.push(() => new Response('', { status: 503 }))
  const provider = one.startsWith('dies') ? { provider: dying(one === 'dies after') } : {}
  await clinic.wait(100_000)
  await clinic.transmit(provider).catch(() => ({}))
  answers.length = 0
}

const update = (type: UpdateType, minute: number) => ({ type, minute, id: minute })

/** Runs in addition to the random sequences, so every run moves orders. */
const whole: Step[] = [
  'dies after',
  'transmit',
  update('order.at_pharmacy', 0),
  update('order.blocked', 1),
  update('order.shipped', 2),
  update('order.delivered', 3),
  update('order.failed', 4),
]
const wholeCourse = ['created', 'at_pharmacy', 'blocked', 'at_pharmacy', 'shipped', 'delivered']

test('any sequence creates at most one order at the pharmacy, and reaches only legal states', async () => {
  const courses: string[] = []
  await assert(
    asyncProperty(array(step, { maxLength: 12 }), async steps => {
      const { order, prescription } = await clinic.approve()
      for (const one of steps) await perform(one, order)
      const events = await clinic.eventsOf(order)
      const states = events.map(type => type.split('.')[1] ?? '')
      const moves = states.slice(1).map((to, at) => `${states[at]} ${to}`)
      expect(moves.filter(one => !legal.has(one))).toEqual([])
      expect(states.at(-1)).toBe(await clinic.statusOf(order))
      courses.push(states.join(' '))
      const bodies = [...clinic.double.orders].filter(
        ([key, { body }]) => key === prescription || body.includes(order),
      )
      expect(bodies.length).toBeLessThanOrEqual(1)
      expect(clinic.double.faults).toEqual([])
    }),
    { numRuns: Number(process.env['FAULT_ROUNDS'] ?? 1) * 25, examples: [[whole]] },
  )
  expect(courses[0]).toBe(wholeCourse.join(' '))
})
