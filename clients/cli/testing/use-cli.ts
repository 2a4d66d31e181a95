// The set-up of the tests of the command line: one platform, and a shell with its address.

import { afterAll, beforeAll } from 'bun:test'
import { type CliPlatform, openCliPlatform } from './platform.ts'
import { openShell, type Shell } from './shell.ts'

export type Cli = { platform: CliPlatform; shell: Shell; call: Call }

type Call = (method: string, path: string, body?: unknown) => Promise<Answer>

/** What tests read of an answer; the rest is theirs to check. */
type Answer = Readonly<Record<string, unknown>> & {
  readonly id: string
  readonly data: readonly (Readonly<Record<string, unknown>> & { id: string; status: string })[]
}

/** Opened before the tests of a file and closed after them; read inside tests. */
export function useCli(): Cli {
  const cli = {} as Cli
  beforeAll(async () => {
    cli.platform = await openCliPlatform()
    const { base, key } = cli.platform
    cli.shell = await openShell({ SVC_BASE_URL: base })
    cli.call = async (method, path, body) => {
      const headers = {
        authorization: `Bearer ${key}`,
        'content-type': 'application/json',
        ...(method === 'GET' ? {} : { 'idempotency-key': crypto.randomUUID() }),
      }
      const init = { method, headers, ...(body ? { body: JSON.stringify(body) } : {}) }
      return (await fetch(base + path, init)).json() as Promise<Answer>
    }
  }, 120_000)
  afterAll(async () => {
    cli.shell.close()
    await cli.platform.close()
  }, 60_000)
  return cli
}
