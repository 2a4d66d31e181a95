// Creates the booking service and its pages.
import company from '#content/site.config.ts'
import { siteLimits } from '#contract/limits.ts'
import type { ConnectionPool } from '#database/pool.ts'
import { now, randomBytes } from '#database/clock.ts'
import type { Endpoint } from '#http/endpoint.ts'
import type { Log } from '#http/log.ts'
import type { BookingService, BookingManagement } from './booking-service.ts'
import type { IdempotencyStore } from './idempotency/store.ts'
import { openRetention } from './retention.ts'
import type { Links } from './links.ts'
import { createBookingService } from './create-service.ts'
import { openingHours, openOpening } from './opening.ts'
import { type BuiltPages, createLayout, type Layout } from './pages/layout.ts'
import { pageEndpoints } from './pages/endpoints.ts'

type BookingOptions = {
  /** Connects as app_site. */
  readonly pool: ConnectionPool
  readonly links: Links
  readonly idempotencyStore: IdempotencyStore
  /** The key for hashing callers' addresses. */
  readonly secret: string
  /** The site build that's currently served. */
  site(): BuiltPages
  readonly log: Log
  /** The email address that sends invitations to calls. */
  readonly organizer: string
  /** Called after every write that queued email. */
  wake(): void
}

export type Booking = {
  readonly bookingService: BookingService & BookingManagement
  readonly endpoints: readonly Endpoint[]
}

type OpenBooking = Booking & {
  readonly layout: Layout
  close(): void
}

export function openBooking({ log, ...options }: BookingOptions): OpenBooking {
  const retention = openRetention({ pool: options.pool, log, now })
  return { ...createParts({ ...options, isDryRun: false }), close: retention.close }
}

/** The same service and pages as a dry run, which stores and sends nothing. */
export const createDryRunBooking = (
  options: Pick<BookingOptions, 'pool' | 'links' | 'idempotencyStore' | 'secret' | 'site'>,
): Booking =>
  createParts({ ...options, organizer: company.email.sales, wake: () => {}, isDryRun: true })

type PartsOptions = Omit<BookingOptions, 'log'> & { readonly isDryRun: boolean }

function createParts({ pool, links, secret, isDryRun, wake, ...pages }: PartsOptions) {
  const opening = openOpening(openingHours)
  const bookingService = createBookingService({
    pool,
    opening,
    links,
    now,
    wake,
    isDryRun,
    secret,
    peoplePerHour: siteLimits.unconfirmedPeoplePerHour,
  })
  const { idempotencyStore, organizer } = pages
  const layout = createLayout(pages.site)
  return {
    bookingService,
    layout,
    endpoints: pageEndpoints({
      bookingService,
      idempotencyStore,
      links,
      opening,
      layout,
      organizer,
      now,
      randomBytes,
    }),
  }
}
