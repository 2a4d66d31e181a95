// Tests the email queue's statements. Each statement reads and changes only its own rows.
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'bun:test'
import type { SQL } from 'bun'
import { type ConnectionPool, openPool, type Row } from '#database/pool.ts'
import { sql, type Statement } from '#database/sql.ts'
import { type TestDatabase, testDatabase } from '#database/testing/database.ts'
import { openOwner } from '#booking/testing/booking-service.ts'
import {
  claimDue,
  dropped,
  mailed,
  markFailed,
  markSent,
  oldestWaiting,
  postpone,
  queueDigest,
  type QueuedRow,
} from './queue.ts'

let database: TestDatabase
let pool: ConnectionPool
let owner: SQL
beforeAll(async () => {
  database = await testDatabase()
  pool = openPool({ url: database.urls.site, size: 4, name: 'test site' })
  owner = openOwner(database)
})
afterEach(() => owner`delete from site.emails`.then(() => {}))
afterAll(async () => {
  await Promise.all([pool.close(), owner.close()])
  await database.close()
})

const run = <R extends Row>(statement: Statement) =>
  pool.use(connection => connection.run<R>(statement))

type Email = {
  subject?: string
  audience?: string
  kind?: string
  sequence?: number
  /** Null if it was sent. */
  facts?: object | null
  /** Timestamps in SQL's format. */
  created?: string
  due?: string
}
const [now, soon, held] = ['now', '1 hour', 'infinity'] as const
const ago = (seconds: number) => `-${seconds} seconds`

/** Queues an email whose times are intervals from now. */
async function queue(id: string, email: Email = {}): Promise<void> {
  const { subject = id, audience = 'buyer', kind = 'booked', sequence = 0 } = email
  const { facts = { of: id }, created = now, due = ago(1) } = email
  const moment = (text: string) => (text === held || text === now ? null : text)
  await owner`
    insert into site.emails (id, subject, audience, kind, sequence, facts, created_at, due_at, sent_at)
    values (${id}, ${subject}, ${audience}, ${kind}, ${sequence},
            ${facts === null ? null : JSON.stringify(facts)}::text::jsonb,
            clock_timestamp() + coalesce(${moment(created)}::interval, interval '0'),
            case when ${due} = 'infinity' then 'infinity'
                 else clock_timestamp() + coalesce(${moment(due)}::interval, interval '0') end,
            ${facts === null ? 'now' : null}::timestamptz)`
}
const claim = async (count = 10) =>
  (await run<QueuedRow>(claimDue(count))).map(({ id }) => id).toSorted()
const rowOf = async (id: string) =>
  (
    await owner`select facts, sent_at is not null as sent, gave_up_at is not null as given_up,
                       round(extract(epoch from due_at - clock_timestamp()))::text as due_in
                  from site.emails where id = ${id}`
  )[0]

