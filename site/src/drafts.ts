import { type Content, type Entry, valueOf } from '#content/read.ts'

/** What `site/dev.ts` adds to Astro's configuration, and what alone lets drafts in. */
export const previewName = 'preview-with-drafts'

/** What is published. A build reads nothing else, so nothing that it makes can show a draft. */
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
