// Creates everything about booking: the service, its email and its pages.
import path from 'node:path'
import company from '#content/site.config.ts'
import { siteLimits } from '#contract/limits.ts'
import type { ConnectionPool } from '#database/pool.ts'
import { now, randomBytes } from '#database/clock.ts'
import type { Endpoint } from '#http/endpoint.ts'
import type { Log } from '#http/log.ts'
import type { BookingService, BookingManagement } from './booking-service.ts'
import { openRetention } from './retention.ts'
import type { Links } from './links.ts'
import { newId } from './context.ts'
import { compose } from './email/compose.ts'
import { devMailEndpoints, devMailPath } from './email/dev-mail.ts'
import { openMailer } from './email/mailer.ts'
import type { PersonLinks } from './email/people.ts'
import { fileTransport, smtpTransport } from './email/transport.ts'
import { createBookingService } from './create-service.ts'
import { openingHours, openOpening } from './opening.ts'
import { type BuiltPages, createLayout } from './pages/layout.ts'
import { pageEndpoints } from './pages/endpoints.ts'

type BookingSettings = {
  /** Where email is written while no mail server is configured. */
  readonly dataDir: string
  readonly smtpUrl: string | undefined
  readonly mailFrom: string | undefined
  readonly salesEmail: string | undefined
  /** Whether only this machine can reach the server, so that it may show the email it wrote. */
  readonly isPrivate: boolean
}

type BookingOptions = {
  /** Of the role app_site. */
  readonly pool: ConnectionPool
  readonly links: Links
  /** The links of emails to people about their account. */
  readonly people: PersonLinks
  /** Keys the hashes of callers' addresses. */
  readonly secret: string
  readonly settings: BookingSettings
  /** The build that is served now. */
  site(): BuiltPages
  readonly log: Log
}

export type Booking = {
  readonly bookingService: BookingService & BookingManagement
  readonly endpoints: readonly Endpoint[]
}

type OpenBooking = Booking & {
  /** Called after an email was queued elsewhere. */
  emailed(): void
  /** The page of the site with the email that was not sent; null where it is sent. */
  readonly mailPath: string | null
  /** Waits for the email that is being sent. */
  close(): Promise<void>
}

export function openBooking(options: BookingOptions): OpenBooking {
  const { pool, links, people, settings, log } = options
  const sales = settings.salesEmail ?? company.email.sales
  const addresses = { from: settings.mailFrom ?? company.email.sales, sales }
  const folder = path.join(settings.dataDir, 'mail')
  const mailer = openMailer({
    pool,
    transport:
      settings.smtpUrl === undefined ? fileTransport(folder) : smtpTransport(settings.smtpUrl),
    compose: row => compose(row, addresses, { links, people }),
    newId: () => newId({ now, random: randomBytes }, 'mail'),
    log,
  })
  const retention = openRetention({ pool, log, now })
  const parts = createParts({ ...options, organizer: sales, wake: mailer.wake, isDryRun: false })
  const showsEmail = settings.smtpUrl === undefined && settings.isPrivate
  return {
    bookingService: parts.bookingService,
    endpoints: [...parts.endpoints, ...(showsEmail ? devMailEndpoints(folder, parts.layout) : [])],
    emailed: mailer.wake,
    mailPath: showsEmail ? devMailPath : null,
    async close() {
      retention.close()
      await mailer.close()
    },
  }
}

/** The same service and pages; nothing is stored and nothing is sent. */
export const createDryRunBooking = (
  options: Pick<BookingOptions, 'pool' | 'links' | 'secret' | 'site'>,
): Booking =>
  createParts({ ...options, organizer: company.email.sales, wake: () => {}, isDryRun: true })

type PartsOptions = Pick<BookingOptions, 'pool' | 'links' | 'secret' | 'site'> & {
  readonly organizer: string
  wake(): void
  readonly isDryRun: boolean
}

function createParts({ pool, links, secret, site, organizer, wake, isDryRun }: PartsOptions) {
  const opening = openOpening(openingHours)
  const bookingService = createBookingService({
    pool,
    opening,
    links,
    now,
    random: randomBytes,
    wake,
    isDryRun,
    secret,
    peoplePerHour: siteLimits.unconfirmedPeoplePerHour,
  })
  const layout = createLayout(site)
  return {
    bookingService,
    layout,
    endpoints: pageEndpoints({ bookingService, links, opening, layout, organizer, now }),
  }
}
