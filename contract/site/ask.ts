// The rows for /ask, in NLWeb 0.55's format.
import { Type } from 'typebox'
import { askLimits } from '../limits.ts'
import { named, nullable, text, whole } from '../shapes.ts'
import { defineSite } from './operation.ts'

const words = (description: string) => Type.String({ description })
const anything = (description: string) =>
  Type.Record(Type.String(), Type.Unknown(), { description })
const uri = (description: string) => Type.String({ format: 'uri', description })

const question = text(1, askLimits.queryCharacters, {
  description: 'A question in natural language.',
  examples: ['how do webhooks work'],
})
const results = whole(1, askLimits.resultsMax, {
  default: askLimits.results,
  description: 'The maximum number of results.',
})

const others = {
  decontextualized_query: Type.Optional({
    ...question,
    description:
      'The full question, if query depends on a conversation. It is answered instead of query.',
  }),
  mode: Type.Optional(
    words('`list`, or `summarize` for a summary before the results. Anything else means `list`.'),
  ),
  site: Type.Optional(words('The host of this site, or `all`. Other sites are not searched.')),
}
const prev = 'Earlier questions. Not used, as `_meta.notes` says.'

/** The schema is open, because NLWeb clients send fields that we don't read. */
const Question = named(
  'Question',
  'A question. Other fields that NLWeb clients send are ignored.',
  {
    query: Type.Union([
      question,
      Type.Object(
        { text: question, num_results: Type.Optional(results) },
        { description: 'In the form NLWeb sends.' },
      ),
    ]),
    limit: Type.Optional(results),
    ...others,
    prev: Type.Optional(Type.Unknown({ description: prev })),
    prefer: Type.Optional(
      Type.Object({
        mode: others.mode,
        streaming: Type.Optional(Type.Boolean({ description: 'Respond with server-sent events.' })),
      }),
    ),
  },
)

const parameters = Type.Object({
  query: Type.Optional(question),
  limit: Type.Optional(results),
  ...others,
  prev: Type.Optional(words(prev)),
  streaming: Type.Optional(
    Type.Boolean({ default: false, description: 'Respond with server-sent events.' }),
  ),
})

const Result = named('Result', 'A page that answers the question.', {
  '@context': Type.Optional(Type.Literal('https://schema.org')),
  '@type': words('The page’s schema.org type.'),
  '@id': uri('The same as url.'),
  url: uri('The page. Its Markdown is at the same URL with .md appended.'),
  name: words('The title.'),
  description: words('What the page is about.'),
  site: words('The host.'),
  score: Type.Number({ minimum: 0, maximum: 100, description: 'Higher is more relevant.' }),
  matched_terms: Type.Array(words('A word from the question.'), {
    description: 'The words from the question that matched the page.',
  }),
  section: nullable(
    Type.Object({
      heading: words('The section’s heading.'),
      url: uri('The page’s URL with the section’s anchor.'),
    }),
    { description: 'The best matching section. null means the top of the page.' },
  ),
  grounding: Type.Optional(Type.Object({ source_urls: Type.Array(uri('The source.')) })),
  schema_object: Type.Optional(anything('The page as schema.org data.')),
})

const Summary = named('Summary', 'The first results in sentences, in summarize mode.', {
  '@context': Type.Optional(Type.Literal('https://schema.org')),
  '@type': Type.Literal('SearchSummary'),
  '@id': uri('Derived from the question.'),
  text: words('The titles and descriptions of the first pages.'),
  grounding: Type.Object({ source_urls: Type.Array(uri('A page.')) }),
})

