import config from '#content/site.config.ts'
import type * as content from '#content/records.ts'
import type { Article, Comparison, GuideSummary, Overview, Pricing } from '#contract/content.ts'
import type { Guide, ArticlePage, Versus } from '../catalog.ts'
import { address, markdownPath } from './markdown-version.ts'

// The catalog that the gateway reads on start. The catalog has the data for the gateway's lists and
// tools, except for bodies, which are in the Markdown versions.

type CataloguedArticle = Omit<Article, 'body_markdown'> & { questions: string[] }
type CataloguedComparison = Omit<Comparison, 'body_markdown'> & { published: string }

export function cataloguedArticle(post: ArticlePage): CataloguedArticle {
  const { slug, title, description, published, updated, tags, sources, questions, aged } = post
  return {
    slug,
    url: address(post.path),
    markdown_url: address(markdownPath(post.path)),
    title,
    description,
    published,
    updated,
    author: post.by,
    tags,
    reading_minutes: post.minutes,
    notice: aged?.text ?? null,
    reviewed_by: post.reviewers.map(({ name }) => name).join(', ') || null,
    sources: sources.map(({ title, url }) => ({ title, url })),
    questions,
  }
}

export function cataloguedGuide(guide: Guide): GuideSummary {
  const { slug, title, description, path, updated } = guide
  const addresses = { url: address(path), markdown_url: address(markdownPath(path)) }
  return { slug, title, description, ...addresses, updated }
}

export function cataloguedComparison(each: Versus): CataloguedComparison {
  const { slug, title, description, published, updated, subject, alternative, verdict } = each
  return {
    slug,
    url: address(each.path),
    markdown_url: address(markdownPath(each.path)),
    title,
    description,
    published,
    updated,
    notice: each.aged?.text ?? null,
    subject,
    alternative,
    verdict,
    criteria: each.criteria.map(({ name, subject, alternative, source }) => ({
      name,
      subject,
      alternative,
      source_url: source,
    })),
    best_for: each.best_for,
  }
}

const here = (url: string) => (url.startsWith('/') ? address(url) : url)

export function publishedOverview(about: content.Overview): Overview {
  const { summary, audience, capabilities, not_offered, updated } = about
  return {
    name: config.name,
    summary,
    audience,
    capabilities: capabilities.map(each => ({ ...each, url: here(each.url) })),
    not_offered,
    links: {
      home: address('/'),
      pricing: address('/pricing'),
      developers: address('/developers'),
      docs: address('/docs'),
      articles: address('/blog'),
      comparisons: address('/compare'),
      booking: address('/booking'),
      llms: address('/llms.txt'),
      openapi: address('/openapi.json'),
      agents: address('/agents.md'),
    },
    updated,
  }
}

export function publishedPricing(prices: content.Pricing): Pricing {
  const { currency, plans, usage, unpriced, notes, updated } = prices
  return {
    currency,
    plans: plans.map(plan => ({ ...plan, url: here(plan.url) })),
    usage,
    notes: [...notes, ...unpriced.map(({ what, why }) => `No charge: ${what}. ${why}`)],
    url: address('/pricing'),
    updated,
  }
}
