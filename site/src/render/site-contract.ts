import config from '#content/site.config.ts'
import { address } from './twin.ts'

// The contract of the site's own API, for /openapi.json. It names what is served and nothing else:
// today that is /ask. A test of the gateway holds the real answers against it.

const version = '2026-08-23'

const header = (description: string, schema: object) => ({ description, schema })

const headers = {
  'API-Version': header('The version that served this answer.', { type: 'string', format: 'date' }),
  'RateLimit-Policy': header('The quota: 300 requests in 60 seconds.', { type: 'string' }),
}

const problem = (description: string) => ({
  description,
  headers,
  content: { 'application/problem+json': { schema: { $ref: '#/components/schemas/Problem' } } },
})

const answers = {
  '200': {
    description: 'Ranked pages; the same question gets the same bytes.',
    headers,
    content: { 'application/json': { schema: { $ref: '#/components/schemas/Answer' } } },
  },
  '400': problem('The question is missing, too long, or the limit is out of range.'),
  default: problem('Any other refusal.'),
}

const query = {
  type: 'string',
  maxLength: 500,
  description: 'A question in words.',
  examples: ['how do webhooks work'],
}

const limit = {
  type: 'integer',
  minimum: 1,
  maximum: 50,
  default: 10,
  description: 'The most results to return.',
}

const ask = {
  get: {
    operationId: 'ask',
    summary: 'Ask a question and get ranked pages.',
    description: 'Without a query it answers 200 with no results and says how to ask.',
    tags: ['Ask'],
    parameters: [
      { name: 'query', in: 'query', required: false, schema: query },
      { name: 'limit', in: 'query', required: false, schema: limit },
    ],
    responses: answers,
  },
  post: {
    operationId: 'askByPost',
    summary: 'Ask a question with a JSON body.',
    tags: ['Ask'],
    requestBody: {
      required: true,
      content: { 'application/json': { schema: { $ref: '#/components/schemas/Question' } } },
    },
    responses: {
      ...answers,
      '413': problem('The body is too large.'),
      '415': problem('The body is not sent as JSON.'),
    },
  },
}

const text = (description: string) => ({ type: 'string', description })
const url = (description: string) => ({ type: 'string', format: 'uri', description })

const question = {
  type: 'object',
  required: ['query'],
  description: 'Members that are not named here are ignored, as NLWeb clients send them.',
  properties: {
    query: {
      oneOf: [
        query,
        { type: 'object', required: ['text'], properties: { text: query, num_results: limit } },
      ],
    },
    limit,
  },
}

const result = {
  type: 'object',
  required: ['@type', '@id', 'url', 'name', 'description', 'site', 'score'],
  properties: {
    '@context': { const: 'https://schema.org' },
    '@type': text('What the page is, in the words of schema.org.'),
    '@id': url('The same as url.'),
    url: url('The page. Its markdown is at the same address with .md at its end.'),
    name: text('The title.'),
    description: text('What a reader knows after reading it.'),
    site: text('The host.'),
    score: { type: 'number', minimum: 0, maximum: 100, description: 'Higher is nearer.' },
    grounding: {
      type: 'object',
      properties: { source_urls: { type: 'array', items: url('Where it is said.') } },
    },
    schema_object: { type: 'object', description: 'The page as schema.org has it.' },
  },
}

const answer = {
  type: 'object',
  required: ['_meta', 'results'],
  properties: {
    _meta: { type: 'object', description: 'Which shape this is (NLWeb).' },
    query_id: text('Of the question alone: equal questions have equal ids.'),
    results: { type: 'array', items: { $ref: '#/components/schemas/Result' } },
    usage: { type: 'object', description: 'How to ask; only where nothing was asked.' },
  },
}

const problemShape = {
  type: 'object',
  description: 'RFC 9457, with a code to branch on and a hint that says what to do next.',
  required: ['type', 'title', 'status', 'detail', 'code', 'hint'],
  properties: {
    type: { type: 'string', format: 'uri-reference' },
    title: text('Fixed for the code.'),
    status: { type: 'integer' },
    detail: text('This one occasion.'),
    code: text('Stable, in snake_case.'),
    hint: text('What to do next.'),
  },
}

export function siteContract(): object {
  return {
    openapi: '3.1.1',
    info: {
      title: `${config.name}: site content API`,
      version,
      summary: 'Anonymous, read-only access to what this site says.',
      description: `Every page is also plain markdown: put .md behind its address, or send Accept: text/markdown. ${address('/llms.txt')} lists them. The clinical API is another one: ${address('/openapi/v1.json')}.\n\nVersions are dates. A breaking change ships as a new date, and the one before keeps working for at least 90 days.`,
      contact: { email: config.email.sales, url: address('/developers') },
      termsOfService: address('/terms'),
    },
    servers: [{ url: config.site }],
    security: [],
    tags: [{ name: 'Ask', description: 'Questions in words, answered with pages.' }],
    externalDocs: { url: address('/developers'), description: 'For engineers.' },
    paths: { '/ask': ask },
    components: {
      schemas: { Question: question, Answer: answer, Result: result, Problem: problemShape },
    },
  }
}
