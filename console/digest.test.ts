// Tests the email about waiting work: who gets it, when, and what it counts.
import { beforeAll, beforeEach, expect, test } from 'bun:test'
import { queryAsOwner } from '#clinical/testing/assertions.ts'
import { invokeOk, queuedCase, rivera } from '#clinical/testing/call.ts'
import { bookedLiveVisit } from '#clinical/testing/clinicians.ts'
import { queueDigests } from '#auth/clinics/digest.ts'
import { dayMilliseconds } from '#contract/moments.ts'
import { now } from '#database/clock.ts'
import { openPool } from '#database/pool.ts'
import { sql, type Statement } from '#database/sql.ts'
import { useConsolePages } from './testing/console.ts'

const pages = useConsolePages()
const states = [rivera.address.state]
const run = <R extends Record<string, unknown>>(statement: Statement) =>
  queryAsOwner<R>(pages.fixtures, statement)

let patient = ''
let waiting = ''
beforeAll(async () => {
  ;({ patient, id: waiting } = await queuedCase(pages.fixtures, pages.fixtures.ada.live))
})
beforeEach(() => run(sql`delete from auth.digests`))

type SignedIn = Parameters<typeof pages.signIn>[0]

/** A staff member in New York who has chosen their email days. */
async function member(given: SignedIn, digest: string) {
  const signedIn = await pages.signIn(given)
  const { browser, home, person } = signedIn
  await browser.get(`${home}/preferences`)
  await browser.submit(`${home}/preferences`, { time_zone: 'America/New_York', digest })
  await run(sql`update auth.digests set done_on = '2000-01-01' where person = ${person}`)
  return signedIn
}

/** A Monday, at least 9 days ahead. */
const monday = (() => {
  const day = new Date(now() + 9 * dayMilliseconds)
  day.setUTCDate(day.getUTCDate() + ((8 - day.getUTCDay()) % 7))
  return day.toISOString().slice(0, 10)
})()
const after = (day: string, days: number) =>
  new Date(Date.parse(day) + days * dayMilliseconds).toISOString().slice(0, 10)

/** Queues emails due at a time in New York, and returns their number. */
async function queueAt(local: string): Promise<number> {
  const [row] = await run<{ queued: number }>(sql`
    select auth.queue_digests('{"cases":["clinician","nurse"],"messages":["nurse"],"visits":["clinician"],"grants":["admin"]}',
      'America/New_York', ${local}::timestamp at time zone 'America/New_York') as queued`)
  return row?.queued ?? 0
}
const emails = async (person: string) =>
  (
    await run<{ facts: Record<string, unknown> }>(sql`
      select e.facts from site.emails e join auth.persons p on p.email = e.facts ->> 'email'
       where p.id = ${person} and e.kind = 'work_waiting' order by e.id`)
  ).map(({ facts }) => facts)

test('a digest is off until its reader turns it on, and turns off immediately', async () => {
  const { browser, home, person } = await pages.signIn({ roles: ['nurse'] })
  const address = `${home}/preferences`
  expect((await browser.get(address)).text).toContain('<option value="none" selected>Off')
  expect(await queueAt(`${monday} 09:00`)).toBe(0)
  await browser.submit(address, { time_zone: '', digest: 'weekday' })
  expect((await browser.get(address)).text).toContain('<option value="weekday" selected>')
  expect(await queueAt(`${monday} 09:00`)).toBe(1)
  await browser.submit(address, { time_zone: '', digest: 'none' })
  expect(await queueAt(`${after(monday, 1)} 09:00`)).toBe(0)
  expect(await emails(person)).toHaveLength(1)
})

test('a digest is sent once a day, after 8 AM in the reader’s zone, even if the worker is late', async () => {
  const { person } = await member({ roles: ['nurse'] }, 'day')
  expect(await queueAt(`${monday} 07:59`)).toBe(1) // Sunday's digest
  expect(await queueAt(`${monday} 07:59`)).toBe(0)
  expect(await queueAt(`${monday} 08:00`)).toBe(1)
  expect(await queueAt(`${monday} 23:00`)).toBe(0)
  expect(await queueAt(`${after(monday, 1)} 21:00`)).toBe(1)
  expect((await emails(person)).map(({ zone }) => zone)).toEqual(Array(3).fill('America/New_York'))
})

