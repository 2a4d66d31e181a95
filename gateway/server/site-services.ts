// The reception: where the site itself, and not a clinic, keeps something. The desk at which calls
// are booked, its pages and its mail, and the answers that are given once, stand on the same
// connections, under a role that sees nothing of a patient.
import { type ConnectionPool, openPool } from '#database/pool.ts'
import { randomBytes } from '#database/clock.ts'
import type { BookingService, BookingManagement } from '#booking/booking-service.ts'
import { type Links, openLinks } from '#booking/links.ts'
import { oldestWaiting } from '#booking/email/queue.ts'
import { openBooking, createDryRunBooking } from '#booking/open-booking.ts'
import { type Config, isPrivate } from './config.ts'
import type { Endpoint } from '#http/endpoint-router.ts'
import type { Log } from '#http/log.ts'
import {
  noStore,
  createIdempotencyStore,
  type IdempotencyStore,
} from '#booking/idempotency/store.ts'
import type { Site } from '../static/static.ts'

export type SiteServicesOptions = {
  /** Of the role app_site. */
  readonly url: string
  readonly pepper: string
  /** The origin under which people and agents reach the house. */
  readonly base: string
  readonly config: Config
  /** The build that is served now, whose clothes the pages wear. */
  site(): Site
  readonly log: Log
}

export type SiteServices = {
  readonly bookingService: BookingService & BookingManagement
  readonly links: Links
  /** Where a person picks a time, moves or cancels. */
  readonly pages: readonly Endpoint[]
  readonly idempotencyStore: IdempotencyStore
  readonly base: string
  /** Marks the ids that the agents' endpoints hand out. */
  readonly secret: string
  close(): Promise<void>
}

/** One that sends mail. */
export type RunningSiteServices = SiteServices & {
  /** How long the oldest mail has waited, in seconds. */
  emailWaitSeconds(): Promise<number>
}

export function createSiteServices({
  url,
  pepper,
  base,
  ...parts
}: SiteServicesOptions): RunningSiteServices {
  const { config, site, log } = parts
  const { poolSize } = config
  const pool = openPool({ url, size: poolSize, name: 'gateway site', path: 'site, public' })
  const { links, ...kept } = sharedServices(pool, pepper, base)
  const settings = { ...config, isPrivate: isPrivate(config) }
  const booking = openBooking({ pool, links, settings, site, log })
  return {
    ...kept,
    links,
    bookingService: booking.bookingService,
    pages: booking.endpoints,
    async emailWaitSeconds() {
      const [row] = await pool.use(connection =>
        connection.run<{ seconds: number }>(oldestWaiting()),
      )
      return row?.seconds ?? 0
    },
    async close() {
      await booking.close()
      await pool.close()
    },
  }
}

/** A preview of the site has no database: every time is free, and every booking a rehearsal. */
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
  const { links, ...kept } = sharedServices(pool, 'of no key', base)
  const { bookingService, endpoints: pages } = createDryRunBooking({ pool, links, site })
  return { ...kept, idempotencyStore: noStore, links, bookingService, pages, close: pool.close }
}

function sharedServices(pool: ConnectionPool, pepper: string, base: string) {
  const derive = (use: string) =>
    new Bun.CryptoHasher('sha256', pepper).update(`secret of the ${use}`).digest('hex')
  const links = openLinks(base, derive('booking links'))
  const idempotencyStore = createIdempotencyStore({ pool, secret: derive('replies'), randomBytes })
  return { links, idempotencyStore, base, secret: derive('agents') }
}
