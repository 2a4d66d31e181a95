// Opens the room of booking: the desk, its mail and its pages.
import path from 'node:path'
import company from '#content/site.config.ts'
import type { ConnectionPool } from '#database/pool.ts'
import { now, randomBytes } from '#database/clock.ts'
import { type Config, isPrivate } from '#gateway/server/config.ts'
import type { Endpoint } from '#http/endpoint-router.ts'
import type { Log } from '#http/log.ts'
import type { Site } from '#gateway/static/static.ts'
import type { BookingService, BookingManagement } from './booking-service.ts'
import { openForgetting } from './retention.ts'
import type { Links } from './links.ts'
import { compose } from './email/compose.ts'
import { devMailEndpoints } from './email/dev-mail.ts'
import { openMailer } from './email/mailer.ts'
import { filePost, smtpPost } from './email/transport.ts'
import { createBookingService } from './create-service.ts'
import { openingHours, openOpening } from './opening.ts'
import { createLayout } from './pages/layout.ts'
import { pageEndpoints } from './pages/endpoints.ts'

export type BookingOptions = {
  /** Of the role app_site. */
  readonly pool: ConnectionPool
  readonly links: Links
  readonly config: Config
  site(): Site
  readonly log: Log
}

export type Booking = {
  readonly bookingService: BookingService & BookingManagement
  readonly endpoints: readonly Endpoint[]
}

export type OpenBooking = Booking & {
  /** Ends when what is in hand is settled. */
  close(): Promise<void>
}

export function openBooking(options: BookingOptions): OpenBooking {
  const { pool, links, config, log } = options
  const sales = config.salesEmail ?? company.email.sales
  const addresses = { from: config.mailFrom ?? company.email.sales, sales }
  const folder = path.join(config.dataDir, 'mail')
  const mailer = openMailer({
    pool,
    post: config.smtpUrl === undefined ? filePost(folder) : smtpPost(config.smtpUrl),
    compose: row => compose(row, addresses, links),
    log,
  })
  const forgetting = openForgetting({ pool, log, now })
  const room = roomOn({ ...options, wake: mailer.wake, isDryRun: false })
  const showsMail = config.smtpUrl === undefined && isPrivate(config)
  return {
    bookingService: room.bookingService,
    endpoints: [...room.endpoints, ...(showsMail ? devMailEndpoints(folder, room.layout) : [])],
    async close() {
      forgetting.close()
      await mailer.close()
    },
  }
}

/** The same desk and pages, where nothing is recorded and nothing is sent. */
export const createDryRunBooking = (
  options: Pick<BookingOptions, 'pool' | 'links' | 'site'>,
): Booking => roomOn({ ...options, wake: () => {}, isDryRun: true })

type RoomOptions = Pick<BookingOptions, 'pool' | 'links' | 'site'> & {
  wake(): void
  readonly isDryRun: boolean
}

function roomOn({ pool, links, site, wake, isDryRun }: RoomOptions) {
  const opening = openOpening(openingHours)
  const bookingService = createBookingService({
    pool,
    opening,
    links,
    now,
    random: randomBytes,
    wake,
    isDryRun,
  })
  const layout = createLayout(site)
  return {
    bookingService,
    layout,
    endpoints: pageEndpoints({ bookingService, links, opening, layout, now }),
  }
}
