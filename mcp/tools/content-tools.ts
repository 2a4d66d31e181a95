// The six tools that read content. The tools use the current site build. Results are cached per
// build.

import type { BuildSkills } from '../docs/skills.ts'
import type {
  Article,
  ArticleSummary,
  Comparison,
  ComparisonSummary,
  Overview,
  Pricing,
} from '#contract/content.ts'
import { contentTools } from '#contract/mcp/content-tools.ts'
import { didYouMean } from '#contract/messages/did-you-mean.ts'
import { answer, refusal, type ToolResult } from '../protocol/result.ts'
import { type Tool, tool } from '../protocol/tool.ts'

type ListQuery = {
  readonly limit?: number | undefined
  readonly cursor?: string | undefined
  readonly tag?: string | undefined
}
type Page<Summary> = { readonly items: Summary[]; readonly next_cursor: string | null }

/** A list with pages. */
export type PagedList<Summary, Whole> = {
  readonly slugs: readonly string[]
  /** Undefined if the cursor isn't from this list. */
  page(query: ListQuery): Page<Summary> | undefined
  get(slug: string): Whole | undefined
}

/** The published content of one site build. */
export type Catalog = {
  readonly overview: Overview
  readonly pricing: Pricing
  readonly articles: PagedList<ArticleSummary, Article>
  readonly comparisons: PagedList<ComparisonSummary, Comparison>
  /** All article tags, in alphabetical order. */
  readonly tags: readonly string[]
  readonly skills: BuildSkills
}

/** Limits memory use: a result takes up to a hundred kilobytes. */
const cachedMax = 256

export function openContentTools(current: () => Catalog): Tool[] {
  const made = new WeakMap<Catalog, Map<string, ToolResult>>()
  const cached = (key: string, make: (catalog: Catalog) => ToolResult): ToolResult => {
    const catalog = current()
    let results = made.get(catalog)
    if (results === undefined) made.set(catalog, (results = new Map()))
    const hit = results.get(key)
    if (hit !== undefined) return hit
    const result = make(catalog)
    if (results.size < cachedMax && result.isError === undefined) results.set(key, result)
    return result
  }
  const { get_overview, get_pricing, list_comparisons, get_comparison } = contentTools
  const { list_articles, get_article } = contentTools
  return [
    tool(get_overview, () => cached('overview', ({ overview }) => answer(overview))),
    tool(get_pricing, () => cached('pricing', ({ pricing }) => answer(pricing))),
    tool(list_comparisons, query =>
      cached(`comparisons ${JSON.stringify(query)}`, ({ comparisons }) =>
        listing(comparisons.page(query), list_comparisons.name),
      ),
    ),
    tool(get_comparison, ({ slug }) =>
      cached(`comparison ${slug}`, ({ comparisons }) =>
        text(comparisons, slug, 'comparison', list_comparisons.name),
      ),
    ),
    tool(list_articles, query =>
      cached(`articles ${JSON.stringify(query)}`, ({ articles, tags }) =>
        query.tag !== undefined && !tags.includes(query.tag)
          ? unknownTag(query.tag, tags)
          : listing(articles.page(query), list_articles.name),
      ),
    ),
    tool(get_article, ({ slug }) =>
      cached(`article ${slug}`, ({ articles }) =>
        text(articles, slug, 'article', list_articles.name),
      ),
    ),
  ]
}

function listing(page: Page<object> | undefined, list: string): ToolResult {
  if (page === undefined) {
    const message = `cursor must be a next_cursor from ${list}.`
    return refusal({
      code: 'invalid_cursor',
      detail: 'This cursor did not come from this list.',
      hint: `Pass next_cursor from the previous page unchanged, or call ${list} without cursor to start at the first page.`,
      errors: [{ pointer: '#/cursor', code: 'invalid_cursor', message }],
    })
  }
  const { next_cursor: next } = page
  return answer(page, ...(next === null ? [] : [`More: call ${list} again with cursor "${next}".`]))
}

function unknownTag(tag: string, tags: readonly string[]): ToolResult {
  const near = didYouMean(tag, tags)
  return refusal({
    code: 'not_found',
    detail: 'No article has this tag.',
    hint: `${near === undefined ? '' : `Did you mean ${near}? `}Tags: ${tags.join(', ')}.`,
  })
}

/** The result for one text. Markdown comes first, because models read it best; then comes the
 *  object, structured and as text. */
function text<Whole extends { title: string; url: string; body_markdown: string }>(
  pagedList: PagedList<unknown, Whole>,
  slug: string,
  what: string,
  list: string,
): ToolResult {
  const found = pagedList.get(slug)
  if (found === undefined) {
    const near = didYouMean(slug, pagedList.slugs)
    return refusal({
      code: 'not_found',
      detail: `No ${what} has the slug '${slug}'.`,
      hint: `${near === undefined ? '' : `Did you mean '${near}'? `}${list} lists them all.`,
    })
  }
  const { content, structuredContent } = answer(found)
  const markdown = `${found.title}\n${found.url}\n\n${found.body_markdown}`
  return {
    content: [{ type: 'text', text: markdown }, ...content],
    ...(structuredContent && { structuredContent }),
  }
}