describe('email queue: claiming', () => {
  test('claims due emails for three minutes, oldest first', async () => {
    await queue('newer', { due: ago(5) })
    await queue('older', { due: ago(9) })
    await queue('later', { due: soon })
    await queue('held', { due: held })
    await queue('sent', { facts: null })
    const [first] = await run<QueuedRow>(claimDue(1))
    expect(first).toMatchObject({ id: 'older', attempts: 1, facts: '{"of": "older"}' })
    expect((await rowOf('older')).due_in).toBe('180')
    expect(await claim()).toEqual(['newer'])
    expect(await claim()).toEqual([])
  })

  test('a long queue to one address does not delay other addresses', async () => {
    for (let n = 0; n < 5; n++)
      await queue(`noisy-${n}`, { due: ago(60 - n), facts: { email: 'noisy@example.com' } })
    await queue('quiet', { due: ago(1), facts: { email: 'quiet@example.com' } })
    expect(await claim(2)).toEqual(['noisy-0', 'quiet'])
    expect(await claim(2)).toEqual(['noisy-1', 'noisy-2'])
  })

  test('holds back an email until earlier ones with the same subject and recipient are sent', async () => {
    const row = { due: ago(1) }
    await queue('leased', { due: soon, subject: 'one' })
    await queue('waits', { ...row, subject: 'one', sequence: 1 })
    await queue('to another', { ...row, subject: 'one', audience: 'sales', sequence: 1 })
    await queue('about another', { ...row, sequence: 1 })
    await queue('sent', { facts: null, subject: 'two' })
    await queue('after a sent one', { ...row, subject: 'two', sequence: 1 })
    await queue('last', { due: soon, subject: 'three', sequence: 2 })
    await queue('before the last', { ...row, subject: 'three', sequence: 1 })
    expect(await claim()).toEqual([
      'about another',
      'after a sent one',
      'before the last',
      'to another',
    ])
  })

  test('the attempt after five days is the last one', async () => {
    const day = 86_400
    await queue('young', { created: ago(5 * day - 60) })
    await queue('old', { created: ago(5 * day + 60) })
    const rows = await run<QueuedRow>(claimDue(10))
    expect(Object.fromEntries(rows.map(row => [row.id, row.is_last]))).toEqual({
      young: false,
      old: true,
    })
  })

  test('does not wait for an email that another mailer is claiming', async () => {
    await queue('locked', { due: ago(9) })
    await queue('free')
    await owner.begin(async connection => {
      await connection`select from site.emails where id = 'locked' for update`
      expect(await claim()).toEqual(['free'])
    })
  })
})

describe('email queue: results', () => {
  test('each result belongs to one email', async () => {
    for (const id of ['sent', 'failed', 'postponed', 'other']) await queue(id, { due: soon })
    await run(markSent('sent'))
    await run(markFailed('failed'))
    await run(postpone('postponed', 60, false))
    const waiting = { sent: false, given_up: false }
    const rows = await Promise.all(['sent', 'failed', 'postponed', 'other'].map(rowOf))
    expect(rows).toEqual([
      { facts: null, sent: true, given_up: false, due_in: '3600' },
      { facts: null, sent: false, given_up: true, due_in: '3600' },
      { ...waiting, facts: { of: 'postponed' }, due_in: '60' },
      { ...waiting, facts: { of: 'other' }, due_in: '3600' },
    ])
  })

  test('a sent email does not count as failed, nor a dropped one as sent', async () => {
    await queue('sent', { facts: null })
    await queue('dropped', { due: soon })
    await run(markFailed('dropped'))
    await run(markFailed('sent'))
    await run(markSent('dropped'))
    await run(postpone('dropped', 60, false))
    expect(await rowOf('sent')).toMatchObject({ sent: true, given_up: false })
    expect(await rowOf('dropped')).toMatchObject({ sent: false, given_up: true, due_in: '3600' })
  })

  test('the oldest sendable email determines the wait', async () => {
    const seconds = async () => (await run<{ seconds: number }>(oldestWaiting()))[0]?.seconds
    expect(await seconds()).toBe(0)
    await queue('held', { due: held, created: ago(9000) })
    await queue('sent', { facts: null, created: ago(8000) })
    expect(await seconds()).toBe(0)
    await queue('newer', { created: ago(100) })
    await queue('older', { due: soon, created: ago(500) })
    expect(await seconds()).toBeWithin(500, 510)
    // Neither it nor an email that waits for it counts, until a refusal may be temporary again.
    await queue('refused', { created: ago(900) })
    await queue('behind it', { created: ago(800), subject: 'refused', sequence: 1 })
    await run(postpone('refused', 60, true))
    expect(await seconds()).toBeWithin(500, 510)
    await run(postpone('refused', 60, false))
    expect(await seconds()).toBeWithin(900, 910)
  })
})

