// The site's tool servers, with their dependencies.
import type { Catalog } from '#mcp/tools/content-tools.ts'
import { consentVersion, say } from '#content/consent.ts'
import company from '#content/site.config.ts'
import { now } from '#database/clock.ts'
import { mcpEndpoints } from '#mcp/endpoints.ts'
import type { BookingService } from '#booking/booking-service.ts'
import { zoneNamed } from '#booking/zones.ts'
import type { Endpoint } from '#http/endpoint.ts'

type SiteTools = {
  readonly bookingService: BookingService
  /** The current build's catalog. */
  catalog(): Catalog
  /** The origin of the booking pages. */
  readonly base: string
}

export const siteTools = ({ bookingService, catalog, base }: SiteTools): Endpoint[] =>
  mcpEndpoints({
    company,
    say,
    wording: consentVersion,
    bookingService,
    catalog,
    zoneNamed,
    now,
    bookingUrl: `${base}/booking`,
  })
