/**
 * The files for machines. The developers page and agents.md print this list, and llms.txt prints
 * part of it; a test asserts that each file is in the build.
 */
export const machineFiles = [
  { path: '/llms.txt', what: 'the pages, one line each, in Markdown' },
  {
    path: '/llms-full.txt',
    what: 'every article and comparison in one document, with the byte range of each',
  },
  { path: '/openapi.json', what: 'OpenAPI 3.1 of this site’s own API' },
  { path: '/openapi/v1.json', what: 'OpenAPI 3.1 of the clinical API' },
  {
    path: '/openapi/preview.json',
    what: 'OpenAPI 3.1 of its preview: the request log, replays and the sandbox clock',
  },
  {
    path: '/state-machines.json',
    what: 'the statuses of cases, orders and visits, and the operations that move them',
  },
  {
    path: '/webhooks/vectors.json',
    what: 'test vectors for webhook signatures, one per failure reason',
  },
  { path: '/.well-known/api-catalog', what: 'a catalog of both APIs (RFC 9727)' },
  { path: '/.well-known/ai-catalog.json', what: 'a catalog of resources for agents' },
  {
    path: '/.well-known/agent-skills/index.json',
    what: 'skills, each with its file’s digest',
  },
  {
    path: '/.well-known/mcp/server-card.json',
    what: 'the tool server at /mcp: nine tools that read these pages and book a call',
  },
  {
    path: '/.well-known/mcp-docs.json',
    what: 'the tool server at /docs/mcp: the six read-only tools',
  },
  { path: '/.well-known/agent-card.json', what: 'the agent at /api/a2a, which books a call (A2A)' },
  { path: '/.well-known/acp.json', what: 'the checkout at /api/acp, which books a call (ACP)' },
  { path: '/agents.md', what: 'what agents can do here, and what they must ask first' },
  { path: '/skill.md', what: 'all skills in one file' },
  { path: '/auth.md', what: 'why you don’t need to register' },
  { path: '/feed.xml', what: 'articles as RSS 2.0, in full' },
  { path: '/sitemap.md', what: 'every page by title, including the API reference' },
  { path: '/sitemap.xml', what: 'every page with its last change date' },
  { path: '/changes.json', what: 'every page’s current and previous hash' },
  { path: '/api/status', what: 'each component’s status, now and by day' },
  { path: '/robots.txt', what: 'who can crawl, and for what' },
  { path: '/.well-known/security.txt', what: 'where to report a security flaw (RFC 9116)' },
] as const
