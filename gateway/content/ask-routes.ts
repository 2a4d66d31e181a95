import company from '#content/site.config.ts'
import { type DoorCall, refuse } from '../door.ts'
import { type Ask, type AskedLink, askLimits } from './ask.ts'

const meta = { response_type: 'answer', response_format: 'conversational_search', version: '0.55' }

/**
 * Answers of ten links are some five kilobytes, and those of fifty, which are rare, five times
 * that.
 */
const rememberedMax = 512

type Question = { readonly query: string; readonly limit: number }

/** `/ask` in the shape of NLWeb 0.55, which a reader of the older flat form understands too. */
export function askRoute(ask: Ask): (call: DoorCall) => Promise<Response> | Response {
  const remembered = new Map<string, string>()
  const answer = ({ query, limit }: Question): Response => {
    const key = `${limit} ${query}`
    let text = remembered.get(key)
    if (text === undefined) {
      text = JSON.stringify(answerTo(query, ask(query, { limit })))
      const [oldest] = remembered.keys()
      if (oldest !== undefined && remembered.size >= rememberedMax) remembered.delete(oldest)
      remembered.set(key, text)
    }
    return json(text)
  }
  return call => {
    if (call.request.method === 'POST') return readBody(call).then(answer)
    const parameters = call.url.searchParams
    const text = parameters.get('query') ?? ''
    // Scanners look for this endpoint by asking nothing, and take a refusal for its absence.
    if (text.trim() === '') return json(usageText)
    return answer(questionFrom(text, parameters.get('limit') ?? undefined))
  }
}

function answerTo(query: string, links: readonly AskedLink[]): Record<string, unknown> {
  return { _meta: meta, query_id: queryId(query), results: links.map(resultFrom) }
}

const usageText = JSON.stringify({
  _meta: meta,
  results: [],
  usage: {
    detail:
      'Ask in words, and get ranked links to the pages that answer. Equal questions get equal answers.',
    get: '/ask?query=how+does+it+work',
    post: { path: '/ask', content_type: 'application/json', body: { query: 'how does it work' } },
    limits: {
      query_characters: askLimits.queryCharacters,
      limit: { default: askLimits.results, maximum: askLimits.resultsMax },
    },
    see: ['/openapi.json', '/llms.txt'],
  },
})

function resultFrom(link: AskedLink): Record<string, unknown> {
  const url = new URL(link.url, company.site).href
  const type = link.url.startsWith('/blog/') ? 'Article' : 'WebPage'
  return {
    '@context': 'https://schema.org',
    '@type': type,
    // Clients merge results by this member, and drop those that lack it.
    '@id': url,
    url,
    name: link.title,
    description: link.description,
    site: new URL(company.site).host,
    score: outOfHundred(link.score),
    grounding: { source_urls: [url] },
    schema_object: { '@type': type, name: link.title, url },
  }
}

/**
 * NLWeb scores end at 100 and BM25's do not; this curve keeps their order and never reaches the
 * end.
 */
function outOfHundred(score: number): number {
  return Math.round((100 * score * 1e4) / (score + 1)) / 1e4
}

/** From the question alone, so that the same question is the same bytes. */
function queryId(query: string): string {
  return `q_${new Bun.CryptoHasher('sha256').update(query).digest('hex').slice(0, 12)}`
}

async function readBody(call: DoorCall): Promise<Question> {
  const type = call.request.headers.get('content-type') ?? ''
  if (!/^application\/(?:[\w.+-]+\+)?json\s*(?:;|$)/i.test(type)) throw notJson(type)
  const bytes = await call.body()
  let body: unknown
  try {
    body = JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes))
  } catch {
    throw invalid('The body is not valid JSON in UTF-8.')
  }
  if (typeof body !== 'object' || body === null || Array.isArray(body)) {
    throw invalid('The body is not a JSON object.')
  }
  return questionFromBody(body)
}

/** `query` is the question itself, or, as NLWeb sends it, an object that holds it as `text`. */
function questionFromBody(body: object): Question {
  let query: unknown = 'query' in body ? body.query : undefined
  let limit: unknown = 'limit' in body ? body.limit : undefined
  if (typeof query === 'object' && query !== null && 'text' in query) {
    if (limit === undefined && 'num_results' in query) limit = query.num_results
    query = query.text
  }
  if (query === undefined) throw invalid('The body has no query.')
  if (typeof query !== 'string') throw invalid('query is not a string.')
  if (query.trim() === '') throw invalid('query is empty.')
  return questionFrom(query, limit)
}

function questionFrom(query: string, limit: unknown): Question {
  if (query.length > askLimits.queryCharacters) {
    throw invalid(`query is longer than ${askLimits.queryCharacters} characters.`)
  }
  if (limit === undefined) return { query, limit: askLimits.results }
  const number = typeof limit === 'string' && /^\d{1,3}$/.test(limit) ? Number(limit) : limit
  if (
    typeof number !== 'number' ||
    !Number.isInteger(number) ||
    number < 1 ||
    number > askLimits.resultsMax
  ) {
    throw invalid(`limit is not a whole number from 1 to ${askLimits.resultsMax}.`)
  }
  return { query, limit: number }
}

function json(text: string): Response {
  return new Response(text, { headers: { 'content-type': 'application/json' } })
}

const hint = 'Send {"query": "your question"} as JSON, or GET /ask?query=your+question.'

const invalid = (detail: string) => refuse('invalid_request', { detail, hint })

const notJson = (type: string) =>
  refuse('unsupported_media_type', {
    detail: type === '' ? 'The body has no Content-Type.' : 'The body is not sent as JSON.',
    headers: { 'accept-post': 'application/json' },
  })
