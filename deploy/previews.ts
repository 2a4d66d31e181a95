// Previews of branches, each at a host of its own: `bun deploy/previews.ts --previews <folder>`
// serves <folder>/<label>/current at http://<label>.localhost:4400/, or behind any name that begins
// so. Each is the whole site, with its lists, /ask and tools; nothing is indexed, and booking
// rehearses.
import { existsSync, readdirSync } from 'node:fs'
import path from 'node:path'
import { parseArgs } from 'node:util'

const root = path.dirname(import.meta.dir)
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
  const child = Bun.spawn([process.execPath, 'gateway/preview.ts', folderOf(label)], {
    cwd: root,
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const opened: Shown = { url: addressFrom(child.stdout), stop: () => child.kill() }
  void child.exited.then(() => {
    clearTimeout(opened.timer)
    shown.delete(label)
  })
  shown.set(label, opened)
  return opened
}

async function addressFrom(stream: ReadableStream<Uint8Array>): Promise<string> {
  let said = ''
  for await (const chunk of stream) {
    said += new TextDecoder().decode(chunk)
    const url = /"url":"([^"]+)"/.exec(said)?.[1]
    if (url !== undefined) return url
  }
  throw new Error('The build cannot be served; the terminal says why.')
}

async function answer(request: Request): Promise<Response> {
  const { hostname, pathname, search } = new URL(request.url)
  const [label = ''] = hostname.split('.')
  if (!isKept(label)) return nothing(label)
  const preview = shown.get(label) ?? open(label)
  clearTimeout(preview.timer)
  preview.timer = setTimeout(preview.stop, idleMinutes * 60_000)
  const url = await preview.url
  const headers = new Headers(request.headers)
  headers.delete('host')
  // A form was sent from here, which to the gateway is itself.
  if (headers.has('origin')) headers.set('origin', url)
  const { method, body } = request
  const given = await fetch(url + pathname + search, { method, headers, body, redirect: 'manual' })
  const answered = new Headers(given.headers)
  for (const name of ['content-length', 'content-encoding']) answered.delete(name)
  answered.set('x-robots-tag', 'noindex')
  return new Response(given.body, { status: given.status, headers: answered })
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
