import { contentSignal } from '#content/content-signal.ts'
import { address } from './markdown-version.ts'

/** Allows everyone to crawl everything. The content signal lists the allowed uses. */
export function robots(): string {
  return [
    `# What agents can do here: ${address('/agents.md')}`,
    '',
    'User-agent: *',
    `Content-Signal: ${contentSignal}`,
    'Allow: /',
    '',
    `Sitemap: ${address('/sitemap.xml')}`,
    '',
  ].join('\n')
}
