// Branch previews, each on its own host: `bun deploy/preview/branches.ts --previews <folder>`
// serves <folder>/<label>/current at http://<label>.localhost:4400/, or at any host name that
// starts with the label. Each preview is a whole site with its lists, /ask and tools. Search
// engines must not index a preview, and booking is a dry run.
import { existsSync, readdirSync } from 'node:fs'
import path from 'node:path'
import { parseArgs } from 'node:util'
import { forward, startGateway } from './gateway.ts'

const idleMinutes = 15

const { values } = parseArgs({
  options: {
    previews: { type: 'string' },
    port: { type: 'string', default: '4400' },
    host: { type: 'string', default: '127.0.0.1' },
  },
})
if (values.previews === undefined) {
  console.error(
    'Usage: node deploy/run.mjs deploy/preview/branches.ts --previews <folder> [--port 4400] [--host 127.0.0.1]',
  )
  process.exit(2)
}
const previews = path.resolve(values.previews)

type Running = { url: Promise<string>; timer?: NodeJS.Timeout; stop(): void }
const running = new Map<string, Running>()

const folderOf = (label: string) => path.join(previews, label, 'current')
const exists = (label: string) => /^[a-z0-9-]+$/.test(label) && existsSync(folderOf(label))

/** Starts a gateway for one branch's build. The gateway stops after a while without requests. */
function start(label: string): Running {
  const { url, exited, stop } = startGateway(folderOf(label))
  const started: Running = { url, stop }
  void exited.then(() => {
    clearTimeout(started.timer)
    running.delete(label)
  })
  running.set(label, started)
  return started
}

async function answer(request: Request): Promise<Response> {
  const { hostname } = new URL(request.url)
  const [label = ''] = hostname.split('.')
  if (!exists(label)) return notFound(label)
  const preview = running.get(label) ?? start(label)
  clearTimeout(preview.timer)
  preview.timer = setTimeout(preview.stop, idleMinutes * 60_000)
  return forward(request, await preview.url)
}

function notFound(label: string): Response {
  const labels = existsSync(previews) ? readdirSync(previews).filter(exists) : []
  const text = `There's no preview of ${label}. Previews exist for: ${labels.join(', ') || 'none'}.\n`
  return new Response(text, { status: 404, headers: { 'x-robots-tag': 'noindex' } })
}

const server = Bun.serve({
  hostname: values.host,
  port: Number(values.port),
  // The first request of a preview waits until its gateway has started.
  idleTimeout: 0,
  fetch: answer,
  error: error => new Response(String(error), { status: 502 }),
})
process.on('exit', () => {
  for (const preview of running.values()) preview.stop()
})
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => process.exit())
console.log(`Branch previews at http://<label>.localhost:${server.port}/`)
