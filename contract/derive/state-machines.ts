// The statuses of cases, orders and visits as one document for programs: /state-machines.json.
import { operations, type OperationId, table } from '../api.ts'
import { eventTypes } from '../events.ts'
import { apiVersion } from '../limits.ts'
import { machines, type Transition } from '../states.ts'

type Move = {
  name: string
  operation: string
  method: string
  path: string
  from: readonly string[]
  through?: string
  to: readonly string[]
}

type StateMachine = {
  states: { name: string; final: boolean; event: string | null }[]
  transitions: Move[]
}

const isOperation = (name: string): name is OperationId => name in operations

function moveOf(name: string, { by, from, to, ends }: Transition<string>): Move[] {
  if (to === null) return []
  if (!isOperation(by)) throw new Error(`${by} must be an operation in the contract`)
  const { method, path } = table[by]
  const through = ends === undefined ? {} : { through: to }
  return [{ name, operation: by, method, path, from, ...through, to: ends ?? [to] }]
}

/** Returns the event named after a status, such as `case.approved.v1`. */
function eventOf(resource: string, state: string): string | null {
  return eventTypes.find(type => type === `${resource}.${state}.v1`) ?? null
}

export function stateMachines(): object {
  const all = Object.entries(machines).map(([name, { states, transitions }]) => {
    const resource = name.toLowerCase()
    const moves = Object.entries(transitions).flatMap(([each, one]) => moveOf(each, one))
    const machine: StateMachine = {
      states: states.map(state => ({
        name: state,
        final: !moves.some(({ from }) => from.includes(state)),
        event: eventOf(resource, state),
      })),
      transitions: moves,
    }
    return [resource, machine] as const
  })
  return {
    about:
      "Each clinical API resource's statuses, and the operations that change them. `through` is a status passed on the way; `event` announces a status.",
    api_version: apiVersion,
    machines: Object.fromEntries(all),
  }
}
