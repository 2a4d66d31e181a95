// The possible faults: a process or machine is killed, stopped, or cut off from the network.
import { listServices } from '../local/control.ts'
import { type Database, primaryOf, synchronousOf } from '../local/databases.ts'
import { heal, namespaceOf, partition, signalAll } from '../local/network.ts'
import type { State } from '../local/state.ts'
import type { ServiceName } from '../services.ts'
import { nodesOf, type Values } from '../values.ts'

const kinds = ['kill', 'stop', 'partition'] as const
type Kind = (typeof kinds)[number]
const targets = [
  'primary',
  'standby',
  'etcd member',
  'etcd majority',
  'cache',
  'storage',
  'gateway',
  'worker',
] as const
type Target = (typeof targets)[number]
export type Fault = { readonly kind: Kind; readonly target: Target }

/** A worker shares its machine with a gateway, so a partition affects both. */
export const allFaults: readonly Fault[] = targets.flatMap(target =>
  kinds.filter(kind => target !== 'worker' || kind !== 'partition').map(kind => ({ kind, target })),
)

/** Random numbers from a seed, so a run can be repeated (mulberry32). */
export function randomFrom(seed: number): () => number {
  let state = seed
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296
  }
}

/** Every fault once, in the seed's order, then again from the start. */
export function faultsOf(rounds: number, random: () => number): Fault[] {
  const chosen: Fault[] = []
  while (chosen.length < rounds) {
    const order = allFaults.map(fault => ({ fault, at: random() })).toSorted((a, b) => a.at - b.at)
    chosen.push(...order.map(({ fault }) => fault))
  }
  return chosen.slice(0, rounds)
}

/** The nodes that a fault affects now. */
export function nodesHit(
  { target }: Fault,
  values: Values,
  databases: readonly Database[],
  random: () => number,
): string[] {
  const one = (names: readonly string[]) =>
    names.slice(Math.floor(random() * names.length)).slice(0, 1)
  const named = (role: 'etcd' | 'cache' | 'storage' | 'app') =>
    nodesOf(values, role).map(({ name }) => name)
  switch (target) {
    case 'primary':
      return [primaryOf(databases) ?? ''].filter(Boolean)
    case 'standby':
      return one(synchronousOf(databases))
    case 'etcd member':
      return one(named('etcd'))
    case 'etcd majority': {
      const spared = one(named('etcd'))
      return named('etcd').filter(name => !spared.includes(name))
    }
    case 'cache':
      return named('cache').slice(0, 1)
    case 'storage':
      return named('storage')
    default:
      return one(named('app'))
  }
}

const seconds = (duration: number) => Bun.sleep(duration * 1000)

/** Causes the fault, maintains it for `lasts` seconds if possible, and undoes it. */
export async function inflict(
  state: State,
  { kind, target }: Fault,
  nodes: readonly string[],
  lasts: number,
): Promise<void> {
  const service: ServiceName | undefined =
    target === 'gateway' || target === 'worker' ? target : undefined
  if (kind === 'partition') {
    for (const node of nodes) partition(node)
    await seconds(lasts)
    for (const node of nodes) heal(node)
    return
  }
  const signal = async (name: NodeJS.Signals) => {
    for (const node of nodes) {
      if (service === undefined) signalAll(namespaceOf(node), name)
      else
        for (const { pid } of await listServices(state, { node, service }))
          if (pid !== null) process.kill(pid, name)
    }
  }
  if (kind === 'kill') return signal('SIGKILL')
  await signal('SIGSTOP')
  await seconds(lasts)
  await signal('SIGCONT')
}
