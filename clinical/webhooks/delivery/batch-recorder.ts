// Gathers attempts that have ended and records them together: while one statement is under way,
// those that end meanwhile wait for the next. Nobody waits for company: an attempt that ends alone
// is recorded at once.

import type { Connection, ConnectionPool } from '#database/pool.ts'
import { type Ended, type Recorded } from './record.ts'

/** So that a statement stays a matter of milliseconds. */
const together = 128

type Waiting = Ended & {
  resolve(recorded: Recorded): void
  reject(failure: unknown): void
}

export type Recorder = (ended: Ended) => Promise<Recorded>

export function openRecorder(
  pool: ConnectionPool,
  record: (connection: Connection, ended: readonly Ended[]) => Promise<Recorded[]>,
): Recorder {
  let waiting: Waiting[] = []
  let isUnderWay = false

  const write = (ended: readonly Ended[]) => pool.use(connection => record(connection, ended))
  /** Once more, each alone: what failed one must not fail the others, and after a connection was
   *  lost the claim says whether the first statement was heard. */
  const writeEach = (batch: readonly Waiting[]) =>
    Promise.all(
      batch.map(one => write([one]).then(([status]) => one.resolve(status ?? null), one.reject)),
    )

  async function keepWriting(): Promise<void> {
    while (waiting.length > 0) {
      const { batch, left } = takeFrom(waiting)
      waiting = left
      await write(batch).then(
        recorded => batch.forEach((one, at) => one.resolve(recorded[at] ?? null)),
        () => writeEach(batch),
      )
    }
    isUnderWay = false
  }

  return ended =>
    new Promise((resolve, reject) => {
      waiting.push({ ...ended, resolve, reject })
      if (isUnderWay) return
      isUnderWay = true
      // Behind whatever else has ended in the same turn.
      setImmediate(() => void keepWriting())
    })
}

/** The first ones, of each delivery one: a worker may have taken over from itself. */
function takeFrom(waiting: readonly Waiting[]): { batch: Waiting[]; left: Waiting[] } {
  const batch = new Map<string, Waiting>()
  const left: Waiting[] = []
  for (const one of waiting) {
    const key = `${one.claimed.own} ${one.claimed.id}`
    if (batch.size < together && !batch.has(key)) batch.set(key, one)
    else left.push(one)
  }
  return { batch: [...batch.values()], left }
}
