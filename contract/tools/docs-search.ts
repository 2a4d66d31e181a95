// The only tool without an operation: a search over the guides and the API reference.

import { Type } from 'typebox'
import { readsOnly } from '../mcp/content-tools.ts'
import { closed, oneOf, text, whole } from '../shapes.ts'

const docKinds = ['guide', 'operation', 'schema', 'error', 'event'] as const
export type DocKind = (typeof docKinds)[number]

const kind = oneOf(docKinds)

export const docsSearch = {
  name: 'docs_search',
  title: 'Search the guides and API reference',
  description:
    'Finds guides, operations, error codes and event types by keywords. Returns excerpts with a resource URI; read the resource for the whole page, or add the fragment of url for one section. Use it before guessing a parameter.',
  input: closed({
    query: text(2, 200),
    kind: Type.Optional(kind),
    limit: Type.Optional(whole(1, 20, { default: 5 })),
  }),
  output: closed({
    query: Type.String(),
    results: Type.Array(
      closed({
        kind,
        title: Type.String(),
        uri: Type.String(),
        url: Type.String(),
        heading: Type.Optional(Type.String()),
        excerpt: Type.String(),
        score: Type.Number(),
      }),
    ),
  }),
  hints: readsOnly,
} as const
