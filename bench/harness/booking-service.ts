// The booking service and its idempotency store on a database, without email, so only the booking
// is measured.
import { openPool } from '#database/pool.ts'
import { now, randomBytes } from '#database/clock.ts'
import type { Links } from '#booking/links.ts'
import { createBookingService } from '#booking/create-service.ts'
import { openingHours, openOpening } from '#booking/opening.ts'
import { createIdempotencyStore } from '#booking/idempotency/store.ts'

export function bookingOn(url: string, size: number, links: Links) {
  const pool = openPool({ url, size, name: 'bench site', path: 'site, public' })
  const bookingService = createBookingService({
    pool,
    opening: openOpening(openingHours),
    links,
    now,
    wake: () => {},
    isDryRun: false,
    secret: 'a secret of benches',
    peoplePerHour: 1_000_000_000,
  })
  const idempotencyStore = createIdempotencyStore({
    pool,
    secret: 'a secret of benches',
    randomBytes,
  })
  return { bookingService, idempotencyStore, close: () => pool.close() }
}
