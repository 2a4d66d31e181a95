// Schemas of the site's content in the responses of its lists and tools. URLs are absolute, days
// are YYYY-MM-DD, and prices are decimal strings in `currency`. Every object is closed.

import { Type, type Static, type TSchema } from 'typebox'
import { closed, day, whole } from './shapes.ts'

export const slugPattern = '^[a-z0-9]+(-[a-z0-9]+)*$'

const text = Type.String()
const uri = Type.String({ format: 'uri' })
const listOf = <S extends TSchema>(item: S) => Type.Array(item)
const price = Type.Unsafe<string | null>({ type: ['string', 'null'], pattern: '^\\d+\\.\\d{2}$' })

/** States when a page's facts were last checked, if they may be out of date. */
const textOrNull = Type.Unsafe<string | null>({ type: ['string', 'null'] })
const notice = textOrNull

/** The fields of every page in a list. */
const pageFields = {
  slug: Type.String({ pattern: slugPattern }),
  title: text,
  description: text,
  url: uri,
  markdown_url: uri,
}

const articleSummaryFields = {
  ...pageFields,
  published: day(),
  updated: day(),
  author: Type.Optional(text),
  tags: listOf(text),
  reading_minutes: Type.Integer({ minimum: 1 }),
  notice,
}
export const articleSummary = closed(articleSummaryFields)

export const article = closed({
  ...articleSummaryFields,
  body_markdown: text,
  reviewed_by: textOrNull,
  sources: listOf(closed({ title: text, url: uri })),
})

const comparisonSummaryFields = {
  ...pageFields,
  updated: day(),
  notice,
  subject: text,
  alternative: text,
}
export const comparisonSummary = closed(comparisonSummaryFields)

export const comparison = closed({
  ...comparisonSummaryFields,
  verdict: text,
  criteria: listOf(
    closed({
      name: text,
      subject: text,
      alternative: text,
      source_url: Type.Unsafe<string | null>({ type: ['string', 'null'], format: 'uri' }),
    }),
  ),
  best_for: closed({ subject: text, alternative: text }),
  body_markdown: text,
})

/** A guide in a list. */
export const guideSummary = closed({ ...pageFields, updated: day() })

export const overview = closed({
  name: text,
  summary: text,
  audience: listOf(text),
  capabilities: listOf(closed({ title: text, description: text, url: uri })),
  not_offered: listOf(text),
  links: Type.Record(text, uri),
  updated: day(),
})

export const pricing = closed({
  currency: Type.String({ pattern: '^[A-Z]{3}$' }),
  plans: listOf(
    closed({
      id: text,
      name: text,
      summary: text,
      price,
      interval: Type.Unsafe<'month' | 'year' | 'once' | null>({
        type: ['string', 'null'],
        enum: ['month', 'year', 'once', null],
      }),
      includes: listOf(text),
      url: uri,
    }),
  ),
  usage: listOf(closed({ kind: text, unit: text, price: textOrNull })),
  notes: listOf(text),
  url: uri,
  updated: day(),
})

/** The parameters of both lists. */
export const listLimits = { default: 20, max: 50, cursorLength: 200 } as const
export const pageLimit = whole(1, listLimits.max, { default: listLimits.default })

export type ArticleSummary = Static<typeof articleSummary>
export type Article = Static<typeof article>
export type ComparisonSummary = Static<typeof comparisonSummary>
export type Comparison = Static<typeof comparison>
export type GuideSummary = Static<typeof guideSummary>
export type Overview = Static<typeof overview>
export type Pricing = Static<typeof pricing>
