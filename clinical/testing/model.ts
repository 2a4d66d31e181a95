// What one case, its order and its patient should do: written from the contract's prose
// (contract/03) and from nothing of the program, so that the two can be held against each other.

export type World = {
  readonly patient: 'active' | 'deleted'
  readonly status: string
  /** Of the one order that an approval makes, and of its prescription; null before. */
  readonly order: string | null
  readonly prescription: string | null
}

export const actions = [
  'release',
  'cancel',
  'withdraw',
  'answer',
  'approve',
  'decline',
  'ask_patient',
  'ask_integration',
  'message',
  'clinician_message',
  'ship',
  'deliver',
  'block',
  'fail',
  'delete_patient',
] as const
export type Action = (typeof actions)[number]

/** A refusal changes nothing, so it has no world of its own. */
export type Step = { readonly refused: string } | { readonly world: World; readonly told: string[] }

const refused = (code = 'invalid_transition'): Step => ({ refused: code })
const waiting = ['waiting_on_patient', 'waiting_on_integration']
const open = new Set(['received', 'queued', 'in_review', ...waiting])

const moved = (world: World, status: string, ...told: string[]): Step => ({
  world: { ...world, status },
  told,
})

/** A decision walks through in_review, unless the case stands there. */
const entering = (world: World) => (world.status === 'in_review' ? [] : ['case.in_review.v1'])

function decide(world: World, action: Action): Step {
  if (!['queued', 'in_review', ...waiting].includes(world.status)) return refused()
  const first = entering(world)
  if (action === 'decline') return moved(world, 'declined', ...first, 'case.declined.v1')
  if (action === 'approve') {
    return {
      world: { ...world, status: 'approved', order: 'created', prescription: 'active' },
      told: [...first, 'case.approved.v1', 'prescription.created.v1', 'order.created.v1'],
    }
  }
  const to = action === 'ask_patient' ? 'waiting_on_patient' : 'waiting_on_integration'
  return moved(world, to, ...first, `case.${to}.v1`, 'case.question_asked.v1')
}

function pharmacy(world: World, action: Action): Step {
  const { order, prescription } = world
  const from: Partial<Record<Action, string[]>> = {
    ship: ['created', 'blocked'],
    deliver: ['shipped'],
    block: ['created'],
    fail: ['created', 'blocked', 'shipped'],
  }
  if (order === null || !from[action]?.includes(order)) return refused()
  const changes = prescription === 'active' ? ['prescription.updated.v1'] : []
  switch (action) {
    case 'ship':
      return {
        world: { ...world, order: 'shipped', prescription: 'filled' },
        told: ['order.at_pharmacy.v1', 'order.shipped.v1', ...changes],
      }
    case 'fail':
      return {
        world: {
          ...world,
          order: 'failed',
          prescription: prescription === 'active' ? 'cancelled' : prescription,
        },
        told: ['order.failed.v1', ...changes],
      }
    default: {
      const to = action === 'deliver' ? 'delivered' : 'blocked'
      return { world: { ...world, order: to }, told: [`order.${to}.v1`] }
    }
  }
}

/** What a call must come to in a world. */
export function step(world: World, action: Action): Step {
  const { status } = world
  switch (action) {
    case 'release':
      return status === 'received' ? moved(world, 'queued', 'case.queued.v1') : refused()
    case 'cancel':
      return ['received', 'queued', ...waiting].includes(status)
        ? moved(world, 'cancelled', 'case.cancelled.v1')
        : refused()
    case 'withdraw':
      return open.has(status) ? moved(world, 'withdrawn', 'case.withdrawn.v1') : refused()
    case 'answer':
      return waiting.includes(status)
        ? moved(world, 'in_review', 'case.in_review.v1', 'case.message_created.v1')
        : refused()
    case 'message':
    case 'clinician_message':
      return ['cancelled', 'withdrawn'].includes(status)
        ? refused()
        : moved(world, status, 'case.message_created.v1')
    case 'delete_patient': {
      if (world.patient === 'deleted') return refused('not_found')
      const gone: World = { ...world, patient: 'deleted' }
      return open.has(status)
        ? moved(gone, 'withdrawn', 'case.withdrawn.v1', 'patient.deleted.v1')
        : { world: gone, told: ['patient.deleted.v1'] }
    }
    case 'ship':
    case 'deliver':
    case 'block':
    case 'fail':
      return pharmacy(world, action)
    default:
      return decide(world, action)
  }
}
