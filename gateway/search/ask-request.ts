// Reads a request to `/ask`: the flat fields of early NLWeb versions, in the query string or the
// body, and the nested fields of versions since 0.54.
import { emergencyNotice, emergencyTerm } from '#content/ranking/emergency.ts'
import { termsOf } from '#content/ranking/question.ts'
import company from '#content/site.config.ts'
import { askLimits } from '#contract/limits.ts'
import { Problem } from '#contract/problems.ts'

export type Question = {
  readonly query: string
  readonly limit: number
  /** Whether the query is the caller's own rewording of a question from a conversation. */
  readonly isDecontextualized: boolean
  readonly summarizes: boolean
  /** The requested features that aren't supported. */
  readonly notes: readonly string[]
}

export type AskRequest = Question & { readonly streaming: boolean }

type AskFields = Readonly<Record<(typeof names)[number], unknown>>

const names = [
  'query',
  'decontextualized_query',
  'limit',
  'streaming',
  'mode',
  'site',
  'prev',
] as const

const memberOf = (value: unknown, name: string): unknown =>
  typeof value === 'object' && value !== null ? Reflect.get(value, name) : undefined

/** The body's values, with the query string's values for missing fields. */
function sentIn(body: object | undefined, parameters: URLSearchParams): AskFields {
  const asked = memberOf(body, 'query')
  const prefer = memberOf(body, 'prefer')
  const nested = {
    query: memberOf(asked, 'text') ?? asked,
    decontextualized_query: memberOf(asked, 'decontextualized_query'),
    limit: memberOf(asked, 'num_results'),
    streaming: memberOf(prefer, 'streaming'),
    mode: memberOf(prefer, 'mode'),
    site: memberOf(asked, 'site'),
    prev: memberOf(memberOf(body, 'context'), 'prev'),
  }
  const flat = (name: (typeof names)[number]) =>
    name === 'query' ? undefined : memberOf(body, name)
  const values = names.map(name => {
    // Null is a value, so a null limit or question is refused.
    const places = [nested[name], flat(name), parameters.get(name) ?? undefined]
    return [name, places.find(value => value !== undefined)]
  })
  return Object.fromEntries(values) as AskFields
}

/** Returns no query if no question was sent. */
export function readAsked(
  body: object | undefined,
  parameters: URLSearchParams,
  prefersEvents: boolean,
): AskRequest | { readonly query: undefined; readonly streaming: boolean } {
  const sent = sentIn(body, parameters)
  const streaming = sent.streaming === undefined ? prefersEvents : isTrue(sent.streaming)
  const given = textOf('decontextualized_query', sent.decontextualized_query ?? undefined)
  const query = given ?? textOf('query', sent.query)
  if (query === undefined) return { query: undefined, streaming }
  const modes = listOf(sent.mode)
  return {
    query,
    limit: limitOf(sent.limit),
    isDecontextualized: given !== undefined,
    summarizes: modes.includes('summarize'),
    notes: [
      ...(termsOf(query).includes(emergencyTerm) ? [emergencyNotice] : []),
      ...notesOnModes(modes),
      ...notesOnSite(sent.site),
      ...notesOnPrev(sent.prev),
    ],
    streaming,
  }
}

const isTrue = (value: unknown) => value === true || value === 'true' || value === '1'

/** Undefined if absent or empty. */
function textOf(name: string, value: unknown): string | undefined {
  if (value === undefined) return undefined
  if (typeof value !== 'string') throw invalid(`${name} must be a string.`)
  if (value.length > askLimits.queryCharacters) {
    throw invalid(`${name} must have at most ${askLimits.queryCharacters} characters.`)
  }
  return value.trim() === '' ? undefined : value
}

function limitOf(limit: unknown): number {
  if (limit === undefined) return askLimits.results
  const number = typeof limit === 'string' && /^\d{1,3}$/.test(limit) ? Number(limit) : limit
  if (Number.isInteger(number) && Number(number) >= 1 && Number(number) <= askLimits.resultsMax) {
    return Number(number)
  }
  throw invalid(`limit must be an integer from 1 to ${askLimits.resultsMax}.`)
}

/** A list, or comma-separated text. */
const listOf = (value: unknown): string[] =>
  (Array.isArray(value) ? value : [value])
    .filter(each => typeof each === 'string')
    .flatMap(each => each.split(','))
    .map(each => each.trim().toLowerCase())
    .filter(each => each !== '')

const notesOnModes = (modes: readonly string[]): string[] =>
  modes.every(mode => mode === 'list' || mode === 'summarize')
    ? []
    : ['mode must be list or summarize: no text is generated here. The results are a list.']

const { host } = new URL(company.site)

const notesOnSite = (site: unknown): string[] =>
  listOf(site).every(each => [host, company.site, `${company.site}/`, 'all'].includes(each))
    ? []
    : [`site must be ${host}, the only site searched here. The results are from it.`]

const notesOnPrev = (prev: unknown): string[] =>
  listOf(prev).length === 0 && !(Array.isArray(prev) && prev.length > 0)
    ? []
    : ['The search ignores prev. Send the full question as decontextualized_query.']

export const hint = 'Send {"query": "your question"} as JSON, or GET /ask?query=your+question.'

const invalid = (detail: string) => new Problem('invalid_request', { detail, hint })

export const noQuestion = () => invalid('query must be a question.')
