// A gateway's booking in a process of its own, to be killed without warning: books for the
// addresses that it is given, says each that is committed, and sends mail until it dies.
import { openPool } from '#database/pool.ts'
import { now, randomBytes } from '#database/clock.ts'
import { createBookingService } from '../create-service.ts'
import { openingHours, openOpening } from '../opening.ts'
import { by, sampleLinks } from './booking-service.ts'
import { compose } from '../email/compose.ts'
import { openMailer } from '../email/mailer.ts'
import { smtpPost } from '../email/transport.ts'

export type ProcessSettings = { url: string; smtp: string; emails: string[] }

async function live({ url, smtp, emails }: ProcessSettings): Promise<void> {
  const pool = openPool({ url, size: 4, name: 'to be killed' })
  const addresses = { from: 'hello@house.example', sales: 'sales@house.example' }
  const mailer = openMailer({
    pool,
    post: smtpPost(smtp),
    compose: row => compose(row, addresses, sampleLinks),
    log: { event() {} },
  })
  const bookingService = createBookingService({
    pool,
    opening: openOpening(openingHours),
    links: sampleLinks,
    now,
    random: randomBytes,
    wake: mailer.wake,
    isDryRun: false,
  })
  for (const email of emails) {
    const answer = await bookingService.book({ buyer: { firstName: 'Ada', email }, via: by('acp') })
    if (answer.kind === 'booked') process.stdout.write(`${answer.booking.id}\n`)
  }
}

if (import.meta.main) await live(await Bun.stdin.json())
