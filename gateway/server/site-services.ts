// The site's stateful services: the booking service with its pages and email, the idempotency
// store, and feedback counts. All services share the connections of a role that can't read patient
// data.
import { type ConnectionPool, openPool } from '#database/pool.ts'
import { randomBytes } from '#database/clock.ts'
import type { BookingService, BookingManagement } from '#booking/booking-service.ts'
import { type Links, openLinks } from '#booking/links.ts'
import { openEmail, salesAddress } from '#email/open-email.ts'
import { oldestWaiting } from '#email/queue.ts'
import { openBooking, createDryRunBooking } from '#booking/open-booking.ts'
import { openPersonLinks } from '#auth/accounts/links.ts'
import type { Peppers } from '#auth/pepper.ts'
import type { ModuleUrls } from '../settings/origins.ts'
import { type Config, isPrivate } from '../settings/config.ts'
import type { Endpoint } from '#http/endpoint.ts'
import type { Log } from '#http/log.ts'
import {
  noStore,
  createIdempotencyStore,
  type IdempotencyStore,
} from '#booking/idempotency/store.ts'
import { countFeedback, type FeedbackCount } from '../feedback/count.ts'
import { createMemoryStore } from '#booking/idempotency/memory-store.ts'
import type { Site } from '../static/static.ts'
import { type History, openHistory } from '../status/history.ts'

type SiteServicesOptions = {
  /** Connects as app_site. */
  readonly url: string
  readonly peppers: Peppers
  /** The public origin. */
  readonly base: string
  /** The origins of the pages that emails link to. */
  readonly urls: Pick<ModuleUrls, 'auth' | 'portal' | 'console'>
  readonly config: Config
  /** The current build. Pages use this build's layout. */
  site(): Site
  readonly log: Log
  /** Called with each failure that broke a database connection. */
  onDatabaseFailure?(failure: unknown): void
}

export type SiteServices = {
  readonly bookingService: BookingService & BookingManagement
  readonly links: Links
  /** Pages for picking a time, rescheduling and canceling. */
  readonly pages: readonly Endpoint[]
  readonly idempotencyStore: IdempotencyStore
  /** An in-memory store for dry runs. */
  readonly dryRunStore: IdempotencyStore
  /** Counts a page's feedback answer; null if nothing is stored. */
  readonly feedback: FeedbackCount | null
  readonly base: string
  /** Signs the IDs issued by the agents' endpoints. */
  readonly secret: string
  close(): Promise<void>
}

/** Site services with a database and email. */
export type RunningSiteServices = SiteServices & {
  /** The status page's history. */
  readonly history: History
  /** Called after another module queues an email. */
  emailed(): void
  /** A developer's page of unsent emails; null if email is sent. */
  readonly mailUrl: string | null
  /** The oldest queued email's age, in seconds. */
  emailWaitSeconds(): Promise<number>
}

export function createSiteServices({
  url,
  peppers,
  base,
  urls,
  ...parts
}: SiteServicesOptions): RunningSiteServices {
  const { config, site, log } = parts
  const size = config.poolSize
  const onFailure = parts.onDatabaseFailure ?? (() => {})
  const pool = openPool({ url, size, name: 'gateway site', path: 'site, public', onFailure })
  const { links, ...kept } = sharedServices(pool, peppers, base)
  const settings = { ...config, isPrivate: isPrivate(config) }
  const people = {
    ...openPersonLinks(urls.auth, peppers),
    portal: urls.portal,
    console: urls.console,
  }
  const email = openEmail({ pool, links, people, settings, log })
  const organizer = salesAddress(config)
  const { secret, idempotencyStore } = kept
  const shared = { pool, links, secret, idempotencyStore, site }
  const booking = openBooking({ ...shared, log, organizer, wake: email.wake })
  return {
    ...kept,
    links,
    bookingService: booking.bookingService,
    pages: [...booking.endpoints, ...email.endpoints(booking.layout)],
    feedback: countFeedback(pool),
    history: openHistory(pool),
    emailed: email.wake,
    mailUrl: email.mailPath === null ? null : `${base}${email.mailPath}`,
    async emailWaitSeconds() {
      const [row] = await pool.use(connection =>
        connection.run<{ seconds: number }>(oldestWaiting()),
      )
      return row?.seconds ?? 0
    },
    async close() {
      booking.close()
      await email.close()
      await pool.close()
    },
  }
}

/** A site preview has no database, so every time is free and every booking is a dry run. */
export function createDryRunServices({
  base,
  site,
}: Pick<SiteServicesOptions, 'base' | 'site'>): SiteServices {
  const connection = { run: async () => [] }
  const pool: ConnectionPool = {
    use: work => work(connection),
    roundTrips: () => 0,
    close: async () => {},
  }
  const { links, ...kept } = sharedServices(pool, ['of no key'], base)
  const shared = { pool, links, secret: kept.secret, idempotencyStore: noStore, site }
  const { bookingService, endpoints: pages } = createDryRunBooking(shared)
  return {
    ...kept,
    idempotencyStore: noStore,
    feedback: null,
    links,
    bookingService,
    pages,
    close: pool.close,
  }
}

function sharedServices(pool: ConnectionPool, [newest, ...older]: Peppers, base: string) {
  const derive = (use: string, pepper = newest) =>
    new Bun.CryptoHasher('sha256', pepper).update(`secret of the ${use}`).digest('hex')
  const links = openLinks(
    base,
    derive('booking links'),
    ...older.map(pepper => derive('booking links', pepper)),
  )
  const idempotencyStore = createIdempotencyStore({ pool, secret: derive('replies'), randomBytes })
  return {
    links,
    idempotencyStore,
    dryRunStore: createMemoryStore(),
    base,
    secret: derive('agents'),
  }
}