test('weekdays: no digest on Saturday and Sunday', async () => {
  await member({ roles: ['nurse'] }, 'weekday')
  expect(await queueAt(`${after(monday, 5)} 12:00`)).toBe(0)
  expect(await queueAt(`${after(monday, 6)} 12:00`)).toBe(0)
  expect(await queueAt(`${after(monday, 7)} 12:00`)).toBe(1)
})

test('two concurrent workers queue one digest', async () => {
  const { person } = await member({ roles: ['nurse'] }, 'day')
  const worker = openPool({
    url: pages.fixtures.database.urls.worker_live,
    size: 2,
    name: 'digests',
  })
  const queued = await Promise.all([worker.use(queueDigests), worker.use(queueDigests)])
  await worker.close()
  expect(queued.toSorted()).toEqual([0, 1])
  expect(await emails(person)).toHaveLength(1)
})

test('a digest counts the reader’s own work in their licensed states, and has no patient data', async () => {
  const nurse = await member({ roles: ['nurse'] }, 'day')
  const clinician = await member({ roles: ['clinician'], states }, 'day')
  const visit = await bookedLiveVisit(pages.fixtures, {
    as: pages.fixtures.ada.live,
    patient,
    state: rivera.address.state,
  })
  await run(sql`update live.visits set clinician = ${clinician.person},
    starts_at = ${`${monday}T15:00:00Z`}::timestamptz, ends_at = ${`${monday}T15:30:00Z`}::timestamptz
    where id = ${visit.id}`)
  await invokeOk(pages.fixtures, 'createMessage', {
    as: pages.fixtures.ada.live,
    id: waiting,
    body: { body: 'My face is swelling.', author: 'patient' },
  })
  await queueAt(`${monday} 08:30`)
  await run(sql`delete from records.unanswered_threads`)
  const common = {
    email: expect.any(String),
    organization: expect.any(String),
    organization_id: pages.fixtures.clinic,
    zone: 'America/New_York',
    at: expect.stringContaining(monday),
    cases: 1,
  }
  expect(await emails(nurse.person)).toEqual([{ ...common, messages: 1 }])
  expect(await emails(clinician.person)).toEqual([{ ...common, visits: 1 }])
})

// At any time, the day in at least one of these zones isn't the day in UTC.
test.each(['Pacific/Pago_Pago', 'Pacific/Kiritimati'])(
  'a digest counts cases through a license’s last day in the clinic’s zone, %s',
  async zone => {
    const { person, organization } = await member({ roles: ['clinician'], states }, 'day')
    await run(sql`
      insert into auth.clinic_settings (organization, time_zone) values (${organization}, ${zone})
          on conflict (organization) do update set time_zone = excluded.time_zone`)
    const queued = async (daysLeft: number, day: string) => {
      await run(sql`
        update auth.licenses set expires_on = (now() at time zone ${zone})::date + ${daysLeft}::int
         where person = ${person}`)
      return queueAt(`${day} 09:00`)
    }
    expect([await queued(0, monday), await queued(-1, after(monday, 1))]).toEqual([1, 0])
  },
)

const idle: [string, SignedIn, Statement?][] = [
  ['has nothing waiting', { roles: ['auditor'] }],
  ['may not treat where a case waits', { roles: ['clinician'], states: ['WY'] }],
  ['has no role until a recovery is confirmed', { roles: ['nurse'] }, sql`recovered_at = now()`],
  ['left the clinic', { roles: ['nurse'] }, sql`removed_at = now()`],
]
test('no digest for people who have nothing waiting, lack a relevant role, or left', async () => {
  for (const [who, given, change] of idle) {
    const { person } = await member(given, 'day')
    if (change) await run(sql`update auth.staff set ${change} where person = ${person}`)
    expect([who, await queueAt(`${monday} 09:00`), await emails(person)]).toEqual([who, 0, []])
  }
})