type Item = { of: string; subject: string; kind: string }
async function digests(): Promise<Item[][]> {
  const rows = await owner`select facts -> 'items' as items from site.emails where kind = 'digest'`
  return rows.map(({ items }: { items: Item[] }) => items)
}

describe('email queue: digests', () => {
  test('a digest lists only emails that have waited since an earlier hour, in order', async () => {
    const toSales = { audience: 'sales', due: held } as const
    await queue('second', { ...toSales, created: ago(7000), subject: 'b', kind: 'moved' })
    await queue('first', { ...toSales, created: ago(8000), subject: 'a' })
    await queue('of this hour', toSales)
    await owner`update site.emails set created_at = date_trunc('hour', clock_timestamp())
                 where id = 'of this hour'`
    await queue('to a buyer', { created: ago(8000), due: soon })
    await run(queueDigest('digest'))
    await run(queueDigest('none'))
    expect(await digests()).toEqual([
      [
        { of: 'first', subject: 'a', kind: 'booked' },
        { of: 'second', subject: 'b', kind: 'moved' },
      ],
    ])
    for (const id of ['first', 'second']) {
      expect(await rowOf(id)).toMatchObject({ facts: null, sent: true })
    }
    for (const id of ['of this hour', 'to a buyer']) {
      expect(await rowOf(id)).toMatchObject({ facts: { of: id }, sent: false })
    }
    expect(await claim()).toEqual(['digest'])
  })

  test('a digest lists at most a thousand, and the next one the rest', async () => {
    await owner`
      insert into site.emails (id, subject, audience, kind, sequence, facts, created_at, due_at)
      select 'mail_' || n, 'bkg_' || n, 'sales', 'booked', 0, '{}', now() - interval '2 hours',
             'infinity' from generate_series(1, 1001) n`
    await run(queueDigest('one'))
    await run(queueDigest('two'))
    expect((await digests()).map(items => items.length).toSorted()).toEqual([1, 1000])
  })

  test('no digest includes emails that another mailer is collecting, or waits for them', async () => {
    await queue('locked', { audience: 'sales', due: held, created: ago(8000) })
    await owner.begin(async connection => {
      await connection`select from site.emails where id = 'locked' for update`
      await run(queueDigest('digest'))
    })
    expect(await digests()).toEqual([])
    expect(await rowOf('locked')).toMatchObject({ facts: { of: 'locked' } })
  })
})

describe('email queue: an abuse report', () => {
  test('drops queued emails about one call, and none about another', async () => {
    const items = [{ subject: 'reported' }, { subject: 'other' }]
    await queue('waiting', { subject: 'reported' })
    await queue('cancellation', { subject: 'reported', kind: 'cancelled', sequence: 1 })
    await queue('sent', { subject: 'reported', audience: 'sales', facts: null })
    await queue('other', { subject: 'other' })
    await queue('digest', { audience: 'sales', kind: 'digest', facts: { items } })
    await queue('sent digest', { audience: 'sales', kind: 'digest', facts: null })
    const ended = sql`ended`
    await run(sql`with ended as (select ${'reported'}::text as id), ${dropped(ended)} select 1`)
    const states = ['waiting', 'cancellation', 'sent', 'other', 'digest', 'sent digest']
    const rows = await Promise.all(states.map(rowOf))
    expect(rows.map(({ facts, sent, given_up }) => [facts, sent, given_up])).toEqual([
      [null, false, true],
      [{ of: 'cancellation' }, false, false],
      [null, true, false],
      [{ of: 'other' }, false, false],
      [{ items: [{ subject: 'other' }] }, false, false],
      [null, true, false],
    ])
  })
})

test('email queue: a change that causes no email is still one statement', async () => {
  const cause = sql`with made as (select ${'bkg_1'}::text as id, 0 as sequence)`
  const rows = await run(sql`${cause}, ${mailed(sql`made`, [])} select id from made`)
  expect(rows).toEqual([{ id: 'bkg_1' }])
})
