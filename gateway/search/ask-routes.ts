import { askLimits } from '#contract/limits.ts'
import { Problem } from '#contract/problems.ts'
import type { TextAnswer } from '#http/answer.ts'
import type { RequestContext } from '#http/request-context.ts'
import { cached } from './answer-cache.ts'
import type { Ask } from './ask.ts'
import { askTexts, type Question, type ReadFile, usageTexts } from './ask-answers.ts'

type Asked = Question & { readonly streaming: boolean }

/** `/ask` in the form of NLWeb 0.55, which readers of the older flat form understand as well. */
export function askRoute(
  ask: Ask,
  read: ReadFile,
): (call: RequestContext) => Promise<TextAnswer> | TextAnswer {
  const texts = askTexts(ask, read)
  const answer = (asked: Asked) =>
    asked.streaming ? events(texts.events(asked)) : json(texts.json(asked))
  const operationRequest = (prefersEvents: boolean) =>
    cached(cachedMax, ({ url }: RequestContext) => {
      const { searchParams } = url
      const streaming = isStreaming(searchParams.get('streaming'), prefersEvents)
      const query = searchParams.get('query') ?? ''
      // Scanners look for this endpoint without a question, and would take a refusal for a 404.
      if (query.trim() === '') return streaming ? events(usageTexts.events) : json(usageTexts.json)
      return answer({ ...questionFrom(query, searchParams.get('limit') ?? undefined), streaming })
    })
  const [inOnePiece, asEvents] = [operationRequest(false), operationRequest(true)]
  return call => {
    const prefersEvents = takesEvents(call.request.headers)
    if (call.request.method !== 'POST') return (prefersEvents ? asEvents : inOnePiece)(call)
    const streaming = isStreaming(call.url.searchParams.get('streaming'), prefersEvents)
    return call.object(hint).then(body => answer(askedIn(body, streaming)))
  }
}

/** As many as ask-answers.ts keeps texts of, so these hold next to nothing of their own. */
const cachedMax = 512

/** Requested in the address; otherwise streamed to clients that accept events and not JSON. */
const isStreaming = (parameter: string | null, prefersEvents: boolean): boolean =>
  parameter === null ? prefersEvents : isTrue(parameter)

function takesEvents(headers: Headers): boolean {
  const accept = headers.get('accept') ?? ''
  return accept.includes('text/event-stream') && !accept.includes('json')
}

const isTrue = (value: unknown) => value === true || value === 'true' || value === '1'

/**
 * `query` is the question itself, or, as NLWeb sends it, an object with it as `text`. Streaming is
 * requested as NLWeb does it now, or as its first form did.
 */
function askedIn(body: object, streaming: boolean): Asked {
  const asked = memberOf(body, 'query')
  const query = memberOf(asked, 'text') ?? asked
  const given = memberOf(body, 'limit')
  const limit = given === undefined ? memberOf(asked, 'num_results') : given
  if (query === undefined) throw invalid('query must be present.')
  if (typeof query !== 'string') throw invalid('query must be a string.')
  if (query.trim() === '') throw invalid('query must not be empty.')
  const preferred = memberOf(memberOf(body, 'prefer'), 'streaming') ?? memberOf(body, 'streaming')
  return {
    ...questionFrom(query, limit),
    streaming: preferred === undefined ? streaming : isTrue(preferred),
  }
}

const memberOf = (value: unknown, name: string): unknown =>
  typeof value === 'object' && value !== null ? Reflect.get(value, name) : undefined

function questionFrom(query: string, limit: unknown): Question {
  if (query.length > askLimits.queryCharacters) {
    throw invalid(`query must have at most ${askLimits.queryCharacters} characters.`)
  }
  if (limit === undefined) return { query, limit: askLimits.results }
  const number = typeof limit === 'string' && /^\d{1,3}$/.test(limit) ? Number(limit) : limit
  if (
    typeof number !== 'number' ||
    !Number.isInteger(number) ||
    number < 1 ||
    number > askLimits.resultsMax
  ) {
    throw invalid(`limit must be an integer from 1 to ${askLimits.resultsMax}.`)
  }
  return { query, limit: number }
}

const json = (body: string): TextAnswer => ({ type: 'application/json', body })

const events = (body: string): TextAnswer => ({
  type: 'text/event-stream; charset=utf-8',
  body,
  // A proxy that buffers the answer would defeat streaming.
  headers: { 'x-accel-buffering': 'no' },
})

const hint = 'Send {"query": "your question"} as JSON, or GET /ask?query=your+question.'

const invalid = (detail: string) => new Problem('invalid_request', { detail, hint })
