import { asOf } from '#content/expiry.ts'
import { type Content, type Entry, valueOf } from '#content/read.ts'

/**
 * What is published on a day. A build loads nothing else, so nothing that it makes can show a
 * draft, or a page whose facts have aged; only the preview leaves this out.
 */
export function published(all: Content, day: string): Content {
  const content = asOf(all, day)
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
