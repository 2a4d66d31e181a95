// Asks a preview for every address that any file of a build mentions, and names each that does not
// answer with the files that mention it. Addresses elsewhere must be well-formed; nobody is called.
import { readdir } from 'node:fs/promises'
import path from 'node:path'
import { mentionsIn } from './mentions.ts'

/** Where the build answers now, and the origin under which its files speak of themselves. */
export type Preview = { url: string; site: string }

export type Crawled = { asked: number; elsewhere: number; faults: Fault[] }
export type Fault = { address: string; reason: string; places: string[] }

type Asked = { path: string; fragments: Map<string, string[]>; places: string[] }
type Answer = { reason: string | undefined; ids: ReadonlySet<string> | undefined }

const atOnce = 16
const schemes = new Set(['https:', 'http:', 'mailto:', 'tel:', 'data:'])

export async function crawl(folder: string, preview: Preview): Promise<Crawled> {
  const names = await readdir(folder, { recursive: true, withFileTypes: true })
  const files = names
    .filter(entry => entry.isFile() && !/\.(br|gz|zst)$/.test(entry.name))
    .map(entry => path.relative(folder, path.join(entry.parentPath, entry.name)))
    .sort()
  const inside = new Map<string, Asked>()
  const elsewhere = new Set<string>()
  const faults: Fault[] = []
  for (const name of files) {
    const text = await Bun.file(path.join(folder, name)).text()
    const base = new URL(addressOf(name, files), preview.site)
    for (const { href, line } of mentionsIn(name, text)) {
      const place = `${name}:${line}`
      const url = URL.parse(href, base)
      if (url === null || !schemes.has(url.protocol)) {
        faults.push({ address: href, reason: 'is no address', places: [place] })
      } else if (url.origin === preview.site) {
        // The page of what is not there, and one that was taken down, say so at their own address.
        const isItself = name.startsWith('gone/') && url.pathname === base.pathname
        if (url.pathname !== '/404' && !isItself) note(inside, url, place)
      } else elsewhere.add(url.href)
    }
  }
  const asked = [...inside.values()]
  const answered = await inBatches(asked, each => ask(each, preview.url))
  faults.push(...answered.flat())
  return { asked: asked.length, elsewhere: elsewhere.size, faults }
}

/** The address that a file has: a page's is clean, and a twin speaks for its page. */
function addressOf(name: string, files: readonly string[]): string {
  const isTwin = name.endsWith('.md') && files.includes(name.replace(/md$/, 'html'))
  if (!isTwin && !name.endsWith('.html')) return `/${name}`
  // What is said of a page that was taken down is said where it was.
  return `/${name.replace(/^gone\/|\.(html|md)$/g, '')}`.replace(/\/index$/, '') || '/'
}

/** A pattern such as `/blog/{slug}` or `/blog/*` stands for addresses and is none itself. */
const isPattern = (pathname: string) => /%7B|%3C|%E2%80%A6|\*/.test(pathname)

function note(inside: Map<string, Asked>, url: URL, place: string): void {
  if (isPattern(url.pathname)) return
  // A template of a search is asked with some word in the place of its variable.
  const target = url.pathname + url.search.replace(/\{[^}]*\}|%7B.*?%7D/g, 'consult')
  const asked: Asked = inside.get(target) ?? { path: target, fragments: new Map(), places: [] }
  asked.places.push(place)
  const fragment = decodeURIComponent(url.hash.slice(1))
  // `#/definitions/x` points into JSON and `#:~:text=` at words; neither is an anchor.
  if (fragment !== '' && !/^[/:]/.test(fragment)) {
    asked.fragments.set(fragment, [...(asked.fragments.get(fragment) ?? []), place])
  }
  inside.set(target, asked)
}

async function ask(asked: Asked, origin: string): Promise<Fault[]> {
  const { reason, ids } = await answerAt(asked.path, origin)
  if (reason !== undefined) return [{ address: asked.path, reason, places: asked.places }]
  if (asked.fragments.size === 0) return []
  // The anchors of a twin are those of its page.
  const page = asked.path.replace(/(\/index)?\.md$/, '') || '/'
  const anchors = ids ?? (page === asked.path ? undefined : (await answerAt(page, origin)).ids)
  if (anchors === undefined) return []
  return [...asked.fragments]
    .filter(([fragment]) => !anchors.has(fragment))
    .map(([fragment, places]) => {
      return { address: `${asked.path}#${fragment}`, reason: 'is no anchor there', places }
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
  if (status === 410 && (await hasLapsed(origin + target)))
    return { reason: undefined, ids: undefined }
  if (moved !== null) return { reason: `answers ${status}; mention ${moved}`, ids: undefined }
  // A call of the API is there when it asks who is calling, or for another method; a preview has no
  // database to say more.
  const isThere =
    ([401, 405, 503].includes(status) && type.startsWith('application/problem+json')) ||
    // The endpoints of agents refuse in the form of their protocol.
    (status === 405 && headers.has('allow') && type.startsWith('application/json'))
  if (status !== 200 && !isThere) return { reason: `answers ${status}`, ids: undefined }
  if (!type.startsWith('text/html')) return { reason: undefined, ids: undefined }
  const ids = new Set([...text.matchAll(/\sid="([^"]+)"/g)].map(hit => hit[1] ?? ''))
  return { reason: undefined, ids }
}

/** Whether the calendar took a page down: those that lead to it are not at fault, and stay. */
async function hasLapsed(address: string): Promise<boolean> {
  const response = await fetch(address, { headers: { accept: 'application/problem+json' } })
  const problem: unknown = response.status === 410 ? await response.json() : undefined
  return typeof problem === 'object' && problem !== null && 'lapsed' in problem
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
