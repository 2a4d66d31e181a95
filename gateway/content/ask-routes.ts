import company from '#content/site.config.ts'
import { siteHeaders } from '../site-headers.ts'
import { siteProblem } from '../site-problems.ts'
import { type Ask, type AskedLink, askLimits } from './ask.ts'

/**
 * A question takes a few hundred bytes; the rest is room for members that other clients send along.
 */
const bodyBytesMax = 64 * 1024

const meta = { response_type: 'answer', response_format: 'conversational_search', version: '0.55' }

/**
 * Answers of ten links are some five kilobytes, and those of fifty, which are rare, five times
 * that.
 */
const rememberedMax = 512

/** Each answer is counted against the caller's quota, so it is no one else's to reuse. */
const jsonHeaders = new Headers([
  ...siteHeaders.map(([name, value]): [string, string] => [name, value]),
  ['content-type', 'application/json'],
  ['cache-control', 'no-store'],
  ['access-control-allow-origin', '*'],
])

type Question = { readonly query: string; readonly limit: number }

/** What a caller did wrong travels as the answer itself: there is nothing to unwind on the way. */
type Read = Question | Response

/** `/ask` in the shape of NLWeb 0.55, which a reader of the older flat form understands too. */
export function askRoute(
  ask: Ask,
): (request: Request, query: string) => Promise<Response> | Response {
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
  const respond = (read: Read): Response => (read instanceof Response ? read : answer(read))
  return (request, query) => {
    if (request.method === 'POST') return readBody(request).then(respond)
    if (request.method !== 'GET' && request.method !== 'HEAD') return notAllowed()
    const parameters = new URLSearchParams(query)
    const text = parameters.get('query') ?? ''
    // Scanners look for this endpoint by asking nothing, and take a refusal for its absence.
    if (text.trim() === '') return json(usageText)
    return respond(questionFrom(text, parameters.get('limit') ?? undefined))
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

async function readBody(request: Request): Promise<Read> {
  const type = request.headers.get('content-type') ?? ''
  if (!/^application\/(?:[\w.+-]+\+)?json\s*(?:;|$)/i.test(type)) return notJson(type)
  const bytes = await boundedBody(request)
  if (bytes === undefined) return tooLarge()
  let body: unknown
  try {
    body = JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes))
  } catch {
    return invalid('The body is not valid JSON in UTF-8.')
  }
  if (typeof body !== 'object' || body === null || Array.isArray(body)) {
    return invalid('The body is not a JSON object.')
  }
  return questionFromBody(body)
}

/** `query` is the question itself, or, as NLWeb sends it, an object that holds it as `text`. */
function questionFromBody(body: object): Read {
  let query: unknown = 'query' in body ? body.query : undefined
  let limit: unknown = 'limit' in body ? body.limit : undefined
  if (typeof query === 'object' && query !== null && 'text' in query) {
    if (limit === undefined && 'num_results' in query) limit = query.num_results
    query = query.text
  }
  if (query === undefined) return invalid('The body has no query.')
  if (typeof query !== 'string') return invalid('query is not a string.')
  if (query.trim() === '') return invalid('query is empty.')
  return questionFrom(query, limit)
}

function questionFrom(query: string, limit: unknown): Read {
  if (query.length > askLimits.queryCharacters) {
    return invalid(`query is longer than ${askLimits.queryCharacters} characters.`)
  }
  if (limit === undefined) return { query, limit: askLimits.results }
  const number = typeof limit === 'string' && /^\d{1,3}$/.test(limit) ? Number(limit) : limit
  if (
    typeof number !== 'number' ||
    !Number.isInteger(number) ||
    number < 1 ||
    number > askLimits.resultsMax
  ) {
    return invalid(`limit is not a whole number from 1 to ${askLimits.resultsMax}.`)
  }
  return { query, limit: number }
}

/** A declared length is believed only when it refuses; the bytes are counted as they arrive. */
async function boundedBody(request: Request): Promise<Uint8Array | undefined> {
  if (Number(request.headers.get('content-length') ?? 0) > bodyBytesMax) return undefined
  const chunks: Uint8Array[] = []
  let length = 0
  for await (const chunk of request.body ?? []) {
    length += chunk.length
    if (length > bodyBytesMax) return undefined
    chunks.push(chunk)
  }
  return Buffer.concat(chunks, length)
}

function json(text: string): Response {
  return new Response(text, { headers: jsonHeaders })
}

const hint = 'Send {"query": "your question"} as JSON, or GET /ask?query=your+question.'

function invalid(detail: string): Response {
  return siteProblem('invalid_request', { detail, hint })
}

function notJson(type: string): Response {
  const detail = type === '' ? 'The body has no Content-Type.' : 'The body is not sent as JSON.'
  return siteProblem('unsupported_media_type', {
    detail,
    hint: 'Set Content-Type: application/json.',
    headers: { 'accept-post': 'application/json' },
  })
}

function tooLarge(): Response {
  return siteProblem('payload_too_large', {
    detail: `The body is larger than ${bodyBytesMax} bytes.`,
    hint: 'Send the question alone.',
    members: { limit_bytes: bodyBytesMax },
  })
}

function notAllowed(): Response {
  return siteProblem('method_not_allowed', {
    detail: 'A question is asked with GET or POST.',
    hint,
    headers: { allow: 'GET, HEAD, POST' },
  })
}
