// The immutable catalog of one site build, for lists and tools.
import type {
  Article,
  ArticleSummary,
  Comparison,
  ComparisonSummary,
  GuideSummary,
} from '#contract/content.ts'
import { openSkills } from '#mcp/docs/skills.ts'
import type { Catalog } from '#mcp/tools/content-tools.ts'
import { createPagedList } from './paged-list.ts'

/** Reads a build file by its path, such as `/catalog/articles.json`. */
type ReadFile = (path: string) => string | undefined

type StoredArticle = Omit<Article, 'body_markdown'> & { questions: string[] }
type StoredComparison = Omit<Comparison, 'body_markdown'> & { published: string }

/** The data behind one build's endpoints and tools. */
export type BuildCatalog = Catalog & {
  /** The guides, in sidebar order. */
  readonly guides: readonly GuideSummary[]
}

/** Throws if a catalog file is missing or invalid. */
export function loadCatalog(read: ReadFile): BuildCatalog {
  const json = <T>(name: string): T => {
    const text = read(`/catalog/${name}.json`)
    if (text === undefined) throw new Error(`The build has no catalog/${name}.json.`)
    return JSON.parse(text) as T
  }
  /** A page's Markdown version without its frontmatter. */
  const bodyOf = (markdownUrl: string): string =>
    (read(new URL(markdownUrl).pathname) ?? '').replace(/^---\n[\s\S]*?\n---\n\n/, '')
  const articles = json<StoredArticle[]>('articles')
  return {
    overview: json('overview'),
    pricing: json('pricing'),
    articles: createPagedList({
      name: 'articles',
      stored: articles,
      summary: summaryOf,
      tagsOf: article => article.tags,
      whole: article => {
        const { reviewed_by, sources } = article
        const body_markdown = bodyOf(article.markdown_url)
        return { ...summaryOf(article), body_markdown, reviewed_by, sources }
      },
    }),
    comparisons: createPagedList({
      name: 'comparisons',
      stored: json<StoredComparison[]>('comparisons'),
      summary: comparisonSummaryOf,
      tagsOf: () => [],
      whole: each => {
        const { verdict, criteria, best_for } = each
        const body_markdown = bodyOf(each.markdown_url)
        return { ...comparisonSummaryOf(each), verdict, criteria, best_for, body_markdown }
      },
    }),
    guides: json('guides'),
    skills: openSkills(read),
    tags: [...new Set(articles.flatMap(({ tags }) => tags))].sort(),
  }
}

function summaryOf(article: StoredArticle): ArticleSummary {
  const { reviewed_by: _reviewer, sources: _sources, questions: _questions, ...summary } = article
  return summary
}

function comparisonSummaryOf(comparison: StoredComparison): ComparisonSummary {
  const {
    published: _day,
    verdict: _verdict,
    criteria: _all,
    best_for: _for,
    ...summary
  } = comparison
  return summary
}
