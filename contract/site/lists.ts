// The rows for the lists of articles and comparisons.
import { Type } from 'typebox'
import { articleSummary, comparisonSummary, listLimits, pageLimit } from '../content.ts'
import { named, nullable, text } from '../shapes.ts'
import { defineSite, type SiteExample } from './operation.ts'

const listQuery = Type.Object({
  limit: Type.Optional({ ...pageLimit, description: 'The maximum number of items per page.' }),
  cursor: Type.Optional(
    text(1, listLimits.cursorLength, {
      description: 'next_cursor from the previous page. Stays valid when the site is republished.',
    }),
  ),
})

const pageOf = <N extends string>(name: N, item: Parameters<typeof Type.Array>[0], what: string) =>
  named(name, `A page of ${what}, newest first.`, {
    items: Type.Array(item),
    next_cursor: nullable(Type.String(), {
      description: 'Send it as cursor to get the next page. null on the last page.',
    }),
  })

const address = 'https://example.com'
const article = {
  slug: 'webhooks-you-can-trust',
  title: 'Webhooks you can trust: signatures, retries, dedupe',
  description: 'How deliveries are signed and retried, and how to recognize duplicates.',
  url: `${address}/blog/webhooks-you-can-trust`,
  markdown_url: `${address}/blog/webhooks-you-can-trust.md`,
  published: '2026-11-20',
  updated: '2026-11-20',
  tags: ['reliability'],
  reading_minutes: 5,
  notice: null,
}
const comparison = {
  slug: 'webhooks-vs-polling',
  title: 'Webhooks or polling',
  description: 'What each is good for, and why most systems end up with both of them.',
  url: `${address}/compare/webhooks-vs-polling`,
  markdown_url: `${address}/compare/webhooks-vs-polling.md`,
  updated: '2026-11-20',
  notice: null,
  subject: 'Webhooks',
  alternative: 'Polling',
}

const listExamples: Record<string, SiteExample> = {
  first_page: { summary: 'The first page', status: 200 },
  two: { summary: 'Two items', query: 'limit=2', status: 200 },
  none: { summary: 'A limit of zero', query: 'limit=0', status: 400 },
  too_many: { summary: 'A limit above the maximum', query: 'limit=51', status: 400 },
  no_number: { summary: 'A limit that is not a number', query: 'limit=x', status: 400 },
  foreign_cursor: { summary: 'A cursor from elsewhere', query: 'cursor=x', status: 400 },
  misspelt: { summary: 'A misspelled parameter', query: 'lmit=2', status: 400 },
}

const listDescription =
  'Follow `next_cursor` to the end: every item appears once, in the site’s order.'

export const listOperations = defineSite({
  listArticles: {
    method: 'GET',
    path: '/api/articles',
    tag: 'Content',
    form: 'problem',
    summary: 'List articles.',
    description: listDescription,
    query: listQuery,
    answers: [
      {
        status: 200,
        description: 'A page of results.',
        content: {
          'application/json': {
            schema: pageOf('ArticlePage', { ...articleSummary, $id: 'ArticleSummary' }, 'articles'),
            example: { items: [article], next_cursor: null },
          },
        },
      },
    ],
    refuses: ['invalid_request'],
    examples: listExamples,
  },
  listComparisons: {
    method: 'GET',
    path: '/api/comparisons',
    tag: 'Content',
    form: 'problem',
    summary: 'List comparisons.',
    description: listDescription,
    query: listQuery,
    answers: [
      {
        status: 200,
        description: 'A page of results.',
        content: {
          'application/json': {
            schema: pageOf(
              'ComparisonPage',
              { ...comparisonSummary, $id: 'ComparisonSummary' },
              'comparisons',
            ),
            example: { items: [comparison], next_cursor: null },
          },
        },
      },
    ],
    refuses: ['invalid_request'],
    examples: listExamples,
  },
})
