// A gateway's booking service as a separate process, which a test kills. It books a call for each
// address, prints each committed call's ID, and sends email until it's killed.
import { openPool } from '#database/pool.ts'
import { now } from '#database/clock.ts'
import { newId } from '../context.ts'
import { createBookingService } from '../create-service.ts'
import { openingHours, openOpening } from '../opening.ts'
import { by, testLinks, testPersonLinks } from './booking-service.ts'
import { compose } from '#email/compose.ts'
import { openMailer } from '#email/mailer.ts'
import { smtpTransport } from '#email/transport.ts'

export type ProcessSettings = { url: string; smtp: string; emails: string[] }

async function live({ url, smtp, emails }: ProcessSettings): Promise<void> {
  const pool = openPool({ url, size: 4, name: 'to be killed' })
  const addresses = { from: 'hello@health.example', sales: 'sales@health.example' }
  const mailer = openMailer({
    pool,
    transport: smtpTransport(smtp),
    compose: row => compose(row, addresses, { links: testLinks, people: testPersonLinks }),
    newId: () => newId('mail'),
    log: { event() {} },
  })
  const bookingService = createBookingService({
    pool,
    opening: openOpening(openingHours),
    links: testLinks,
    now,
    wake: mailer.wake,
    isDryRun: false,
    secret: 'a secret of the tests',
    peoplePerHour: 1_000_000,
  })
  for (const email of emails) {
    const answer = await bookingService.book({ buyer: { firstName: 'Ada', email }, via: by('acp') })
    if (answer.kind === 'booked') process.stdout.write(`${answer.booking.id}\n`)
  }
}

if (import.meta.main) await live(await Bun.stdin.json())