const Answer = named('Answer', 'Ranked pages, or instructions for asking.', {
  _meta: Type.Object(
    {
      response_type: words('`answer`.'),
      response_format: words('`conversational_search`.'),
      version: words('The NLWeb version.'),
      decontextualized_query: Type.Optional(
        words('The question that was answered, if it was sent.'),
      ),
      notes: Type.Optional(
        Type.Array(words('A sentence.'), {
          description:
            'Notes to read first: where to call in an emergency, and what you asked for that is not supported.',
        }),
      ),
    },
    { description: 'The format of this response (NLWeb).' },
  ),
  query_id: Type.Optional(words('Derived from the question: the same question has the same ID.')),
  results: Type.Array(Type.Union([Result, Summary])),
  usage: Type.Optional(anything('How to ask. Present only when no question was sent.')),
})

const title = 'Webhooks you can trust: signatures, retries, dedupe'
const page = `https://example.com/blog/webhooks-you-can-trust`
const item = {
  '@context': 'https://schema.org',
  '@type': 'Article',
  '@id': page,
  url: page,
  name: title,
  description: 'How deliveries are signed and retried, and how to recognize duplicates.',
  site: 'example.com',
  score: 87.25,
  matched_terms: ['webhooks'],
  section: {
    heading: 'Verify the bytes, not the object',
    url: `${page}#verify-the-bytes-not-the-object`,
  },
  grounding: { source_urls: [page] },
  schema_object: { '@type': 'Article', name: title, url: page },
}
const meta = {
  response_type: 'answer',
  response_format: 'conversational_search',
  version: '0.55',
}
const events = [
  ['start', { _meta: { ...meta, streaming: true }, query_id: 'q_3d0f1a2b4c5e' }],
  ['result', { index: 0, item, results: [item] }],
  ['complete', { _meta: meta, query_id: 'q_3d0f1a2b4c5e' }],
].map(([name, data]) => `event: ${String(name)}\ndata: ${JSON.stringify(data)}\n\n`)

const askAnswer = {
  status: 200,
  description: 'Ranked pages. The same question gets the same bytes.',
  content: {
    'application/json': {
      schema: Answer,
      example: { _meta: meta, query_id: 'q_3d0f1a2b4c5e', results: [item] },
    },
    'text/event-stream': {
      schema: Type.String({
        description:
          'The events `start`, one `result` per item, and `complete`. Each `data` is one line of JSON.',
      }),
      example: events.join(''),
    },
  },
} as const

export const askOperations = defineSite({
  ask: {
    method: 'GET',
    path: '/ask',
    tag: 'Ask',
    form: 'problem',
    summary: 'Ask a question and get ranked pages.',
    description: 'Without a query, it returns 200 with no results and instructions for asking.',
    query: parameters,
    answers: [askAnswer],
    refuses: ['invalid_request'],
    examples: {
      question: { summary: 'A question', query: 'query=how+do+webhooks+work', status: 200 },
      streamed: {
        summary: 'A question, streamed as events',
        query: 'query=webhooks&streaming=true',
        status: 200,
      },
      summary: { summary: 'With a summary', query: 'query=webhooks&mode=summarize', status: 200 },
      nothing: { summary: 'No question', status: 200 },
      nothing_streamed: { summary: 'No question, as events', query: 'streaming=true', status: 200 },
      too_many: { summary: 'A limit above the maximum', query: 'query=a&limit=51', status: 400 },
    },
  },
  askByPost: {
    method: 'POST',
    path: '/ask',
    tag: 'Ask',
    form: 'problem',
    summary: 'Ask a question with a JSON body.',
    description:
      'You can omit the body if the question is in the query string. Fields in the body take precedence.',
    query: parameters,
    body: Question,
    answers: [askAnswer],
    refuses: ['invalid_request', 'unsupported_media_type'],
    examples: {
      question: { summary: 'A question', body: { query: 'how do webhooks work' }, status: 200 },
      as_nlweb_sends_it: {
        summary: 'As NLWeb sends it, with events',
        body: { query: { text: 'webhooks', num_results: 2 }, prefer: { streaming: true } },
        status: 200,
      },
      in_query: {
        summary: 'In the query string, without a body',
        query: 'query=how+do+webhooks+work',
        status: 200,
      },
      nothing: { summary: 'No question', body: {}, status: 400 },
    },
  },
})
