import { contentSignal } from '#content/content-signal.ts'
import { address } from './markdown-version.ts'

/** Everything may be crawled; the content signal says what it may be used for. */
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
