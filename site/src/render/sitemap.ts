import { address } from './markdown-version.ts'

type Listed = { path: string; updated: string }

/**
 * Pages only, each with the day of its last change. Markdown versions are linked from their pages.
 */
export function sitemap(pages: Listed[]): string {
  const urls = pages.map(
    ({ path, updated }) => `  <url><loc>${address(path)}</loc><lastmod>${updated}</lastmod></url>`,
  )
  return [
    '<?xml version="1.0" encoding="UTF-8"?>',
    '<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">',
    ...urls,
    '</urlset>\n',
  ].join('\n')
}
