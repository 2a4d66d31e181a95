// Tests that wait for seconds start before a file's other tests and run at the same time, each with
// its own sandbox and home folder.

import { beforeAll, test } from 'bun:test'
import type { Cli } from './use-cli.ts'

type Work = (own: Cli, env: { SVC_API_KEY: string }) => Promise<void>

/** Starts the work before the file's tests, and reports its result as a test. */
export const waitsWith =
  (cli: Cli) =>
  (title: string, run: Work, timeoutMs = 300_000) => {
    let outcome: Promise<void> | undefined
    beforeAll(async () => {
      const own = await cli.alone()
      outcome = run(own, { SVC_API_KEY: own.platform.key })
      outcome.catch(() => {})
    })
    test(title, () => outcome, timeoutMs)
  }
