import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs'
import { join, relative, sep } from 'node:path'
import type { Coding } from './negotiate.ts'

/** A file of the built site with its compressed copies. */
export type SiteFile = {
  /** The decoded path from the root, such as `/blog/first-visit.html`. */
  readonly path: string
  readonly bytes: Uint8Array<ArrayBuffer>
  /** When the build wrote it; undefined for text that isn't a file. */
  readonly modified?: Date
  readonly smaller: Pick<
    ReadonlyMap<Exclude<Coding, 'identity'>, Uint8Array<ArrayBuffer>>,
    'get' | 'has' | 'size'
  >
}

/** Prepares a build's files when they're loaded. */
export type FinishFiles = (files: readonly SiteFile[]) => SiteFile[]

const suffixes = [
  ['br', '.br'],
  ['gzip', '.gz'],
] as const

/**
 * All regular files in the folder. Hidden names stay private except `.well-known`, and links aren't
 * followed, so nothing outside the folder can be published by accident.
 */
export function readSite(folder: string): SiteFile[] {
  const names = new Set<string>()
  for (const entry of readdirSync(folder, { recursive: true, withFileTypes: true })) {
    if (!entry.isFile()) continue
    const name = relative(folder, join(entry.parentPath, entry.name)).split(sep).join('/')
    if (!isHidden(name)) names.add(name)
  }
  const files: SiteFile[] = []
  for (const name of [...names].sort()) {
    if (isSmallerCopy(name, names)) continue
    const bytes = read(folder, name)
    const smaller = new Map<Exclude<Coding, 'identity'>, Uint8Array<ArrayBuffer>>()
    for (const [coding, suffix] of suffixes) {
      if (!names.has(name + suffix)) continue
      const copy = read(folder, name + suffix)
      // A copy that isn't smaller would only cost the client decoding time.
      if (copy.length < bytes.length) smaller.set(coding, copy)
    }
    files.push({ path: `/${name}`, bytes, modified: statSync(join(folder, name)).mtime, smaller })
  }
  return files
}

/** Files meant for servers, such as `_redirects`, are at the top level and start with an
 *  underscore. */
function isHidden(name: string): boolean {
  if (/^_(?!astro\/)/.test(name)) return true
  return name.split('/').some(part => part.startsWith('.') && part !== '.well-known')
}

/** Redirects for moved pages, as the build wrote them: from, to, status. */
export function readRedirects(folder: string): { from: string; to: string }[] {
  const file = join(folder, '_redirects')
  if (!existsSync(file)) return []
  return readFileSync(file, 'utf8')
    .split('\n')
    .map(line => line.split(' '))
    .flatMap(([from, to]) => (from && to ? [{ from, to }] : []))
}

/** Without `export.tar`, `export.tar.gz` is a download; next to `export.tar`, it's a compressed
 *  copy. */
function isSmallerCopy(name: string, names: ReadonlySet<string>): boolean {
  return suffixes.some(
    ([, suffix]) => name.endsWith(suffix) && names.has(name.slice(0, -suffix.length)),
  )
}

function read(folder: string, name: string): Uint8Array<ArrayBuffer> {
  // Shares the bytes, because copying every file would take tens of megabytes.
  const { buffer, byteOffset, length } = readFileSync(join(folder, name))
  return new Uint8Array(buffer, byteOffset, length)
}

/** Media types for paths with a missing or ambiguous extension. */
const typesByPath: ReadonlyMap<string, string> = new Map([
  [
    '/.well-known/api-catalog',
    'application/linkset+json; profile="https://www.rfc-editor.org/info/rfc9727"',
  ],
  ['/.well-known/ai-catalog.json', 'application/ai-catalog+json'],
  ['/feed.xml', 'application/rss+xml; charset=utf-8'],
  ['/mcp/server-card', 'application/mcp-server-card+json'],
  ['/docs/mcp/server-card', 'application/mcp-server-card+json'],
])

/** JSON has no charset parameter (RFC 8259), and one scanner refuses a catalog that has the
 *  parameter. */
const typesByExtension: ReadonlyMap<string, string> = new Map([
  ['html', 'text/html; charset=utf-8'],
  ['md', 'text/markdown; charset=utf-8'],
  ['txt', 'text/plain; charset=utf-8'],
  ['css', 'text/css; charset=utf-8'],
  ['js', 'text/javascript; charset=utf-8'],
  ['mjs', 'text/javascript; charset=utf-8'],
  ['xml', 'application/xml; charset=utf-8'],
  ['xsl', 'application/xslt+xml; charset=utf-8'],
  ['json', 'application/json'],
  ['map', 'application/json'],
  ['webmanifest', 'application/manifest+json'],
  ['yaml', 'application/yaml'],
  ['yml', 'application/yaml'],
  ['svg', 'image/svg+xml'],
  ['png', 'image/png'],
  ['jpg', 'image/jpeg'],
  ['jpeg', 'image/jpeg'],
  ['webp', 'image/webp'],
  ['avif', 'image/avif'],
  ['gif', 'image/gif'],
  ['ico', 'image/x-icon'],
  ['woff2', 'font/woff2'],
  ['woff', 'font/woff'],
  ['jws', 'application/jose'],
  ['pdf', 'application/pdf'],
  ['wasm', 'application/wasm'],
])

/** A build's folder of documents about deleted pages. */
export const goneFolder = '/gone/'

export function mediaType(path: string): string {
  const isProblem = path === '/404.json' || path.startsWith(goneFolder)
  if (isProblem && path.endsWith('.json')) return 'application/problem+json'
  const extension = path.slice(path.lastIndexOf('.') + 1).toLowerCase()
  return typesByPath.get(path) ?? typesByExtension.get(extension) ?? 'application/octet-stream'
}

/** Whether the build compresses a type. Text varies on Accept-Encoding, with or without compressed
 *  copies. */
export function isText(type: string): boolean {
  return /^text\/|json|xml|yaml|javascript|wasm|x-icon/.test(type)
}
