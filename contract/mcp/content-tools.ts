// The six read-only tools that both tool servers offer, in the order of tools/list.

import { Type, type TSchema } from 'typebox'
import {
  article,
  articleSummary,
  comparison,
  comparisonSummary,
  listLimits,
  overview,
  pageLimit,
  pricing,
  slugPattern,
} from '../content.ts'
import { closed, nullable } from '../shapes.ts'
import type { Hints, ToolDefinition } from './tool.ts'

export const readsOnly: Hints = {
  readOnlyHint: true,
  destructiveHint: false,
  idempotentHint: true,
  openWorldHint: false,
}

const cursor = Type.Optional(
  Type.String({
    maxLength: listLimits.cursorLength,
    description: 'next_cursor from the previous page.',
  }),
)
const limit = Type.Optional(pageLimit)
const slugFrom = (list: string) =>
  Type.String({ pattern: slugPattern, maxLength: 100, description: `From ${list}.` })
const pageOf = <S extends TSchema>(item: S) =>
  closed({ items: Type.Array(item), next_cursor: nullable(Type.String()) })

export const contentTools = {
  get_overview: {
    name: 'get_overview',
    title: 'What the company does',
    description: 'The company on one page. Start here.',
    input: closed({}),
    output: overview,
    hints: readsOnly,
  },
  get_pricing: {
    name: 'get_pricing',
    title: 'Prices and plans',
    description: "Plans and per-use prices. Null means 'talk to us'; never estimate.",
    input: closed({}),
    output: pricing,
    hints: readsOnly,
  },
  list_comparisons: {
    name: 'list_comparisons',
    title: 'List comparisons',
    description: 'Comparison pages, newest first.',
    input: closed({ limit, cursor }),
    output: pageOf(comparisonSummary),
    hints: readsOnly,
  },
  get_comparison: {
    name: 'get_comparison',
    title: 'Read one comparison',
    description: 'One comparison: criteria and text.',
    input: closed({ slug: slugFrom('list_comparisons') }),
    output: comparison,
    hints: readsOnly,
  },
  list_articles: {
    name: 'list_articles',
    title: 'List articles',
    description: 'Articles, newest first; filter by tag.',
    input: closed({ limit, cursor, tag: Type.Optional(Type.String({ maxLength: 60 })) }),
    output: pageOf(articleSummary),
    hints: readsOnly,
  },
  get_article: {
    name: 'get_article',
    title: 'Read one article',
    description: 'One article as Markdown. General information, not medical advice.',
    input: closed({ slug: slugFrom('list_articles') }),
    output: article,
    hints: readsOnly,
  },
} as const satisfies Record<string, ToolDefinition>
