// Patroni's report about each PostgreSQL server, requested from outside the nodes.
import { readFileSync } from 'node:fs'
import path from 'node:path'
import { nodesOf, ports, type Values } from '../values.ts'

export type Database = {
  readonly node: string
  /** `away` if Patroni doesn't respond. */
  readonly role: 'primary' | 'standby' | 'away'
  readonly isRunning: boolean
  /** Whether commits may wait for this standby. A commit waits for any one synchronous standby. */
  readonly isSynchronous: boolean
  readonly timeline: number
}

type Answer = {
  role?: string
  state?: string
  quorum_standby?: boolean
  timeline?: number
}

export async function databasesOf(values: Values, authority: string): Promise<Database[]> {
  const ca = readFileSync(path.join(authority, 'ca.pem'), 'utf8')
  const asked = nodesOf(values, 'database').map(async ({ name: node, address }) => {
    const url = `https://${address}:${ports.patroni}/patroni`
    const init = { tls: { ca }, signal: AbortSignal.timeout(1500), keepalive: false }
    const answer = await fetch(url, init).then(
      response => response.json() as Promise<Answer>,
      () => null,
    )
    if (answer === null) {
      return { node, role: 'away', isRunning: false, isSynchronous: false, timeline: 0 } as const
    }
    return {
      node,
      role: answer.role === 'primary' ? 'primary' : 'standby',
      isRunning: /^(running|streaming)$/.test(answer.state ?? ''),
      isSynchronous: answer.quorum_standby === true,
      timeline: answer.timeline ?? 0,
    } as const
  })
  return Promise.all(asked)
}

export const primaryOf = (all: readonly Database[]): string | undefined =>
  all.find(({ role, isRunning }) => role === 'primary' && isRunning)?.node

export const synchronousOf = (all: readonly Database[]): string[] =>
  all.filter(({ isSynchronous }) => isSynchronous).map(({ node }) => node)

/** Whether there is one primary, and every other node is a running synchronous standby on its
 *  timeline. */
export function isWhole(all: readonly Database[]): boolean {
  const primaries = all.filter(({ role }) => role === 'primary')
  return (
    primaries.length === 1 &&
    synchronousOf(all).length === all.length - 1 &&
    all.every(({ isRunning, timeline }) => isRunning && timeline === primaries[0]?.timeline)
  )
}
