// Runs the release's online jobs in the background until all are done.
import { openPool } from '../pool.ts'
import type { OnlineJob } from './jobs.ts'
import { finishOnlineJobs } from './run.ts'

type Options = {
  /** The owner's URL, because only a table's owner may build its indexes. */
  readonly url: string
  readonly jobs: readonly OnlineJob[]
  /** Called after each failure; the job is retried after a minute. */
  onFailure(failure: unknown): void
  readonly retryMilliseconds?: number
}

const settings = {
  // A build waits for every older transaction, and takes hours on a large table.
  statement_timeout: '0',
  lock_timeout: '0',
  // A generic plan, which must suit every position and batch size, would read the whole table per
  // batch.
  plan_cache_mode: 'force_custom_plan',
}

export function keepOnlineJobs({ url, jobs, onFailure, retryMilliseconds = 60_000 }: Options) {
  const stopping = new AbortController()
  const pool = openPool({ url, size: 1, name: 'online jobs', settings })
  const { promise: stopped, resolve } = Promise.withResolvers<void>()
  const work = async (): Promise<void> => {
    while (!stopping.signal.aborted) {
      const isDone = await pool
        .use(connection => finishOnlineJobs(connection, jobs, { stopping: stopping.signal }))
        .then(
          () => true,
          (failure: unknown) => {
            if (!stopping.signal.aborted) onFailure(failure)
            return false
          },
        )
      if (isDone) return
      await Promise.race([Bun.sleep(retryMilliseconds), stopped])
    }
  }
  const finished = work().finally(() => pool.close())
  return {
    finished,
    /** Stops without waiting for a build, which continues in PostgreSQL. */
    stop() {
      stopping.abort()
      resolve()
      void pool.close().catch(() => undefined)
    },
  }
}
