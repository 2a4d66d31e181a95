// Small faults in an SQL statement, found in its template literal.
import { type Change, changedNumber } from './change.ts'

type Token = { text: string; start: number; end: number; depth: number }

/** Words that start a condition, and words that end one. */
const opening = new Set(['where', 'when', 'on', 'having'])
const closing = new Set(
  'group order limit offset returning for union window from set do then else end left right inner cross join select insert update delete values as'.split(
    ' ',
  ),
)
const flipped: Record<string, string> = { '<': '<=', '<=': '<', '>': '>=', '>=': '>' }
const turned: Record<string, string> = {
  asc: 'desc',
  desc: 'asc',
  least: 'greatest',
  greatest: 'least',
}

/** The faults in `source.slice(from, to)`, the inside of a template literal. */
export function sqlMutants(source: string, from: number, to: number): Change[] {
  const text = withoutParameters(source.slice(from, to))
  const tokens = tokensOf(text)
  const changes = [...conditions(tokens), ...single(tokens), ...locks(text), ...intervals(text)]
  return changes.map(change => ({
    ...change,
    start: change.start + from,
    end: change.end + from,
  }))
}

/** The same text, with each parameter and string replaced by a word of the same length and each
 *  comment by blanks, so they aren't parsed as SQL. */
function withoutParameters(text: string): string {
  let plain = ''
  let at = 0
  while (at < text.length) {
    const end = text.startsWith('${', at) ? endOfParameter(text, at) : at
    const rest = text.slice(at)
    const skipped = /^--[^\n]*/.exec(rest)?.[0] ?? ''
    const quoted = /^'[^']*'/.exec(rest)?.[0] ?? ''
    if (end > at) plain += 'p'.repeat(end - at)
    else if (skipped !== '') plain += ' '.repeat(skipped.length)
    else if (quoted !== '' && !/^'\d+ \w+'$/.test(quoted)) plain += 'q'.repeat(quoted.length)
    else if (quoted !== '') plain += quoted
    else plain += text[at]
    at = plain.length
  }
  return plain
}

function endOfParameter(text: string, start: number): number {
  let open = 0
  for (let at = start + 1; at < text.length; at++) {
    if (text[at] === '{') open++
    if (text[at] === '}' && --open === 0) return at + 1
  }
  return text.length
}

function tokensOf(text: string): Token[] {
  let depth = 0
  return [...text.matchAll(/'[^']*'|[\w$.]+|[()]|[-+*/<>=~!@#%^&|?:]+|[,;[\]]/g)].map(found => {
    if (found[0] === ')') depth--
    const token = { text: found[0], start: found.index, end: found.index + found[0].length, depth }
    if (found[0] === '(') depth++
    return token
  })
}

/** Replaces each part of a condition joined by `and` or `or` with a constant that neutralizes
 *  it. */
function conditions(tokens: Token[]): Change[] {
  const changes: Change[] = []
  for (const [at, token] of tokens.entries()) {
    const next = tokens[at + 1]
    if (!isOpening(token, next)) continue
    const end = endOfCondition(tokens, at + 1, token.depth)
    // A simple case expression's value isn't a condition.
    if (token.text === 'when' && end === at + 2) continue
    changes.push(...parts(tokens.slice(at + 1, end)))
  }
  // A fragment that is itself a condition starts with neither kind of word.
  if (!tokens.some(({ text }) => opening.has(text) || closing.has(text))) {
    if (tokens.some(({ text, depth }) => depth === 0 && /^(and|or)$/.test(text))) {
      changes.push(...parts(tokens))
    }
  }
  return changes
}

const isOpening = (token: Token, next: Token | undefined) =>
  opening.has(token.text) && next !== undefined && !/^(conflict|delete|update)$/.test(next.text)

function endOfCondition(tokens: Token[], from: number, depth: number): number {
  const end = tokens.findIndex(
    (token, at) =>
      at >= from &&
      (token.depth < depth ||
        (token.depth === depth &&
          (closing.has(token.text) ||
            /^[,;]$/.test(token.text) ||
            isOpening(token, tokens[at + 1])) &&
          !isDistinctFrom(tokens, at))),
  )
  return end < 0 ? tokens.length : end
}

/** `is distinct from` is a comparison, not the start of a table list. */
const isDistinctFrom = (tokens: Token[], at: number) =>
  tokens[at]?.text === 'from' && tokens[at - 1]?.text === 'distinct'

function parts(tokens: Token[]): Change[] {
  const depth = tokens[0]?.depth ?? 0
  const joins = tokens.flatMap(({ text, depth: own }, at) => {
    const isOfBetween = tokens.slice(0, at).findLast(one => /^(and|or|between)$/.test(one.text))
    const isJoin = own === depth && /^(and|or)$/.test(text) && isOfBetween?.text !== 'between'
    return isJoin ? [at] : []
  })
  const bounds = [-1, ...joins, tokens.length]
  return bounds.slice(1).flatMap((end, index) => {
    const start = bounds[index] ?? -1
    const part = tokens.slice(start + 1, end)
    const [first] = part
    const last = part.at(-1)
    if (first === undefined || last === undefined || /^(true|false|case)$/.test(first.text))
      return []
    const isAlternative = [tokens[start]?.text, tokens[end]?.text].includes('or')
    const replacement = isAlternative ? 'false' : 'true'
    const whole = { kind: 'sql condition', start: first.start, end: last.end, replacement } as const
    const isGroup = first.text === '(' && last.text === ')' && part.length > 2
    return isGroup ? [whole, ...joined(part.slice(1, -1))] : [whole]
  })
}

/** The parts of a parenthesized condition, if it has more than one. */
function joined(tokens: Token[]): Change[] {
  const found = tokens[0]?.text === 'select' ? [] : parts(tokens)
  return found.length > 1 ? found : []
}

function single(tokens: Token[]): Change[] {
  return tokens.flatMap(({ text, start, end }, at): Change[] => {
    const place = { start, end }
    // Whether a timestamp equals the current time is a matter of chance.
    const isMoment = [-4, -3, -2, -1, 1].some(far => isNow.test(tokens[at + far]?.text ?? ''))
    if (flipped[text] !== undefined && !isMoment) {
      return [{ kind: 'sql comparison', ...place, replacement: flipped[text] }]
    }
    if (turned[text] !== undefined) {
      return [{ kind: 'sql order', ...place, replacement: turned[text] }]
    }
    const isCast = tokens[at - 1]?.text === '::'
    if (!/^\d+$/.test(text) || isCast) return []
    return [{ kind: 'sql number', ...place, replacement: changedNumber(text) }]
  })
}

const isNow = /^(now|clock_timestamp|statement_timestamp)$/

/** Removes a row lock, or makes it wait for a locked row. */
function locks(text: string): Change[] {
  return [...text.matchAll(/\bfor (no key )?update\b|\bskip locked\b/g)].flatMap(found => {
    const isAlone =
      found[0] === 'skip locked' || !/^[^;)]*\bskip locked/.test(text.slice(found.index))
    const end = found.index + found[0].length
    return isAlone ? [{ kind: 'sql lock', start: found.index, end, replacement: '' } as const] : []
  })
}

function intervals(text: string): Change[] {
  return [...text.matchAll(/'(\d+) (\w+)'/g)].map(found => ({
    kind: 'sql number',
    start: found.index,
    end: found.index + found[0].length,
    replacement: `'${changedNumber(found[1] ?? '')} ${found[2]}'`,
  }))
}
