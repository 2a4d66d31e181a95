/**
 * Addresses that answer although no file of content stands behind them, and the drawings an article may
 * call for with `![what it shows](figure:name)`. A test of the site asserts that each drawing exists.
 */
export const routes = [
  '/',
  '/blog',
  '/ask',
  '/llms.txt',
  '/feed.xml',
  '/sitemap.xml',
  '/robots.txt',
  '/catalog/articles.json',
  '/openapi/v1.json',
  '/openapi/v1.yaml',
]

export const figures = ['retry-ladder', 'cut-connection', 'commit-order', 'case-states']
