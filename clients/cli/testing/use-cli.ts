// The setup for command line tests: one platform, and a shell with its address.

import { afterAll, beforeAll } from 'bun:test'
import { type CliPlatform, openCliPlatform } from './platform.ts'
import { openShell, type Shell } from './shell.ts'

export type Cli = {
  platform: CliPlatform
  shell: Shell
  call: Call
  /** Creates a separate sandbox and home folder on the same platform, for parallel tests. */
  alone(): Promise<Cli>
}

type Call = (method: string, path: string, body?: unknown) => Promise<Answer>

/** The fields that tests read from a response; each test checks the rest itself. */
type Answer = Readonly<Record<string, unknown>> & {
  readonly id: string
  readonly data: readonly (Readonly<Record<string, unknown>> & { id: string; status: string })[]
}

const callWith =
  (base: string, key: string): Call =>
  async (method, path, body) => {
    const headers = {
      authorization: `Bearer ${key}`,
      'content-type': 'application/json',
      ...(method === 'GET' ? {} : { 'idempotency-key': crypto.randomUUID() }),
    }
    const init = { method, headers, ...(body ? { body: JSON.stringify(body) } : {}) }
    return (await fetch(base + path, init)).json() as Promise<Answer>
  }

/** Opens the setup before a file's tests and closes it after them. Read its fields only in
 *  tests. */
export function useCli(): Cli {
  const cli = {} as Cli
  const shells: Shell[] = []
  const open = async (platform: CliPlatform): Promise<Omit<Cli, 'alone'>> => {
    const shell = await openShell({ SVC_BASE_URL: platform.base })
    shells.push(shell)
    return { platform, shell, call: callWith(platform.base, platform.key) }
  }
  cli.alone = async () => {
    const key = await cli.platform.newKey()
    return { ...cli, ...(await open({ ...cli.platform, key })) }
  }
  beforeAll(async () => void Object.assign(cli, await open(await openCliPlatform())), 120_000)
  afterAll(async () => {
    for (const shell of shells) shell.close()
    await cli.platform.close()
  }, 60_000)
  return cli
}
