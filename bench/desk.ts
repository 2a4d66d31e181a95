// The desk and the answers it keeps, on a database and without mail: what a booking costs, and no
// more.
import { openLanes } from '#database/lanes.ts'
import { now, randomBytes } from '#database/time-and-chance.ts'
import type { Links } from '#gateway/booking/links.ts'
import { openDesk } from '#gateway/booking/open-desk.ts'
import { openingHours, openOpening } from '#gateway/booking/opening.ts'
import { openReplies } from '#gateway/replies/replies.ts'

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
