import type { AgeNotice } from '#content/fact-age.ts'
import { address } from './markdown-version.ts'

type SitemapEntry = { path: string; updated: string; aged?: AgeNotice | null }

/**
 * Pages that search engines may list, each with its last change date. Markdown versions aren't
 * listed, because pages link to them.
 */
export function sitemap(pages: SitemapEntry[]): string {
  const listed = pages.filter(({ aged }) => aged?.isPastLimit !== true)
  const urls = listed.map(
    ({ path, updated }) => `  <url><loc>${address(path)}</loc><lastmod>${updated}</lastmod></url>`,
  )
  return [
    '<?xml version="1.0" encoding="UTF-8"?>',
    '<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">',
    ...urls,
    '</urlset>\n',
  ].join('\n')
}
