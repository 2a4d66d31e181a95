// Previews of branches, each at a host of its own: `bun deploy/previews.ts --previews <folder>`
// serves <folder>/<label>/current at http://<label>.localhost:4400/, or behind any name that begins
// so. Each is the whole site, with its lists, /ask and tools; nothing is indexed, and booking
// rehearses.
import { existsSync, readdirSync } from 'node:fs'
import path from 'node:path'
import { parseArgs } from 'node:util'
import { openPreview, passOn } from './preview-gateway.ts'

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
    'Usage: bun deploy/previews.ts --previews <folder> [--port 4400] [--host 127.0.0.1]',
  )
  process.exit(2)
}
const previews = path.resolve(values.previews)

type Shown = { url: Promise<string>; timer?: NodeJS.Timeout; stop(): void }
const shown = new Map<string, Shown>()

const folderOf = (label: string) => path.join(previews, label, 'current')
const isKept = (label: string) => /^[a-z0-9-]+$/.test(label) && existsSync(folderOf(label))

/** A gateway over one branch's build, for as long as somebody looks at it. */
function open(label: string): Shown {
  const { url, exited, stop } = openPreview(folderOf(label))
  const opened: Shown = { url, stop }
  void exited.then(() => {
    clearTimeout(opened.timer)
    shown.delete(label)
  })
  shown.set(label, opened)
  return opened
}

async function answer(request: Request): Promise<Response> {
  const { hostname } = new URL(request.url)
  const [label = ''] = hostname.split('.')
  if (!isKept(label)) return nothing(label)
  const preview = shown.get(label) ?? open(label)
  clearTimeout(preview.timer)
  preview.timer = setTimeout(preview.stop, idleMinutes * 60_000)
  return passOn(request, await preview.url)
}

function nothing(label: string): Response {
  const kept = existsSync(previews) ? readdirSync(previews).filter(isKept) : []
  const text = `No branch ${label} is shown here. These are: ${kept.join(', ') || 'none'}.\n`
  return new Response(text, { status: 404, headers: { 'x-robots-tag': 'noindex' } })
}

const server = Bun.serve({
  hostname: values.host,
  port: Number(values.port),
  fetch: answer,
  error: fault => new Response(String(fault), { status: 502 }),
})
process.on('exit', () => {
  for (const preview of shown.values()) preview.stop()
})
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => process.exit())
console.log(`Previews of branches at http://<label>.localhost:${server.port}/`)
