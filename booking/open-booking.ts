// Opens the room of booking: the desk, its mail and its pages.
import path from 'node:path'
import company from '#content/site.config.ts'
import type { Lanes } from '#database/pool.ts'
import { now, randomBytes } from '#database/clock.ts'
import { type Config, isPrivate } from '#gateway/server/config.ts'
import type { Surface } from '#http/endpoint-router.ts'
import type { Log } from '#http/log.ts'
import type { Site } from '#gateway/static/static.ts'
import type { Desk, Keeper } from './booking-service.ts'
import { openForgetting } from './retention.ts'
import type { Links } from './links.ts'
import { compose } from './email/compose.ts'
import { devMailSurfaces } from './email/dev-mail.ts'
import { openMailer } from './email/mailer.ts'
import { filePost, smtpPost } from './email/transport.ts'
import { openDesk } from './create-service.ts'
import { openingHours, openOpening } from './opening.ts'
import { openShell } from './pages/layout.ts'
import { pageSurfaces } from './pages/endpoints.ts'

export type BookingOptions = {
  /** Of the role svc_site. */
  readonly lanes: Lanes
  readonly links: Links
  readonly config: Config
  site(): Site
  readonly log: Log
}

export type Booking = {
  readonly desk: Desk & Keeper
  readonly surfaces: readonly Surface[]
}

export type OpenBooking = Booking & {
  /** Ends when what is in hand is settled. */
  close(): Promise<void>
}

export function openBooking(options: BookingOptions): OpenBooking {
  const { lanes, links, config, log } = options
  const sales = config.salesEmail ?? company.email.sales
  const addresses = { from: config.mailFrom ?? company.email.sales, sales }
  const folder = path.join(config.dataDir, 'mail')
  const mailer = openMailer({
    lanes,
    post: config.smtpUrl === undefined ? filePost(folder) : smtpPost(config.smtpUrl),
    compose: row => compose(row, addresses, links),
    log,
  })
  const forgetting = openForgetting({ lanes, log, now })
  const room = roomOn({ ...options, wake: mailer.wake, isRehearsing: false })
  const showsMail = config.smtpUrl === undefined && isPrivate(config)
  return {
    desk: room.desk,
    surfaces: [...room.surfaces, ...(showsMail ? devMailSurfaces(folder, room.shell) : [])],
    async close() {
      forgetting.close()
      await mailer.close()
    },
  }
}

/** The same desk and pages, where nothing is recorded and nothing is sent. */
export const rehearse = (options: Pick<BookingOptions, 'lanes' | 'links' | 'site'>): Booking =>
  roomOn({ ...options, wake: () => {}, isRehearsing: true })

type RoomOptions = Pick<BookingOptions, 'lanes' | 'links' | 'site'> & {
  wake(): void
  readonly isRehearsing: boolean
}

function roomOn({ lanes, links, site, wake, isRehearsing }: RoomOptions) {
  const opening = openOpening(openingHours)
  const desk = openDesk({ lanes, opening, links, now, random: randomBytes, wake, isRehearsing })
  const shell = openShell(site)
  return { desk, shell, surfaces: pageSurfaces({ desk, links, opening, shell, now }) }
}
