// `npm run site`: for editors, the site as it would be published now, plus drafts. Page requests go
// to `site/build/dev.ts`, which renders pages from the sources; all other requests (`/ask`,
// booking, tools, old addresses) go to `gateway/commands/preview.ts`. It uses `--port=4321`, and
// `--today=2026-11-30` shows the site of another day.
import { existsSync } from 'node:fs'
import path from 'node:path'
import { forward, previewHeaders, startGateway } from './gateway.ts'
import { bar, type Finding, type State, style } from './site-bar.ts'

const root = path.join(import.meta.dir, '..', '..')

/** Messages from `site/build/dev.ts`. */
type Message = {
  url?: string
  findings?: Finding[]
  measures?: State['measures']
  changed?: string[]
  milliseconds?: number
  restart?: string
  error?: string
}

/** The value of `--port=4321`. */
const option = (name: string) =>
  process.argv.find(word => word.startsWith(`--${name}=`))?.slice(name.length + 3)

const state: State = { version: 1, findings: [], measures: {}, error: null }
const listeners = new Set<(text: string) => void>()

/** The last page rendered without an error, by address. */
const lastGood = new Map<string, string>()

function sendState(): void {
  const text = `data: ${JSON.stringify(state)}\n\n`
  for (const send of listeners) send(text)
}

const print = ({ path: file, line, column, rule, message, fix }: Finding) =>
  `${file}:${line}:${column} ${rule} ${message} → ${fix}`

/** Prints errors when they change. Warnings appear beside the page. */
let printed = ''
function printFindings(): void {
  const text = state.findings
    .filter(({ level }) => level !== 'warning')
    .map(each => `${print(each)}${each.isBlocking ? ' (the last good version is shown)' : ''}`)
    .join('\n')
  if (text !== printed) console.log(text === '' ? 'content: no errors' : text)
  printed = text
}

type Pages = { url: Promise<string>; stop(): void; hasExited: boolean }

function startPages(): Pages {
  const url = Promise.withResolvers<string>()
  const receive = (message: Message) => {
    if (message.restart !== undefined) {
      console.log(`${message.restart} changed; restarting the pages`)
      restart()
    }
    if (message.findings !== undefined) state.findings = message.findings
    if (message.measures !== undefined) state.measures = message.measures
    if (message.changed !== undefined || message.url !== undefined) {
      state.version++
      state.error = null
    }
    if (message.changed !== undefined)
      console.log(`${message.changed.join(', ')}: ${message.milliseconds} ms`)
    if (message.error !== undefined) state.error = message.error
    if (message.url !== undefined) url.resolve(message.url)
    printFindings()
    sendState()
  }
  const child = Bun.spawn(
    [process.execPath, '--bun', 'site/build/dev.ts', `--today=${option('today')}`],
    {
      cwd: root,
      stdio: ['ignore', 'inherit', 'inherit'],
      ipc: receive,
    },
  )
  const started: Pages = { url: url.promise, hasExited: false, stop: () => child.kill() }
  void child.exited.then(() => {
    started.hasExited = true
    url.reject(new Error("The pages can't start. See the terminal for the error, then reload."))
  })
  // A request reports any error.
  url.promise.catch(() => {})
  return started
}

let pages = startPages()
function restart(): void {
  pages.stop()
  pages = startPages()
}

/** Starts the gateway on the last build, and creates a build first if none exists. */
async function openGateway(): Promise<string> {
  if (!existsSync(path.join(root, 'site/dist/build.json'))) {
    const build = [process.execPath, 'site/build/build.ts']
    await Bun.spawn(build, { cwd: root, stdio: ['ignore', 'pipe', 'inherit'] }).exited
  }
  const started = startGateway('site/dist')
  process.on('exit', started.stop)
  return started.url
}

const gateway = openGateway()
gateway.catch(() => {})

