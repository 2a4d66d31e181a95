// A scanner: requests the site's public URLs and reports what is missing.

/** A response, fully read. */
export type Answer = {
  status: number
  headers: Headers
  type: string
  text: string
  bytes: Uint8Array
}

/** Whether a link includes its host. Only a local server's links use http. */
export const isAbsolute = (href: string, site: string): boolean =>
  href.startsWith('https:') ||
  href === site ||
  href.startsWith(`${site}/`) ||
  // On one machine the other modules have their own ports.
  (new URL(site).hostname === 'localhost' && href.startsWith('http://localhost:'))

export type OperationRequest = {
  method?: string
  accept?: string
  headers?: Record<string, string>
  /** The body to send as JSON. */
  body?: unknown
  /** Whether to repeat a request that was already sent. */
  again?: boolean
}

/** Why a check fails, including where. */
export class Miss extends Error {}

export function must(condition: boolean, otherwise: string): asserts condition {
  if (!condition) throw new Miss(otherwise)
}

export type Check = {
  name: string
  /** Returns what the check found, in a few words. */
  run(scan: Scan): Promise<string>
}

export type Scan = {
  /** The origin in the site's own links. */
  site: string
  /** Requests a path or URL of the site. */
  ask(target: string, requested?: OperationRequest): Promise<Answer>
  /** Pages listed in the sitemap. */
  pages(): Promise<Page[]>
}

export type Page = {
  address: string
  path: string
  lastmod: string
  html: Answer
  markdown: Answer
}

const atOnce = 8

export async function inBatches<T, R>(
  all: readonly T[],
  work: (one: T) => Promise<R>,
): Promise<R[]> {
  const waiting = all.entries()
  const results: R[] = []
  const worker = async () => {
    for (const [index, one] of waiting) results[index] = await work(one)
  }
  await Promise.all(Array.from({ length: atOnce }, worker))
  return results
}

/** Opens a scan of the site at `url`. Requests each URL once, unless a check repeats the
 *  request. */
export async function openScan(url: string): Promise<Scan> {
  const known = new Map<string, Promise<Answer>>()
  let site = ''
  const ask = (
    target: string,
    { method = 'GET', accept, headers = {}, body, again = false }: OperationRequest = {},
  ) => {
    const path = site !== '' && target.startsWith(site) ? target.slice(site.length) || '/' : target
    const type = body === undefined ? {} : { 'content-type': 'application/json' }
    const sent = { ...headers, ...type, ...(accept === undefined ? {} : { accept }) }
    const text = body === undefined ? null : JSON.stringify(body)
    const key = `${method} ${path} ${JSON.stringify(sent)} ${text}`
    const earlier = again ? undefined : known.get(key)
    const answer = earlier ?? read(url + path, method, sent, text)
    known.set(key, answer)
    return answer
  }
  const { text } = await ask('/robots.txt')
  const sitemap = /^Sitemap: *(\S+)$/m.exec(text)?.[1]
  if (sitemap === undefined)
    throw new Error('robots.txt has no sitemap, so there is nothing to scan.')
  site = new URL(sitemap).origin
  let pages: Promise<Page[]> | undefined
  return { site, ask, pages: () => (pages ??= readPages(sitemap, ask)) }
}

async function read(
  address: string,
  method: string,
  headers: Record<string, string>,
  body: string | null,
): Promise<Answer> {
  const response = await fetch(address, { method, headers, body, redirect: 'manual' })
  const bytes = new Uint8Array(await response.arrayBuffer())
  return {
    status: response.status,
    headers: response.headers,
    type: response.headers.get('content-type') ?? '',
    text: new TextDecoder().decode(bytes),
    bytes,
  }
}

/** A browser's Accept header: HTML, otherwise anything. */
export const browser = 'text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8'

export const markdownPathOf = (path: string) => (path === '/' ? '/index.md' : `${path}.md`)

async function readPages(sitemap: string, ask: Scan['ask']): Promise<Page[]> {
  const { text } = await ask(sitemap)
  const entries = [...text.matchAll(/<url>([\s\S]*?)<\/url>/g)].map(([, entry = '']) => ({
    address: /<loc>([^<]+)<\/loc>/.exec(entry)?.[1] ?? '',
    lastmod: /<lastmod>([^<]+)<\/lastmod>/.exec(entry)?.[1] ?? '',
  }))
  return inBatches(entries, async ({ address, lastmod }) => {
    const { pathname: path } = new URL(address)
    const [html, markdown] = await Promise.all([
      ask(path, { accept: browser }),
      ask(markdownPathOf(path)),
    ])
    return { address, path, lastmod, html, markdown }
  })
}

/** Checks that every link on this site responds. Doesn't contact other hosts. */
export async function allAnswer(scan: Scan, addresses: readonly string[]): Promise<number> {
  const ours = [...new Set(addresses.filter(each => each.startsWith(`${scan.site}/`)))]
  await inBatches(ours, async address => {
    const { status, headers } = await scan.ask(address.replace(/#.*$/, ''))
    // A POST-only endpoint returns 405, which proves that it exists.
    const isEndpoint = status === 405 && /\bPOST\b/.test(headers.get('allow') ?? '')
    const isGuarded = status === 401 && headers.has('www-authenticate')
    must(status === 200 || isEndpoint || isGuarded, `${address} returned ${status}`)
  })
  return ours.length
}

export function parsed(answer: Answer, what: string): unknown {
  must(answer.status === 200, `${what} returned ${answer.status}`)
  try {
    return JSON.parse(answer.text)
  } catch {
    throw new Miss(`${what} is not JSON`)
  }
}

/** The value at the end of a path through objects and arrays, or undefined. */
export function at(value: unknown, ...way: (string | number)[]): unknown {
  return way.reduce<unknown>((inner, key) => {
    if (typeof inner !== 'object' || inner === null) return undefined
    return Object.entries(inner).find(([name]) => name === String(key))?.[1]
  }, value)
}

export const list = (value: unknown): unknown[] => (Array.isArray(value) ? value : [])
export const word = (value: unknown): string => (typeof value === 'string' ? value : '')
export const entries = (value: unknown): [string, unknown][] =>
  typeof value === 'object' && value !== null ? Object.entries(value) : []
