import { type Content, type Entry, valueOf } from '#content/read.ts'

/**
 * What is published. A build loads nothing else, so nothing that it makes can show a draft; only
 * the preview leaves this out.
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

/** In every list, twin and heading, because all of them print the title. */
export const titleOf = ({ title, draft }: { title: string; draft: boolean }) =>
  draft ? `Draft: ${title}` : title
