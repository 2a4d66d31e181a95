// The servers that a round compares, all under the same load.
import { meter } from './meter.ts'
import { type Load, load } from './load.ts'
import type { Options } from './options.ts'
import type { Server } from './server.ts'

/** Creates sides with this many connections each. `loads` collects their results. */
export function openSides(
  { seconds, requestsMax }: Options,
  connections: number,
  /** The process ID of the server's database, whose CPU time is read. */
  postmaster?: number,
) {
  const loads: Load[] = []
  const side =
    ({ port, pid }: Server, texts: readonly string[]) =>
    () =>
      meter({ gateway: pid, postmaster }, async () => {
        const run = await load({ port, connections, seconds, requestsMax, texts })
        loads.push(run)
        return run
      })
  return { side, loads }
}
