// The rows of /ask, in the shape of NLWeb 0.55.
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
      'The question in full, if query depends on a conversation. It is answered instead.',
  }),
  mode: Type.Optional(
    words(
      '`list`, or `summarize` for a summary before the results. Others are answered as `list`.',
    ),
  ),
  site: Type.Optional(words('The host of this site, or `all`. No other site is searched.')),
}
const prev = 'Earlier questions. Not used; `_meta.notes` says so.'

/** Open, because NLWeb's clients send members that we do not read. */
const Question = named('Question', 'Other members are ignored, as NLWeb clients send them.', {
  query: Type.Union([
    question,
    Type.Object(
      { text: question, num_results: Type.Optional(results) },
      { description: 'As NLWeb sends it.' },
    ),
  ]),
  limit: Type.Optional(results),
  ...others,
  prev: Type.Optional(Type.Unknown({ description: prev })),
  prefer: Type.Optional(
    Type.Object({
      mode: others.mode,
      streaming: Type.Optional(Type.Boolean({ description: 'Answer as server-sent events.' })),
    }),
  ),
})

const parameters = Type.Object({
  query: Type.Optional(question),
  limit: Type.Optional(results),
  ...others,
  prev: Type.Optional(words(prev)),
  streaming: Type.Optional(
    Type.Boolean({ default: false, description: 'Answer as server-sent events.' }),
  ),
})

const Result = named('Result', 'A page that answers.', {
  '@context': Type.Optional(Type.Literal('https://schema.org')),
  '@type': words('The type of the page in schema.org.'),
  '@id': uri('The same as url.'),
  url: uri('The page. Its Markdown is at the same URL with .md appended.'),
  name: words('The title.'),
  description: words('What the page is about.'),
  site: words('The host.'),
  score: Type.Number({ minimum: 0, maximum: 100, description: 'Higher is more relevant.' }),
  matched_terms: Type.Array(words('A word of the question.'), {
    description: 'The words of the question that the page was found by.',
  }),
  section: nullable(
    Type.Object({
      heading: words('The heading of the section.'),
      url: uri('The page with the anchor of the section.'),
    }),
    { description: 'The section of the page that fits best; null: the beginning of the page.' },
  ),
  grounding: Type.Optional(Type.Object({ source_urls: Type.Array(uri('The source.')) })),
  schema_object: Type.Optional(anything('The page in schema.org form.')),
})

const Summary = named('Summary', 'The first results in sentences, with mode summarize.', {
  '@context': Type.Optional(Type.Literal('https://schema.org')),
  '@type': Type.Literal('SearchSummary'),
  '@id': uri('Derived from the question.'),
  text: words('The titles and descriptions of the first pages.'),
  grounding: Type.Object({ source_urls: Type.Array(uri('A page.')) }),
})

const Answer = named('Answer', 'Ranked pages, or how to ask.', {
  _meta: Type.Object(
    {
      response_type: words('`answer`.'),
      response_format: words('`conversational_search`.'),
      version: words('The version of NLWeb.'),
      decontextualized_query: Type.Optional(words('What was answered, if it was sent.')),
      notes: Type.Optional(
        Type.Array(words('A sentence.'), {
          description:
            'What to read first: where to call in an emergency, and what was asked for and is not served.',
        }),
      ),
    },
    { description: 'The form of this response (NLWeb).' },
  ),
  query_id: Type.Optional(words('Derived from the question: equal questions have equal ids.')),
  results: Type.Array(Type.Union([Result, Summary])),
  usage: Type.Optional(anything('How to ask. Only when no question was sent.')),
})

const title = 'Webhooks you can trust: signatures, retries, dedupe'
const page = `https://example.com/blog/webhooks-you-can-trust`
const item = {
  '@context': 'https://schema.org',
  '@type': 'Article',
  '@id': page,
  url: page,
  name: title,
  description: 'How deliveries are signed, tried again, and recognized as duplicates.',
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
    description: 'Without a query it answers 200 with no results and explains how to ask.',
    query: parameters,
    answers: [askAnswer],
    refuses: ['invalid_request'],
    examples: {
      question: { summary: 'A question', query: 'query=how+do+webhooks+work', status: 200 },
      streamed: {
        summary: 'The same, as events',
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
      'The body may be omitted if the query string has the question; a member of the body counts before it.',
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
