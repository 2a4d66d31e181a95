// The addresses that a built file links to, each with its line. Code samples are skipped, because
// their addresses are examples.

import { unescaped } from './unescape.ts'

export type Mention = { href: string; line: number }

/** Returns nothing for a file that isn't text. */
export function mentionsIn(name: string, written: string): Mention[] {
  const find = findersFor(name)
  if (find === undefined) return []
  // A feed contains whole pages as escaped text. Unescaping adds no line breaks.
  const text = name.endsWith('.xml') ? unescaped(written) : written
  const found = new Map<string, Mention>()
  let line = 1
  let counted = 0
  for (const { text: href, index } of find(text).sort((a, b) => a.index - b.index)) {
    for (; counted < index; counted++) if (text[counted] === '\n') line++
    found.set(`${line} ${href}`, { href, line })
  }
  return [...found.values()]
}

type Match = { text: string; index: number }
type Finder = (text: string) => Match[]

function findersFor(name: string): Finder | undefined {
  if (/\.(html|svg|xml)$/.test(name)) return inMarkup
  if (/\.(md|txt|ya?ml)$/.test(name)) return inProse
  if (name.endsWith('.css')) return text => matches(text, /url\(\s*["']?([^"')\s]+)/g)
  if (/\.(json|webmanifest)$/.test(name) || /^\.well-known\/[^.]+$/.test(name)) return inJson
  return undefined
}

function inMarkup(text: string): Match[] {
  const prose = blank(text, /<(pre|code|style)\b[\s\S]*?<\/\1>|<!--[\s\S]*?-->/g)
  const attributes = [
    ...matches(prose, /\s(?:href|src|action|poster|cite|data)="([^"]*)"/g),
    ...matches(prose, /\scontent="(https?:[^"]*)"/g),
    ...matches(prose, />\s*(https?:\/\/[^<\s]+)\s*</g),
  ]
  const sets = matches(prose, /\s(?:srcset|imagesrcset)="([^"]*)"/g).flatMap(set =>
    set.text.split(',').map(each => ({ text: each.trim().split(/\s/)[0] ?? '', index: set.index })),
  )
  const linked = matches(prose, /<script type="application\/ld\+json"[^>]*>([\s\S]*?)<\/script>/g)
  const inLinked = linked.flatMap(script =>
    inJson(script.text).map(found => ({ ...found, index: found.index + script.index })),
  )
  return [
    ...[...attributes, ...sets].map(found => ({ ...found, text: unescaped(found.text) })),
    ...inLinked,
  ]
}

function inProse(text: string): Match[] {
  const samples = /^(`{3,}|~{3,})[\s\S]*?^\1|(?<!`)(`+)(?!`)[\s\S]*?[^`]\2(?!`)/gm
  const prose = blank(text, samples)
  return [
    ...matches(prose, /\]\(\s*<?([^)\s>]+)/g),
    ...matches(prose, /^ {0,3}\[[^\]]+\]:\s+(\S+)/gm),
    ...matches(prose, /(?<![\w(/])(https?:\/\/[^\s<>"'`)\]|]+)/g).map(found => ({
      ...found,
      text: found.text.replace(/[.,;:!?*]+$/, ''),
    })),
  ]
}

/** Finds values that are absolute URLs, and paths under keys for addresses. */
function inJson(text: string): Match[] {
  // Skips `@id`, which in linked data is a name and may not be an address, and base URLs, which may
  // not be served without a path.
  return [
    ...matches(text, /(?<!"(?:@id|api_base_url)"\s*:\s*)"(https?:\/\/[^"\s\\]+)"/g),
    ...matches(text, /"(?:url|href|link|markdown)"\s*:\s*"(\/[^"\s\\]*)"/g),
  ]
}

function matches(text: string, pattern: RegExp): Match[] {
  return [...text.matchAll(pattern)].map(hit => {
    const inner = hit[1] ?? ''
    return { text: inner, index: hit.index + hit[0].indexOf(inner) }
  })
}

/** Replaces every match with spaces, so every line keeps its number. */
function blank(text: string, pattern: RegExp): string {
  return text.replace(pattern, sample => sample.replace(/[^\n]/g, ' '))
}
