// Parses headers such as Accept and Accept-Encoding by RFC 9110, section 12.4.

export type Range = { readonly name: string; readonly exact: boolean; readonly weight: number }

/** RFC 9110 allows three decimals; we accept more. */
const weightShape = /^(?:0(?:\.\d*)?|1(?:\.0*)?)$/

/** Splits at separators outside quoted strings. */
function split(text: string, separator: ',' | ';'): string[] {
  if (!text.includes('"')) return text.split(separator)
  const parts: string[] = []
  let start = 0
  let quoted = false
  for (let at = 0; at < text.length; at++) {
    const character = text[at]
    if (quoted && character === '\\') at++
    else if (character === '"') quoted = !quoted
    else if (character === separator && !quoted) {
      parts.push(text.slice(start, at))
      start = at + 1
    }
  }
  parts.push(text.slice(start))
  return parts
}

/** Skips ranges with an invalid weight. */
export function ranges(header: string): Range[] {
  const found: Range[] = []
  for (const part of split(header, ',')) {
    const [first = '', ...parameters] = split(part, ';')
    const name = first.trim().toLowerCase()
    if (name === '') continue
    let weight: number | undefined = 1
    let exact = true
    for (const parameter of parameters) {
      const text = parameter.trim().toLowerCase()
      if (/^q\s*=/.test(text)) weight = weightOf(text.slice(text.indexOf('=') + 1).trim())
      else if (text !== '' && text !== 'charset=utf-8' && text !== 'charset="utf-8"') exact = false
    }
    if (weight !== undefined) found.push({ name, exact, weight })
  }
  return found
}

function weightOf(text: string): number | undefined {
  return weightShape.test(text) ? Number(text) : undefined
}

/** Returns the weight of the range with this name, or undefined if none exists. */
export function weightNamed(all: readonly Range[], name: string): number | undefined {
  let best: number | undefined
  let bestIsExact = false
  for (const range of all) {
    if (range.name !== name) continue
    // `text/markdown;variant=GFM` names Markdown too, but a range without other parameters takes
    // precedence.
    if (best === undefined || (range.exact && !bestIsExact)) best = range.weight
    else if (range.exact === bestIsExact) best = Math.max(best, range.weight)
    bestIsExact ||= range.exact
  }
  return best
}

export function weightOfType(all: readonly Range[], type: string): number {
  const family = `${type.slice(0, type.indexOf('/'))}/*`
  return weightNamed(all, type) ?? weightNamed(all, family) ?? weightNamed(all, '*/*') ?? 0
}

/** Whether Accept lists HTML by name, as browsers do, and not with `q=0`. */
export const namesHtml = (accept: string | null): boolean =>
  (weightNamed(ranges(accept ?? ''), 'text/html') ?? 0) > 0
