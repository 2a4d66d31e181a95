// A scenario is data: requests and their expected responses, for any base URL and implementation.
// Text in braces comes from the arguments (`{BASE}`, `{KEY}`) or kept values (`{patient}`);
// `{day+7}` is a date.

export type Operator =
  | { readonly matches: string }
  | { readonly present: boolean }
  | { readonly count: number }
  | { readonly atLeast: number }
  | { readonly includes: unknown }
  | { readonly equals: unknown }

/**
 * An expected value: a literal that the value must equal, or an operator that the value must match.
 */
export type Expected = string | number | boolean | null | readonly unknown[] | Operator

export type Expect = {
  readonly status?: number | readonly number[]
  readonly headers?: Readonly<Record<string, Expected>>
  /** Expected values by path: `$.data[0].id`, `$.data[*].type`, `$.data[-1].id`. */
  readonly body?: Readonly<Record<string, Expected>>
  /** A pattern that the whole text must match. */
  readonly text?: string
  /** The text's required ending. */
  readonly ends?: string
  /** The earlier step whose body this step's body must equal, byte for byte. */
  readonly sameAs?: string
}

export type Send = {
  readonly method?: string
  readonly url: string
  readonly headers?: Readonly<Record<string, string>>
  /** Kept headers to send as well, by name. */
  readonly headersFrom?: string
  readonly json?: unknown
  readonly text?: string
  /** The API key to send; `null` for none. Default: the scenario's own key. */
  readonly as?: string | null
  /** The Idempotency-Key; `null` for none. Default: a new key for every write. */
  readonly key?: string | null
}

export type Step = {
  readonly name: string
  /** Skips the step unless this argument is given. */
  readonly if?: string
  readonly send: Send
  readonly expect: Expect
  /** Values to keep, by path; `@name` for a header. */
  readonly keep?: Readonly<Record<string, string>>
  /** How many times to send the request concurrently. Each response is compared with `expect`. */
  readonly times?: number
  /** All `times` responses must agree at this path. */
  readonly agree?: string
  /** Repeats the step once a second until it passes or this many seconds have passed. */
  readonly within?: number
}

export type Scenario = {
  readonly id: string
  readonly title: string
  /** Printed first: the resources that the scenario creates, and its requirements. */
  readonly about: string
  /** Required arguments: `BASE`, `KEY`, `SITE`. */
  readonly needs: readonly string[]
  readonly bearer?: string
  readonly steps: readonly Step[]
}

type Variables = Map<string, unknown>

/** Fills in the braces. A text with only one placeholder becomes the value itself, of any type. */
export function filled(value: unknown, kept: Variables): unknown {
  if (typeof value === 'string') return filledText(value, kept)
  if (Array.isArray(value)) return value.map(one => filled(one, kept))
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([name, one]) => [name, filled(one, kept)]))
}

function filledText(text: string, kept: Variables): unknown {
  const known = (name: string) => {
    if (!kept.has(name)) throw new Error(`no value was kept as {${name}}`)
    return kept.get(name)
  }
  const [, alone] = /^\{(\w+)\}$/.exec(text) ?? []
  if (alone !== undefined) return known(alone)
  return text
    .replaceAll(/\{day\+(\d+)\}/g, (_, days: string) =>
      dayAfter(Number(known('NOW')), Number(days)),
    )
    .replaceAll(/\{(\w+)\}/g, (_, name: string) => String(known(name)))
}

/** The date this many days after a timestamp, as YYYY-MM-DD. */
const dayAfter = (now: number, days: number): string =>
  new Date(now + days * 86_400_000).toISOString().slice(0, 10)

/**
 * The value at a path, or all values if the path passes through `[*]`; undefined if the path ends
 * early.
 */
export function valueAt(body: unknown, path: string): unknown {
  const parts = [...path.matchAll(/\.([\w-]+)|\[(-?\d+|\*)\]/g)].map(
    ([, name, at]) => name ?? at ?? '',
  )
  return runInto(body, parts)
}

function runInto(value: unknown, parts: readonly string[]): unknown {
  const [part, ...rest] = parts
  if (part === undefined) return value
  if (part === '*') return Array.isArray(value) ? value.map(one => runInto(one, rest)) : undefined
  if (Array.isArray(value)) return runInto(value.at(Number(part)), rest)
  if (typeof value !== 'object' || value === null) return undefined
  return runInto((value as Record<string, unknown>)[part], rest)
}

const shown = (value: unknown) => (value === undefined ? 'nothing' : JSON.stringify(value))
const same = (a: unknown, b: unknown): boolean => JSON.stringify(a) === JSON.stringify(b)

/** Describes how a value differs from the expected value; null if it doesn't. */
export function fault(what: string, value: unknown, expected: Expected): string | null {
  const isOperator = typeof expected === 'object' && expected !== null && !Array.isArray(expected)
  const operator = (isOperator ? expected : { equals: expected }) as Partial<
    Record<'matches' | 'present' | 'count' | 'atLeast' | 'includes' | 'equals', unknown>
  >
  const size = Array.isArray(value) ? value.length : Number(value)
  const holds = {
    matches: () =>
      typeof value === 'string' && new RegExp(String(operator.matches), 's').test(value),
    present: () => (value !== undefined && value !== null) === operator.present,
    count: () => Array.isArray(value) && value.length === operator.count,
    atLeast: () => size >= Number(operator.atLeast),
    includes: () =>
      Array.isArray(value)
        ? value.some(one => same(one, operator.includes))
        : String(value).includes(String(operator.includes)),
    equals: () => same(value, operator.equals),
  }
  for (const [name, test] of Object.entries(holds)) {
    if (name in operator && !test()) {
      return `${what} is ${shown(value)}, not ${shown(isOperator ? expected : operator.equals)}`
    }
  }
  return null
}
