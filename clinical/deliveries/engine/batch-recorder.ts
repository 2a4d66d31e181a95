// Records finished attempts in batches: attempts that finish while a statement is running wait for
// the next batch. An attempt that finishes alone is recorded immediately.

import type { Connection, ConnectionPool } from '#database/pool.ts'
import { type EndedAttempt, type RecordedStatus } from './record.ts'

/** Small enough for a statement to take milliseconds. */
const batchMax = 128

type Waiting = EndedAttempt & {
  resolve(recorded: RecordedStatus): void
  reject(failure: unknown): void
}

export type Recorder = (ended: EndedAttempt) => Promise<RecordedStatus>

export function openRecorder(
  pool: ConnectionPool,
  record: (connection: Connection, ended: readonly EndedAttempt[]) => Promise<RecordedStatus[]>,
): Recorder {
  let waiting: Waiting[] = []
  let isUnderWay = false

  const write = (ended: readonly EndedAttempt[]) =>
    pool.use(connection => record(connection, ended))
  /** Records each attempt of a failed batch alone, because one failure must not fail the other
   *  attempts. If the connection was lost, the delivery's claim shows whether the batch was
   *  committed. */
  const writeEach = (batch: readonly Waiting[]) =>
    Promise.all(
      batch.map(one => write([one]).then(([status]) => one.resolve(status ?? null), one.reject)),
    )

  async function keepWriting(): Promise<void> {
    while (waiting.length > 0) {
      const { batch, left } = nextBatch(waiting)
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
      // Runs after everything else that finished in this turn of the event loop.
      setImmediate(() => void keepWriting())
    })
}

/** Takes the oldest attempts, one per delivery, because a worker may have claimed a delivery twice.
 */
function nextBatch(waiting: readonly Waiting[]): { batch: Waiting[]; left: Waiting[] } {
  const batch = new Map<string, Waiting>()
  const left: Waiting[] = []
  for (const one of waiting) {
    const key = `${one.claimed.own} ${one.claimed.id}`
    if (batch.size < batchMax && !batch.has(key)) batch.set(key, one)
    else left.push(one)
  }
  return { batch: [...batch.values()], left }
}
