// Tests that an email's result is stored, even if a connection is lost first.
import { afterEach, describe, expect, test } from 'bun:test'
import type { SQL } from 'bun'
import { type ConnectionPool } from '#database/pool.ts'
import { until } from '#http/testing/until.ts'
import {
  newBuyer,
  testLinks,
  testPersonLinks,
  untilWaiting,
} from '#booking/testing/booking-service.ts'
import { EmailSetup } from '#booking/testing/email.ts'
import { compose } from './compose.ts'
import { type Mailer, openMailer } from './mailer.ts'
import type { MailTransport } from './transport.ts'

const setup = new EmailSetup()
const addresses = { from: 'hello@health.example', sales: 'sales@health.example' }
const accepting: MailTransport = { send: async () => {}, close() {} }
/** Long enough that no sweep runs on its own during a test. */
const never = 600_000

const opened: Mailer[] = []
afterEach(async () => {
  await Promise.all(opened.splice(0).map(mailer => mailer.close()))
})

type Options = {
  transport?: MailTransport
  pool?: ConnectionPool
  sweepMilliseconds?: number | undefined
  /** Called as each sweep starts. */
  swept?: (mailer: () => Mailer) => void
}

function open({ transport = accepting, pool, swept, ...more }: Options = {}) {
  let sweeps = 0
  const logged: Record<string, unknown>[] = []
  const sweepMilliseconds = 'sweepMilliseconds' in more ? more.sweepMilliseconds : never
  const mailer: Mailer = openMailer({
    pool: pool ?? setup.one.pool,
    transport,
    compose: row => compose(row, addresses, { links: testLinks, people: testPersonLinks }),
    newId() {
      swept?.(() => mailer)
      return `mail_of_sweep_${++sweeps}_${crypto.randomUUID()}`
    },
    log: { event: (name, fields) => void logged.push({ name, ...fields }) },
    ...(sweepMilliseconds === undefined ? {} : { sweepMilliseconds }),
  })
  opened.push(mailer)
  return { mailer, logged, sweeps: () => sweeps }
}

/** Queues one email to a call's buyer. */
async function queueOne(): Promise<string> {
  const id = await setup.book(newBuyer(), 'mcp')
  await setup.owner`delete from site.emails where subject = ${id} and audience = 'sales'`
  return id
}
const stateOf = async (subject: string) =>
  (
    await setup.owner`select sent_at is not null as sent, gave_up_at is not null as gave_up,
                             facts is not null and due_at < now() + interval '1 minute' as again
                        from site.emails where subject = ${subject}`
  )[0]

/** A transport whose outcome the test decides. */
function held() {
  const { promise, resolve, reject } = Promise.withResolvers<void>()
  let [sends, closes] = [0, 0]
  const transport: MailTransport = {
    send: () => (sends++, promise),
    close: () => void closes++,
  }
  return { transport, resolve, reject, sends: () => sends, closes: () => closes }
}

const lock = (connection: SQL, id: string) =>
  connection`select from site.emails where subject = ${id} for update`

describe('mailer: results', () => {
  const refusal = Object.assign(new Error('refused'), { responseCode: 451 })
  test.each([
    ['accepted', null, 0, 'mail.sent', { sent: true, gave_up: false, again: false }],
    ['refused', refusal, 0, 'mail.refused', { sent: false, gave_up: false, again: true }],
    [
      'refused for the last time',
      refusal,
      6,
      'mail.failed',
      { sent: false, gave_up: true, again: false },
    ],
  ])('the result that an email is %s is stored before the mailer closes', async (...row) => {
    const [, failure, days, event, state] = row
    const id = await queueOne()
    await setup.owner`update site.emails set created_at = now() - make_interval(days => ${days})
                       where subject = ${id}`
    const attempt = held()
    const { mailer, logged } = open({ transport: attempt.transport })
    await until(() => attempt.sends() === 1)
    let isClosed = false
    const { closing } = await setup.owner.begin(async connection => {
      await lock(connection, id)
      if (failure === null) attempt.resolve()
      else attempt.reject(failure)
      // Wrapped in an object, because a returned promise would be awaited before the commit.
      const closing = mailer.close().then(() => (isClosed = true))
      await untilWaiting(setup.owner, 1)
      expect([isClosed, logged, attempt.closes()]).toEqual([false, [], 0])
      return { closing }
    })
    await closing
    expect(logged.map(({ name }) => name)).toEqual([event])
    expect(attempt.closes()).toBe(1)
    expect(await stateOf(id)).toEqual(state)
  })

  test('a result that was not stored because of a lost connection is stored soon after', async () => {
    const id = await queueOne()
    const attempt = held()
    const { mailer, logged } = open({ transport: attempt.transport })
    await until(() => attempt.sends() === 1)
    const began = await setup.owner.begin(async connection => {
      await lock(connection, id)
      attempt.resolve()
      await untilWaiting(setup.owner, 1)
      const lost = performance.now()
      await setup.owner`select pg_terminate_backend(pid) from pg_stat_activity
                         where datname = current_database() and wait_event_type = 'Lock'`
      await untilWaiting(setup.owner, 0)
      await untilWaiting(setup.owner, 1)
      return performance.now() - lost
    })
    expect(began).toBeGreaterThan(200)
    await mailer.close()
    expect(logged.map(({ name }) => name)).toEqual(['mail.sent'])
    expect(await stateOf(id)).toMatchObject({ sent: true })
  })

  test('a result that the database refuses is not retried in the same sweep', async () => {
    await queueOne()
    const attempt = held()
    const { logged } = open({ transport: attempt.transport })
    await until(() => attempt.sends() === 1)
    await setup.owner`revoke update on site.emails from app_site`
    try {
      attempt.resolve()
      await until(() => logged.length > 0)
    } finally {
      await setup.owner`grant update (facts, due_at, attempts, sent_at, gave_up_at, recipient_refused)
                           on site.emails to app_site`
    }
    expect(logged).toEqual([{ name: 'mail.waiting', reason: 'ERR_POSTGRES_SERVER_ERROR' }])
  })
})
