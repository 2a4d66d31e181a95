import { type Entry, valueOf } from '#content/entry.ts'
import type { Content } from '#content/read.ts'

/**
 * Returns the published content. A build loads nothing else, so none of its files can contain a
 * draft. Only the preview shows all content.
 */
export function published(content: Content): Content {
  const { articles, comparisons, docs } = content
  const isPublished = (entry: Entry) => valueOf(entry, 'draft') !== true
  return {
    ...content,
    articles: articles.filter(isPublished),
    comparisons: comparisons.filter(isPublished),
    docs: docs.filter(isPublished),
  }
}

/** The title for lists, Markdown versions and headings. */
export const titleOf = ({ title, draft }: { title: string; draft: boolean }) =>
  draft ? `Draft: ${title}` : title
