import config from '#content/site.config.ts'
import { address } from './markdown-version.ts'

const word = (allowed: boolean) => (allowed ? 'yes' : 'no')

/** Everything may be crawled; the content signal says for what it may be used. */
export function robots(): string {
  const { search, aiInput, aiTrain } = config.contentSignal
  return [
    `# What an agent may do here: ${address('/agents.md')}`,
    '',
    'User-agent: *',
    `Content-Signal: search=${word(search)}, ai-input=${word(aiInput)}, ai-train=${word(aiTrain)}`,
    'Allow: /',
    '',
    `Sitemap: ${address('/sitemap.xml')}`,
    '',
  ].join('\n')
}
