// Sends commands to the supervisor of this machine's cluster.
import type { ServiceName } from '../services.ts'
import type { State } from './state.ts'

export type ServiceState = {
  readonly node: string
  readonly service: ServiceName
  readonly pid: number | null
  readonly starts: number
  readonly release: string
}
type Choice = { node?: string; service?: ServiceName; release?: string }

async function ask(state: State, action: string, choice: Choice): Promise<ServiceState[]> {
  const query = new URLSearchParams(choice as Record<string, string>)
  const url = `http://supervisor/${action}?${query}`
  const answer = await fetch(url, { unix: state.socket, method: 'POST', keepalive: false })
  return (await answer.json()) as ServiceState[]
}

export const startServices = (state: State, choice: Choice = {}) => ask(state, 'start', choice)
/** Resolves when the services have stopped, which may take longer than one request. */
export async function stopServices(state: State, choice: Choice = {}): Promise<void> {
  await ask(state, 'stop', choice)
  await until('the services to stop', 120, async () =>
    (await listServices(state, choice)).every(({ pid }) => pid === null),
  )
}
export const listServices = (state: State, choice: Choice = {}) => ask(state, 'list', choice)

/** Waits for the cluster to reach a state. */
export async function until<T>(
  what: string,
  seconds: number,
  attempt: () => Promise<T | false | undefined>,
): Promise<T> {
  const end = performance.now() + seconds * 1000
  let last: unknown
  while (performance.now() < end) {
    const found = await attempt().catch((failure: unknown) => {
      last = failure
      return undefined
    })
    if (found !== undefined && found !== false) return found
    await Bun.sleep(250)
  }
  const reason = last instanceof Error ? `: ${last.message}` : ''
  throw new Error(`${what}: not reached in ${seconds} seconds${reason}`)
}