async function answer(request: Request): Promise<Response> {
  const url = new URL(request.url)
  // Otherwise another site could read local files through a host name that resolves to this
  // machine.
  if (!/^(localhost|127\.0\.0\.1)$/.test(url.hostname)) return new Response(null, { status: 421 })
  if (url.pathname === '/_preview/events') return events(request)
  if (url.pathname === '/_preview/bar.js') return script(bar)
  if (request.method === 'GET' || request.method === 'HEAD') {
    const page = await pageAt(url, request.headers.get('accept') ?? '')
    if (page.status !== 404) return page
    const other = await fromGateway(request).catch(() => page)
    return other.status === 404 ? page : other
  }
  return fromGateway(request)
}

const fromGateway = async (request: Request) => forward(request, await gateway)

const script = (text: string) =>
  new Response(text, { headers: { 'content-type': 'text/javascript; charset=utf-8' } })

function events(request: Request): Response {
  const body = new ReadableStream<string>({
    start(stream) {
      const send = (text: string) => stream.enqueue(text)
      listeners.add(send)
      request.signal.addEventListener('abort', () => listeners.delete(send))
      send(`retry: 300\ndata: ${JSON.stringify(state)}\n\n`)
    },
  })
  return new Response(body, {
    headers: { 'content-type': 'text/event-stream', 'cache-control': 'no-store' },
  })
}

/** Renders a page from the current sources, as Markdown if the request prefers it. */
async function pageAt({ pathname, search }: URL, accept: string): Promise<Response> {
  const asMarkdown = accept.includes('text/markdown') && !accept.includes('text/html')
  const isPage = !path.posix.basename(pathname).includes('.')
  const markdown = pathname === '/' ? '/index.md' : `${pathname}.md`
  const target = (asMarkdown && isPage ? markdown : pathname) + search
  // Reads the version before rendering, so the page reloads if a source changes during rendering.
  const { version } = state
  if (pages.hasExited) restart()
  const rendered = await pages.url
    .then(url => fetch(url + target, { headers: { accept }, redirect: 'manual' }))
    .catch((error: unknown) => new Response(String(error), { status: 502 }))
  const headers = previewHeaders(rendered)
  headers.set('cache-control', 'no-store')
  // Browsers show plain text, but download Markdown.
  const text = asMarkdown ? 'markdown' : 'plain'
  if (/\.(md|txt)$/.test(target)) headers.set('content-type', `text/${text}; charset=utf-8`)
  const isHtml = headers.get('content-type')?.startsWith('text/html') === true
  if (rendered.status < 500 && !isHtml) {
    return new Response(rendered.body, { status: rendered.status, headers })
  }
  headers.set('content-type', 'text/html; charset=utf-8')
  if (rendered.status < 500) {
    const page = await rendered.text()
    if (rendered.status === 200) lastGood.set(target, page)
    return new Response(withBar(page, version), { status: rendered.status, headers })
  }
  state.error ??= errorOf(await rendered.text())
  const page = lastGood.get(target) ?? '<!doctype html><title>Preview</title><body></body>'
  return new Response(withBar(page, version), { status: 200, headers })
}

const errorOf = (text: string) =>
  text.trim().slice(0, 400) || "The page couldn't be rendered. See the terminal for the error."

/** Removed, because the bar reloads pages, and Vite's client would wait for a missing socket. */
const viteScripts = /<script type="module" src="\/(@vite\/client|[^"]+\.css)"><\/script>/g

function withBar(page: string, version: number): string {
  const head = `<meta name="robots" content="noindex">`
  const tag = `<preview-bar version="${version}" style="${style}"></preview-bar>`
  return page
    .replace(viteScripts, '')
    .replace('</head>', `${head}</head>`)
    .replace('</body>', `${tag}<script type="module" src="/_preview/bar.js"></script></body>`)
}

const server = Bun.serve({
  hostname: '127.0.0.1',
  port: Number(option('port') ?? 4321),
  idleTimeout: 0,
  fetch: answer,
  error: error => new Response(String(error), { status: 502 }),
})
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => process.exit())
process.on('exit', () => pages.stop())
const own = `http://localhost:${server.port}`
await pages.url.then(
  () => console.log(`Site with drafts  ${own}/\nPages reload as you save. Ctrl-C stops it.`),
  (error: Error) => console.error(error.message),
)
