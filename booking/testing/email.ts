// A booking service, a mail server and any number of mailers, for email tests.
import { afterAll, afterEach, beforeAll } from 'bun:test'
import type { SQL } from 'bun'
import { type TestDatabase, testDatabase } from '#database/testing/database.ts'
import { until } from '#http/testing/until.ts'
import type { Protocol } from '#contract/site/discovery-call.ts'
import type { Buyer } from '../booking-service.ts'
import {
  by,
  openOwner,
  openBookingFixture,
  type BookingFixture,
  testLinks,
  testPersonLinks,
  newBuyer,
} from './booking-service.ts'
import { newId } from '../context.ts'
import { compose } from '#email/compose.ts'
import { type Mailer, openMailer } from '#email/mailer.ts'
import { oldestWaiting } from '#email/queue.ts'
import { type MailTransport, smtpTransport } from '#email/transport.ts'
import { startSmtpServer } from '#email/testing/smtp-server.ts'

const addresses = { from: 'hello@health.example', sales: 'sales@health.example' }

export class EmailSetup {
  database!: TestDatabase
  owner!: SQL
  one!: BookingFixture
  server!: Awaited<ReturnType<typeof startSmtpServer>>
  readonly logged: Record<string, unknown>[] = []
  private readonly mailers: Mailer[] = []

  constructor() {
    beforeAll(async () => {
      this.database = await testDatabase()
      this.owner = openOwner(this.database)
      this.one = openBookingFixture(this.database)
      this.server = await startSmtpServer()
    })
    afterEach(async () => {
      await Promise.all(this.mailers.splice(0).map(mailer => mailer.close()))
      await this.owner`update site.emails set facts = null, gave_up_at = now()
                        where facts is not null`
      // One test's emails don't count toward the next test's hourly limit.
      await this.owner`update site.emails set created_at = created_at - interval '2 hours'`
      this.server.received.length = 0
      this.server.outcomes.length = 0
      this.logged.length = 0
    })
    afterAll(async () => {
      await Promise.all([this.one.close(), this.owner.close(), this.server.close()])
      await this.database.close()
    })
  }

  get bookingService() {
    return this.one.bookingService
  }

  /** Starts another mailer, as a second gateway would. */
  open(transport: MailTransport = smtpTransport(this.server.url), sweepMilliseconds = 20): Mailer {
    const mailer = openMailer({
      pool: this.one.pool,
      transport,
      compose: row => compose(row, addresses, { links: testLinks, people: testPersonLinks }),
      newId: () => newId('mail'),
      log: { event: (name, fields) => void this.logged.push({ name, ...fields }) },
      sweepMilliseconds,
    })
    this.mailers.push(mailer)
    return mailer
  }

  async free(at = 0): Promise<string> {
    return (await this.bookingService.availability({ days: 31 })).at(at)?.start ?? ''
  }

  async book(
    buyer: Buyer = newBuyer(),
    protocol: Protocol = 'mcp',
    more: { start?: string; timeZone?: string } = {},
  ): Promise<string> {
    const via = by(protocol, 'Agent/2')
    const answer = await this.bookingService.book({ buyer, via, start: await this.free(), ...more })
    if (answer.kind !== 'booked') throw new Error(answer.kind)
    return answer.booking.id
  }

  sentTo(address: string) {
    return this.server.received.filter(({ to }) => to === address)
  }

  async untilSettled(): Promise<void> {
    const waiting = () => this.owner`select from site.emails where facts is not null`
    await until(async () => (await waiting()).length === 0, 5)
  }

  /** Whether an email counts as delayed. */
  async isLate(): Promise<boolean> {
    const [row] = await this.one.pool.use(connection =>
      connection.run<{ seconds: number }>(oldestWaiting()),
    )
    return (row?.seconds ?? 0) > 900
  }

  async untilLogged(count: number): Promise<void> {
    await until(() => this.logged.length >= count, 2)
  }

  /** Makes every queued email due. */
  async hurry(): Promise<void> {
    await this.owner`update site.emails set due_at = now() - interval '1 ms'
       where facts is not null`
  }
}
