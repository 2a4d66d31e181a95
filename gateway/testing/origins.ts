// Every module's listener on a free port, with captured logs.
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { addressReader } from '#http/client-address.ts'
import type { Log } from '#http/log.ts'
import type { PlainEndpoint } from '#http/router.ts'
import { serveAuthServer } from '../origins/auth-server.ts'
import { readConfig } from '../settings/config.ts'
import { newRequestId } from '#http/http-request.ts'
import { openListeners } from '../origins/listeners.ts'
import type { RequestListener } from '../origins/node-listener.ts'

type Line = Parameters<Log['request']>[0]

type Settings = {
  readonly environment?: Readonly<Record<string, string>>
  /** The authorization server's handler; if absent, nothing is served at its origin. */
  readonly auth?: RequestListener
  readonly paths?: readonly string[]
  readonly mcp?: readonly PlainEndpoint[]
}

export async function openOrigins({ environment, auth, paths = [], mcp = [] }: Settings = {}) {
  const folder = mkdtempSync(path.join(tmpdir(), 'origins-'))
  const config = readConfig({ PORT: '0', DATA_DIR: folder, ...environment })
  const listeners = await openListeners(config)
  const lines: Line[] = []
  const failures: unknown[] = []
  const parts = {
    addressOf: addressReader(config.trustedProxies),
    log: { request: (line: Line) => void lines.push(line), event() {}, flush() {} },
    onError: (failure: unknown) => void failures.push(failure),
  }
  listeners.site.serve(() => Promise.resolve(new Response('the site')))
  const none = { endpoints: [] }
  const modules = { mcp: { endpoints: mcp }, portal: none, console: none }
  listeners.serveModules({ ...parts, newRequestId, modules })
  const opened: unknown[] = []
  const open = (given: unknown) => {
    opened.push(given)
    return { paths, answer: auth ?? (() => {}), close: async () => {} }
  }
  serveAuthServer({ ...parts, listeners, ...(auth && { open }) })
  return {
    listeners,
    lines,
    failures,
    opened,
    async close() {
      await listeners.stop(true)
      rmSync(folder, { recursive: true })
    },
  }
}
