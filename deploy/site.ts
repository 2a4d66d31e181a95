// `bun run site`: the site as it would be published now, drafts among it, for whoever writes. It
// stands before `site/dev.ts`, which renders a page when it is asked for, and `gateway/commands/preview.ts`,
// which answers what no page is: `/ask`, booking, tools, old addresses.
import { existsSync } from 'node:fs'
import path from 'node:path'
import { openPreview, passOn, shownHeaders } from './preview-gateway.ts'
import { bar, type Finding, type State, style } from './site-bar.ts'

const root = path.dirname(import.meta.dirname)

/** What `site/dev.ts` says, each message one of these. */
type Said = {
  url?: string
  findings?: Finding[]
  measures?: State['measures']
  changed?: string[]
  milliseconds?: number
  restart?: string
  fault?: string
}

/** `--port=4321` and its like. */
const option = (name: string) =>
  process.argv.find(word => word.startsWith(`--${name}=`))?.slice(name.length + 3)

const state: State = { version: 1, findings: [], measures: {}, fault: null }
const listeners = new Set<(text: string) => void>()

/** The last answer of each page that was whole, for as long as the newest is not. */
const lastGood = new Map<string, string>()

function announce(): void {
  const text = `data: ${JSON.stringify(state)}\n\n`
  for (const tell of listeners) tell(text)
}

const print = ({ path: file, line, column, rule, message, fix }: Finding) =>
  `${file}:${line}:${column} ${rule} ${message} → ${fix}`

/** Errors alone: warnings show beside their page. What was said stays said. */
let printed = ''
function printFindings(): void {
  const text = state.findings
    .filter(({ level }) => level !== 'warning')
    .map(each => `${print(each)}${each.grave ? ' (its last good version is shown)' : ''}`)
    .join('\n')
  if (text !== printed) console.log(text === '' ? 'content: nothing to mend' : text)
  printed = text
}

type Pages = { url: Promise<string>; stop(): void; isOver: boolean }

function openPages(): Pages {
  const url = Promise.withResolvers<string>()
  const hear = (said: Said) => {
    if (said.restart !== undefined) {
      console.log(`${said.restart} changed; the pages start again`)
      reopen()
    }
    if (said.findings !== undefined) state.findings = said.findings
    if (said.measures !== undefined) state.measures = said.measures
    if (said.changed !== undefined || said.url !== undefined) {
      state.version++
      state.fault = null
    }
    if (said.changed !== undefined)
      console.log(`${said.changed.join(', ')}: ${said.milliseconds} ms`)
    if (said.fault !== undefined) state.fault = said.fault
    if (said.url !== undefined) url.resolve(said.url)
    printFindings()
    announce()
  }
  const child = Bun.spawn(
    [process.execPath, '--bun', 'site/dev.ts', `--today=${option('today')}`],
    {
      cwd: root,
      stdio: ['ignore', 'inherit', 'inherit'],
      ipc: hear,
    },
  )
  const opened: Pages = { url: url.promise, isOver: false, stop: () => child.kill() }
  void child.exited.then(() => {
    opened.isOver = true
    url.reject(new Error('The pages do not start; the terminal says why. Reload to try again.'))
  })
  // Whoever asks hears of it; nobody may be asking.
  url.promise.catch(() => {})
  return opened
}

let pages = openPages()
function reopen(): void {
  pages.stop()
  pages = openPages()
}

/** The last build answers what is no page; before there is one, it is made. */
async function openGateway(): Promise<string> {
  if (!existsSync(path.join(root, 'site/dist/build.json'))) {
    const build = [process.execPath, 'site/build.ts']
    await Bun.spawn(build, { cwd: root, stdio: ['ignore', 'pipe', 'inherit'] }).exited
  }
  const preview = openPreview('site/dist')
  process.on('exit', preview.stop)
  return preview.url
}

const gateway = openGateway()
gateway.catch(() => {})

async function answer(request: Request): Promise<Response> {
  const asked = new URL(request.url)
  // A page elsewhere must not read this machine's files by a name that leads here.
  if (!/^(localhost|127\.0\.0\.1)$/.test(asked.hostname)) return new Response(null, { status: 421 })
  if (asked.pathname === '/_preview/events') return events(request)
  if (asked.pathname === '/_preview/bar.js') return script(bar)
  if (request.method === 'GET' || request.method === 'HEAD') {
    const page = await pageAt(asked, request.headers.get('accept') ?? '')
    if (page.status !== 404) return page
    const other = await elsewhere(request).catch(() => page)
    return other.status === 404 ? page : other
  }
  return elsewhere(request)
}

const elsewhere = async (request: Request) => passOn(request, await gateway)

const script = (text: string) =>
  new Response(text, { headers: { 'content-type': 'text/javascript; charset=utf-8' } })

function events(request: Request): Response {
  const body = new ReadableStream<string>({
    start(stream) {
      const tell = (text: string) => stream.enqueue(text)
      listeners.add(tell)
      request.signal.addEventListener('abort', () => listeners.delete(tell))
      tell(`retry: 300\ndata: ${JSON.stringify(state)}\n\n`)
    },
  })
  return new Response(body, {
    headers: { 'content-type': 'text/event-stream', 'cache-control': 'no-store' },
  })
}

/** From the sources as they lie. A page asked for as markdown is its twin. */
async function pageAt({ pathname, search }: URL, accept: string): Promise<Response> {
  const asMarkdown = accept.includes('text/markdown') && !accept.includes('text/html')
  const isPage = !path.posix.basename(pathname).includes('.')
  const twin = pathname === '/' ? '/index.md' : `${pathname}.md`
  const target = (asMarkdown && isPage ? twin : pathname) + search
  // Before it is rendered: what changes meanwhile makes it reload, and not the other way round.
  const { version } = state
  if (pages.isOver) reopen()
  const rendered = await pages.url
    .then(url => fetch(url + target, { headers: { accept }, redirect: 'manual' }))
    .catch((fault: unknown) => new Response(String(fault), { status: 502 }))
  const headers = shownHeaders(rendered)
  headers.set('cache-control', 'no-store')
  // Markdown is shown in a browser, where it would be offered for download under its own name.
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
  state.fault ??= faultOf(await rendered.text())
  const page = lastGood.get(target) ?? '<!doctype html><title>Preview</title><body></body>'
  return new Response(withBar(page, version), { status: 200, headers })
}

const faultOf = (text: string) =>
  text.trim().slice(0, 400) || 'The page could not be rendered; the terminal says why.'

function withBar(page: string, version: number): string {
  const head = `<meta name="robots" content="noindex">`
  const tag = `<preview-bar version="${version}" style="${style}"></preview-bar>`
  return page
    .replace('</head>', `${head}</head>`)
    .replace('</body>', `${tag}<script type="module" src="/_preview/bar.js"></script></body>`)
}

const server = Bun.serve({
  hostname: '127.0.0.1',
  port: Number(option('port') ?? 4321),
  idleTimeout: 0,
  fetch: answer,
  error: fault => new Response(String(fault), { status: 502 }),
})
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => process.exit())
process.on('exit', () => pages.stop())
const own = `http://localhost:${server.port}`
await pages.url.then(
  () => console.log(`Site with drafts  ${own}/\nPages reload as you save. Ctrl-C stops it.`),
  (fault: Error) => console.error(fault.message),
)
