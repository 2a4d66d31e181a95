// Requests every address that a build's files link to from a preview of the build, and reports
// broken addresses with the files that link to them. External addresses only need to be
// well-formed.
import { readdir } from 'node:fs/promises'
import path from 'node:path'
import { mentionsIn } from './mentions.ts'

/** The preview's URL, and the origin in the build's links to itself. */
export type Preview = { url: string; site: string }

export type Crawled = { requested: number; external: number; faults: Fault[] }
export type Fault = { address: string; reason: string; places: string[] }

type Target = { path: string; fragments: Map<string, string[]>; places: string[] }
type Answer = { reason: string | undefined; ids: ReadonlySet<string> | undefined }

const atOnce = 16
const schemes = new Set(['https:', 'http:', 'mailto:', 'tel:', 'data:'])

export async function crawl(folder: string, preview: Preview): Promise<Crawled> {
  const names = await readdir(folder, { recursive: true, withFileTypes: true })
  const files = names
    .filter(entry => entry.isFile() && !/\.(br|gz|zst)$/.test(entry.name))
    .map(entry => path.relative(folder, path.join(entry.parentPath, entry.name)))
    .sort()
  const internal = new Map<string, Target>()
  const external = new Set<string>()
  const faults: Fault[] = []
  for (const name of files) {
    const text = await Bun.file(path.join(folder, name)).text()
    const base = new URL(addressOf(name, files), preview.site)
    for (const { href, line } of mentionsIn(name, text)) {
      const place = `${name}:${line}`
      const url = URL.parse(href, base)
      if (url === null || !schemes.has(url.protocol)) {
        faults.push({ address: href, reason: 'is not a valid address', places: [place] })
      } else if (url.origin === preview.site) {
        // The 404 page and removed pages contain their own addresses, which return 404 or 410.
        const isItself = name.startsWith('gone/') && url.pathname === base.pathname
        if (url.pathname !== '/404' && !isItself) addTarget(internal, url, place)
      } else external.add(url.href)
    }
  }
  const targets = [...internal.values()]
  const found = await inBatches(targets, each => request(each, preview.url))
  faults.push(...found.flat())
  return { requested: targets.length, external: external.size, faults }
}

/**
 * A file's address. A page and its Markdown version have the same address, without an extension.
 */
function addressOf(name: string, files: readonly string[]): string {
  const isMarkdownVersion = name.endsWith('.md') && files.includes(name.replace(/md$/, 'html'))
  if (!isMarkdownVersion && !name.endsWith('.html')) return `/${name}`
  // A removed page's notice is served at the page's address.
  return `/${name.replace(/^gone\/|\.(html|md)$/g, '')}`.replace(/\/index$/, '') || '/'
}

/** A pattern such as `/blog/{slug}` or `/blog/*` is not an address. */
const isPattern = (pathname: string) => /%7B|%3C|%E2%80%A6|\*/.test(pathname)

function addTarget(targets: Map<string, Target>, url: URL, place: string): void {
  if (isPattern(url.pathname)) return
  // In a search template, replaces the variable with a word.
  const address = url.pathname + url.search.replace(/\{[^}]*\}|%7B.*?%7D/g, 'consult')
  const target: Target = targets.get(address) ?? { path: address, fragments: new Map(), places: [] }
  target.places.push(place)
  const fragment = decodeURIComponent(url.hash.slice(1))
  // `#/definitions/x` refers to part of a JSON document, and `#:~:text=` to words. Neither fragment
  // is an anchor.
  if (fragment !== '' && !/^[/:]/.test(fragment)) {
    target.fragments.set(fragment, [...(target.fragments.get(fragment) ?? []), place])
  }
  targets.set(address, target)
}

async function request(target: Target, origin: string): Promise<Fault[]> {
  const { reason, ids } = await answerAt(target.path, origin)
  if (reason !== undefined) return [{ address: target.path, reason, places: target.places }]
  if (target.fragments.size === 0) return []
  // A Markdown version has its page's anchors.
  const page = target.path.replace(/(\/index)?\.md$/, '') || '/'
  const anchors = ids ?? (page === target.path ? undefined : (await answerAt(page, origin)).ids)
  if (anchors === undefined) return []
  return [...target.fragments]
    .filter(([fragment]) => !anchors.has(fragment))
    .map(([fragment, places]) => {
      return {
        address: `${target.path}#${fragment}`,
        reason: "isn't an anchor on that page",
        places,
      }
    })
}

async function answerAt(target: string, origin: string): Promise<Answer> {
  const response = await fetch(origin + target, {
    redirect: 'manual',
    headers: { accept: 'text/html, */*;q=0.5' },
  })
  const { status, headers } = response
  const type = headers.get('content-type') ?? ''
  const text = await response.text()
  const moved = headers.get('location')
  if (moved !== null) return { reason: `returns ${status}; link to ${moved}`, ids: undefined }
  // An API endpoint exists if it requires a credential or another method, or needs the database,
  // which a preview doesn't have.
  const exists =
    ([401, 405, 503].includes(status) && type.startsWith('application/problem+json')) ||
    // The agents' endpoints return errors in their protocol's format.
    (status === 405 && headers.has('allow') && type.startsWith('application/json'))
  if (status !== 200 && !exists) return { reason: `returns ${status}`, ids: undefined }
  if (!type.startsWith('text/html')) return { reason: undefined, ids: undefined }
  const ids = new Set([...text.matchAll(/\sid="([^"]+)"/g)].map(hit => hit[1] ?? ''))
  return { reason: undefined, ids }
}

async function inBatches<T, R>(all: readonly T[], work: (one: T) => Promise<R>): Promise<R[]> {
  const waiting = all.entries()
  const results: R[] = []
  const worker = async () => {
    for (const [index, one] of waiting) results[index] = await work(one)
  }
  await Promise.all(Array.from({ length: atOnce }, worker))
  return results
}
