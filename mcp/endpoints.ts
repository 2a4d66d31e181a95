// The tool servers of the content site, as endpoints.

import { toolServers } from '#contract/mcp/servers.ts'
import { type BookingParts, openBookingTools } from './tools/booking-tools.ts'
import { type Catalog, openContentTools } from './tools/content-tools.ts'
import type { Endpoint } from '#http/endpoint.ts'
import { fixedTools } from './protocol/fixed-tools.ts'
import { openServer } from './protocol/server.ts'

type SiteParts = BookingParts & {
  readonly company: { readonly name: string; readonly site: string }
  /** The catalog of the build that is served now. */
  catalog(): Catalog
}

export function mcpEndpoints(parts: SiteParts): Endpoint[] {
  const { product, docs } = toolServers({ ...parts.company, say: parts.say })
  const reading = openContentTools(parts.catalog)
  const booking = openBookingTools(parts)
  const endpoint = { methods: ['POST'], errorFormat: 'jsonrpc' } as const
  return [
    {
      path: product.path,
      ...endpoint,
      answer: openServer(
        product,
        fixedTools([...reading, ...booking], () => parts.catalog().skills.all),
      ),
    },
    {
      path: docs.path,
      ...endpoint,
      answer: openServer(
        docs,
        fixedTools(reading, () => parts.catalog().skills.reading),
      ),
    },
  ]
}
