// Without BASE_URL, the public URLs in a build don't work, and the ports in its examples must
// become this installation's. Files are changed when they're loaded, before signing or hashing, so
// their links lead to this gateway. If a file refers to another file's bytes or to parts of itself,
// it refers to the changed bytes.
import { codings, linksTo } from '#http/origins/requested-origin.ts'
import { type FinishFiles, isText, mediaType, type SiteFile } from './files.ts'

/** This file lists where each of its texts starts and ends. */
const listsItsParts = '/llms-full.txt'

/** `addresses` maps a build's origins to this installation's. */
export function localLinks(addresses: ReadonlyMap<string, string>): FinishFiles {
  const links = linksTo(...addresses.keys())
  const localized = (text: string) => text.replace(links, each => addresses.get(each) ?? each)
  return files => {
    const digests = new Map<string, string>()
    const relinked = files.map(file => {
      if (!isText(mediaType(file.path))) return file
      const built = textOf(file.bytes)
      const isInParts = file.path === listsItsParts
      const text = isInParts ? withParts(file.bytes, localized) : localized(built)
      if (text === built) return file
      const changed = withText(file, text)
      // No file refers to a page's HTML.
      if (!file.path.endsWith('.html')) digests.set(digestOf(file.bytes), digestOf(changed.bytes))
      return changed
    })
    const withDigests = (text: string) => text.replace(digest, each => digests.get(each) ?? each)
    return relinked.map(file =>
      file.path.endsWith('.json') ? withText(file, withDigests(textOf(file.bytes))) : file,
    )
  }
}

const digest = /sha256:[0-9a-f]{64}/g
const digestOf = (content: Uint8Array | string) =>
  `sha256:${new Bun.CryptoHasher('sha256').update(content).digest('hex')}`

const part = /\(bytes (\d+)-(\d+)\)/g

/** The first part in the head's list starts at the end of the head. */
function withParts(bytes: SiteFile['bytes'], localized: (text: string) => string): string {
  const starts = [...textOf(bytes).matchAll(part)].map(([, first]) => Number(first))
  const [headEnd = bytes.length] = starts
  const parts = [...textOf(bytes.subarray(0, headEnd)).matchAll(part)].map(
    ([, first, last], at) => {
      const text = localized(textOf(bytes.subarray(Number(first), starts[at + 1])))
      return { text, gap: (starts[at + 1] ?? bytes.length) - Number(last) }
    },
  )
  const head = localized(textOf(bytes.subarray(0, headEnd)))
  // The head contains numbers that depend on its own length, so the head is rewritten until the
  // numbers match.
  for (let written = head; ;) {
    const length = Buffer.byteLength(written)
    written = withBounds(head, length, parts)
    if (Buffer.byteLength(written) === length) {
      return written + parts.map(({ text }) => text).join('')
    }
  }
}

type Part = { text: string; gap: number }

/** The head, with each part's start and end computed for a head of this length. */
function withBounds(head: string, length: number, parts: readonly Part[]): string {
  const rest = parts.values()
  let next = length
  return head.replace(part, found => {
    const { value } = rest.next()
    if (value === undefined) return found
    const first = next
    next += Buffer.byteLength(value.text)
    return `(bytes ${first}-${next - value.gap})`
  })
}

/** Compressed on request, because a developer's machine requests few of the files that a start
 *  changes. */
export function withText(file: SiteFile, text: string): SiteFile {
  const bytes = new TextEncoder().encode(text)
  if (file.bytes.length === bytes.length && text === textOf(file.bytes)) return file
  const { path, modified } = file
  // The build's own copies aren't kept.
  const offered = new Set((['br', 'gzip'] as const).filter(coding => file.smaller.has(coding)))
  const made: Partial<Record<'br' | 'gzip', Uint8Array<ArrayBuffer>>> = {}
  const get: SiteFile['smaller']['get'] = coding =>
    offered.has(coding)
      ? (made[coding] ??= new Uint8Array(codings[coding].encode(bytes)))
      : undefined
  const smaller = { size: offered.size, has: (coding: 'br' | 'gzip') => offered.has(coding), get }
  return { path, bytes, ...(modified && { modified }), smaller }
}

/** Decodes UTF-8, and keeps a byte order mark. */
export const textOf = (bytes: Uint8Array) =>
  new TextDecoder('utf-8', { ignoreBOM: true }).decode(bytes)
