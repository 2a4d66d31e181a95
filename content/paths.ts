/** The URL of each file in `pages/`; the 404 page has none. */
export const pagePaths: Record<string, string> = {
  about: '/about',
  blog: '/blog',
  booking: '/booking',
  changelog: '/changelog',
  'check-a-signature': '/docs/webhooks/check-a-signature',
  compare: '/compare',
  customers: '/customers',
  developers: '/developers',
  docs: '/docs',
  pricing: '/pricing',
  privacy: '/privacy',
  quality: '/ask/quality',
  security: '/security',
  status: '/status',
  terms: '/terms',
  try: '/docs/api/try',
}

/** The base paths of each folder's pages. */
export const basePaths = { articles: '/blog', comparisons: '/compare', docs: '/docs' } as const

/**
 * URLs that work without a content file, and the drawings that an article may show with `![what it
 * shows](figure:name)`. A site test asserts that each drawing exists.
 */
export const routes = [
  '/',
  '/ask',
  '/search',
  '/llms.txt',
  '/llms-full.txt',
  '/developers/llms.txt',
  '/blog/llms.txt',
  '/compare/llms.txt',
  '/pricing/llms.txt',
  '/api/llms.txt',
  '/docs/llms.txt',
  '/feed.xml',
  '/sitemap.md',
  '/sitemap.xml',
  '/robots.txt',
  '/api/status',
  '/changes.json',
  '/state-machines.json',
  '/webhooks/vectors.json',
  '/agents.md',
  '/auth.md',
  '/skill.md',
  '/booking/times',
  '/openapi.json',
  '/.well-known/api-catalog',
  '/.well-known/ai-catalog.json',
  '/.well-known/agent-card.json',
  '/.well-known/acp.json',
  '/.well-known/agent-skills/index.json',
  '/.well-known/skills/index.json',
  '/.well-known/security.txt',
  '/catalog/articles.json',
  '/openapi/v1.json',
  '/openapi/v1.yaml',
  '/openapi/preview.json',
  '/openapi/preview.yaml',
  '/postman/collection.json',
  '/postman/environment.sandbox.json',
]

export const figures = [
  'retry-schedule',
  'cut-connection',
  'commit-order',
  'case-states',
  'visit-states',
]

/**
 * Computed blocks that a page can include with a `[[name]]` line. Each block becomes Markdown
 * before the page is rendered, so the page and its Markdown version have the same text.
 */
export const blockNames = [
  'capabilities',
  'changes',
  'consent',
  'events',
  'export-tables',
  'faq',
  'fhir-mapping',
  'fhir-types',
  'guides',
  'hours',
  'limits',
  'machine-files',
  'metrics',
  'not-offered',
  'not-tools',
  'operations',
  'people',
  'plans',
  'pricing-notes',
  'privacy',
  'problems',
  'removing-tools',
  'scopes',
  'terms',
  'tool-groups',
  'tool-scopes',
  'unpriced',
  'usage',
]
