// The endpoints of the content site's tool servers.

import { toolServers } from '#contract/mcp/servers.ts'
import { type BookingParts, openBookingTools } from './tools/booking-tools.ts'
import { type Catalog, openContentTools } from './tools/content-tools.ts'
import type { Endpoint } from '#http/endpoint.ts'
import { onlySkills } from './docs/skills.ts'
import { fixedTools, publicCache } from './protocol/fixed-tools.ts'
import { openServer } from './protocol/server.ts'

type SiteParts = BookingParts & {
  readonly company: { readonly name: string; readonly site: string }
  /** The catalog of the current site build. */
  catalog(): Catalog
}

export function mcpEndpoints(parts: SiteParts): Endpoint[] {
  const { product, docs } = toolServers({ ...parts.company, say: parts.say })
  const reading = openContentTools(parts.catalog)
  const booking = openBookingTools(parts)
  const endpoint = { methods: ['POST'], errorFormat: 'jsonrpc' } as const
  const all = onlySkills(() => parts.catalog().skills.all, publicCache)
  const some = onlySkills(() => parts.catalog().skills.reading, publicCache)
  const both = openServer(product, fixedTools([...reading, ...booking], all))
  return [
    { path: product.path, ...endpoint, answer: both },
    { path: docs.path, ...endpoint, answer: openServer(docs, fixedTools(reading, some)) },
  ]
}
