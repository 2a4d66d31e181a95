// The clinical API and its tool server in one process, connected as in the gateway but on one port,
// so the API and the tool server share a pool, a cache and an event loop. Reads its settings from
// standard input.
import path from 'node:path'
import { createContext } from '#clinical/context.ts'
import { clinicalGroups } from '#clinical/rest/http.ts'
import { createHostCheck } from '#http/host-check.ts'
import { createLog } from '#http/log.ts'
import { createRouter } from '#http/router.ts'
import { addressReader } from '#http/client-address.ts'
import { toolServerOf } from '#gateway/origins/tool-server.ts'
import { newRequestId } from '#http/http-request.ts'

type ToolServerSettings = {
  port: number
  urls: { test: string; live: string }
  pepper: string
  files: string
}

function open({ port, urls, pepper, files }: ToolServerSettings): void {
  const base = `http://localhost:${port}`
  const log = createLog('json')
  const onError = (failure: unknown) => log.event('call.failed', { message: String(failure) })
  const context = createContext({
    urls,
    pepper,
    base,
    poolSize: 10,
    isLiveOpen: () => true,
    rateLimit: 10_000_000,
    storage: { folder: path.join(files, 'documents') },
    onError,
  })
  const tools = toolServerOf({
    clinic: context,
    listeners: {
      urls: { auth: base, mcp: `${base}/mcp`, portal: base, console: base },
      base,
    },
    base,
    docs: () => {
      throw new Error('This benchmark must not read guides.')
    },
    onError,
  })
  const router = createRouter({
    groups: [...clinicalGroups(context, onError), ...(tools.groups ?? [])],
    plain: [],
    fallback: () => new Response(null, { status: 404 }),
    isAllowedHost: createHostCheck(base, []),
    addressOf: addressReader([]),
    newRequestId,
    base,
    log,
    onError,
  })
  Bun.serve({ port, hostname: '127.0.0.1', fetch: router })
}

if (import.meta.main) open(await Bun.stdin.json())
