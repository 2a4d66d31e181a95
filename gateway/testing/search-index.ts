import MiniSearch from 'minisearch'
import { type SearchDocument, searchOptions } from '#content/ranking/terms.ts'

/** Pages with an obvious ranking. The last two pages differ only in their URL. */
export const sampleDocuments: readonly SearchDocument[] = [
  page('/blog/webhooks', 'Webhooks you can trust', 'Webhooks are signed. Each webhook is retried.'),
  page(
    '/blog/polling',
    'Poll without losing events',
    'Polling reads events; a webhook pushes them.',
  ),
  page('/pricing', 'Pricing', 'What a consultation costs, and what it does not cost.'),
  page('/security', 'Security', 'Keys, audit and encryption.'),
  page('/compare/b', 'Duplicate', 'The same words about thermometers.'),
  page('/compare/a', 'Duplicate', 'The same words about thermometers.'),
]

export function sampleIndex(documents: readonly SearchDocument[] = sampleDocuments): string {
  const index = new MiniSearch(searchOptions)
  index.addAll(documents)
  return JSON.stringify(index)
}

function page(url: string, title: string, text: string): SearchDocument {
  return { url, title, description: `About ${title}.`, text: `${title} ${title} ${text}` }
}
