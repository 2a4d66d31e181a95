// The reception: where the site itself, and not a clinic, keeps something. The desk at which calls
// are booked, its pages and its mail, and the answers that are given once, stand on the same
// connections, under a role that sees nothing of a patient.
import { type Lanes, openLanes } from '#database/pool.ts'
import { randomBytes } from '#database/clock.ts'
import type { Desk, Keeper } from '#booking/booking-service.ts'
import { type Links, openLinks } from '#booking/links.ts'
import { waiting } from '#booking/email/queue.ts'
import { openBooking, rehearse } from '#booking/open-booking.ts'
import type { Config } from './config.ts'
import type { Surface } from '#http/endpoint-router.ts'
import type { Log } from '#http/log.ts'
import { keepsNothing, openReplies, type Replies } from '#booking/idempotency/store.ts'
import type { Site } from '../static/static.ts'

export type ReceptionParts = {
  /** Of the role svc_site. */
  readonly url: string
  readonly pepper: string
  /** The origin under which people and agents reach the house. */
  readonly base: string
  readonly config: Config
  /** The build that is served now, whose clothes the pages wear. */
  site(): Site
  readonly log: Log
}

export type Reception = {
  readonly desk: Desk & Keeper
  readonly links: Links
  /** Where a person picks a time, moves or cancels. */
  readonly pages: readonly Surface[]
  readonly replies: Replies
  readonly base: string
  /** Marks the ids that the agents' endpoints hand out. */
  readonly secret: string
  close(): Promise<void>
}

/** One that sends mail. */
export type OpenReception = Reception & {
  /** How long the oldest mail has waited, in seconds. */
  mailWaits(): Promise<number>
}

export function openReception({ url, pepper, base, ...parts }: ReceptionParts): OpenReception {
  const { config, site, log } = parts
  const { poolSize } = config
  const lanes = openLanes({ url, size: poolSize, name: 'gateway site', path: 'site, public' })
  const { links, ...kept } = keptOn(lanes, pepper, base)
  const booking = openBooking({ lanes, links, config, site, log })
  return {
    ...kept,
    links,
    desk: booking.desk,
    pages: booking.surfaces,
    async mailWaits() {
      const [row] = await lanes.use(lane => lane.run<{ seconds: number }>(waiting()))
      return row?.seconds ?? 0
    },
    async close() {
      await booking.close()
      await lanes.close()
    },
  }
}

/** A preview of the site has no database: every time is free, and every booking a rehearsal. */
export function openRehearsal({ base, site }: Pick<ReceptionParts, 'base' | 'site'>): Reception {
  const lane = { run: async () => [] }
  const lanes: Lanes = { use: work => work(lane), trips: () => 0, close: async () => {} }
  const { links, ...kept } = keptOn(lanes, 'of no key', base)
  const { desk, surfaces: pages } = rehearse({ lanes, links, site })
  return { ...kept, replies: keepsNothing, links, desk, pages, close: lanes.close }
}

function keptOn(lanes: Lanes, pepper: string, base: string) {
  const derive = (use: string) =>
    new Bun.CryptoHasher('sha256', pepper).update(`secret of the ${use}`).digest('hex')
  const links = openLinks(base, derive('booking links'))
  const replies = openReplies({ lanes, secret: derive('replies'), randomBytes })
  return { links, replies, base, secret: derive('agents') }
}
