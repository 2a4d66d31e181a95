/**
 * The files for machines. The developers page and agents.md print this list and llms.txt a part of
 * it; a test asserts that each is in the build.
 */
export const machineFiles = [
  { path: '/llms.txt', what: 'the pages, one line each, in markdown' },
  {
    path: '/llms-full.txt',
    what: 'every article and comparison in one document, with the byte range of each',
  },
  { path: '/openapi.json', what: 'OpenAPI 3.1 of this site’s own API' },
  { path: '/openapi/v1.json', what: 'OpenAPI 3.1 of the clinical API' },
  {
    path: '/openapi/preview.json',
    what: 'OpenAPI 3.1 of its preview: request log, replays, and the clock of the sandbox',
  },
  {
    path: '/state-machines.json',
    what: 'the states of cases, orders and visits, and the operations that move them',
  },
  {
    path: '/webhooks/vectors.json',
    what: 'test vectors for the signature of a webhook, one for each reason of a refusal',
  },
  { path: '/.well-known/api-catalog', what: 'the catalog of both (RFC 9727)' },
  { path: '/.well-known/ai-catalog.json', what: 'the catalog of resources for agents' },
  {
    path: '/.well-known/agent-skills/index.json',
    what: 'skills, each with the digest of its file',
  },
  {
    path: '/.well-known/mcp/server-card.json',
    what: 'the tool server at /mcp: nine tools, which read these pages and book a call',
  },
  { path: '/.well-known/mcp-docs.json', what: 'the tool server at /docs/mcp: the six that read' },
  { path: '/.well-known/agent-card.json', what: 'the agent at /api/a2a, which books a call (A2A)' },
  { path: '/.well-known/acp.json', what: 'the checkout at /api/acp, which books a call (ACP)' },
  { path: '/agents.md', what: 'what an agent may do here, and what it must ask first' },
  { path: '/skill.md', what: 'all skills in one file' },
  { path: '/auth.md', what: 'why there is nothing to register for' },
  { path: '/feed.xml', what: 'articles as RSS 2.0, with their full text' },
  { path: '/sitemap.md', what: 'every page by its title, the API reference included' },
  { path: '/sitemap.xml', what: 'every page with the day it last changed' },
  { path: '/changes.json', what: 'the hash of every page, and the one before' },
  { path: '/api/status', what: 'the state of each part, now and on the measured days' },
  { path: '/robots.txt', what: 'who may read, and what for' },
  { path: '/.well-known/security.txt', what: 'where to report a flaw (RFC 9116)' },
] as const
