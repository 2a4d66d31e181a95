// The desk and the answers it keeps, on a database and without mail: what a booking costs, and no
// more.
import { openLanes } from '#database/pool.ts'
import { now, randomBytes } from '#database/clock.ts'
import type { Links } from '#booking/links.ts'
import { openDesk } from '#booking/create-service.ts'
import { openingHours, openOpening } from '#booking/opening.ts'
import { openReplies } from '#booking/idempotency/store.ts'

export function bookingOn(url: string, size: number, links: Links) {
  const lanes = openLanes({ url, size, name: 'bench site', path: 'site, public' })
  const desk = openDesk({
    lanes,
    opening: openOpening(openingHours),
    links,
    now,
    random: randomBytes,
    wake: () => {},
    isRehearsing: false,
  })
  const replies = openReplies({ lanes, secret: 'a secret of benches', randomBytes })
  return { desk, replies, close: () => lanes.close() }
}
