// The event ordering guarantee: a poller that continues from the last created_at it read misses no
// event and reads none twice, no matter how many writers commit concurrently.

import { expect, test } from 'bun:test'
import { momentOf } from '#contract/ids.ts'
import { sql } from '#database/sql.ts'
import { consentedPatient, caseBody, invokeOk, rivera } from '../testing/call.ts'
import { useFixtures } from '../testing/fixtures.ts'
import { eventsAfter, queryAsOwner, type EventSummary } from '../testing/assertions.ts'

const fixtures = useFixtures({ poolSize: 24 })

/** One of twenty writers, which makes seven calls per round. Each call writes one or several
 *  events. */
async function writer(rounds: number): Promise<void> {
  const agreed = await consentedPatient(fixtures)
  for (let round = 0; round < rounds; round++) {
    const { id } = await invokeOk(fixtures, 'createCase', { body: caseBody(agreed) })
    await invokeOk(fixtures, 'createMessage', { id, body: { body: 'Hello.' } })
    const question = { decision: 'needs_info', target: 'patient', question: 'q' }
    await invokeOk(fixtures, 'decideCase', { id, body: question })
    await invokeOk(fixtures, 'answerCase', { id, body: { answers: [{ answer: 'a' }] } })
    await invokeOk(fixtures, 'decideCase', { id, body: { decision: 'approve' } })
    await invokeOk(fixtures, 'updatePatient', {
      id: agreed.patient,
      body: { first_name: `r${round}` },
    })
    await invokeOk(fixtures, 'createPatient', { body: rivera })
  }
}

test('events: a poller using since misses and repeats none alongside twenty writers', async () => {
  let writing = true
  const writers = Promise.all(Array.from({ length: 20 }, () => writer(3))).finally(() => {
    writing = false
  })
  const polled: EventSummary[] = []
  for (;;) {
    // This is checked before reading the page, so the last page is read after the last write.
    const last = !writing
    const since = polled.at(-1)?.created_at ?? '2020-01-01'
    const page = await invokeOk(fixtures, 'listEvents', { query: { since, limit: '7' } })
    polled.push(...page.data)
    if (last && !page.has_more && page.data.length === 0) break
  }
  await writers
  const all = await eventsAfter(fixtures, null)
  expect(all.length).toBe(20 * (3 + 3 * (1 + 1 + 3 + 2 + 3 + 1 + 1)))
  expect(polled.map(one => one.id)).toEqual(all.map(one => one.id))
  const moments = polled.map(one => one.created_at)
  expect(moments).toEqual([...new Set(moments)].sort())
})

test('lists: cursor pages have each existing item exactly once alongside sixteen writers', async () => {
  for (let at = 0; at < 20; at++) await invokeOk(fixtures, 'createPatient', { body: rivera })
  const ids = async () =>
    (
      await queryAsOwner<{ id: string }>(fixtures, sql`select id from test.patients order by id`)
    ).map(row => row.id)
  const before = await ids()
  const over = new AbortController()
  const insert = async () => {
    while (!over.signal.aborted) await invokeOk(fixtures, 'createPatient', { body: rivera })
  }
  const writers = Promise.all(Array.from({ length: 16 }, insert))
  const listed: string[] = []
  // New items come last, so reading may end once all earlier items have been read.
  for (let more = true; more && listed.length < before.length + 50;) {
    const last = listed.at(-1)
    const query = { limit: '7', ...(last === undefined ? {} : { starting_after: last }) }
    const page = await invokeOk(fixtures, 'listPatients', { query })
    listed.push(...page.data.map((one: { id: string }) => one.id))
    more = page.has_more
  }
  over.abort()
  await writers
  expect(listed.slice(0, before.length)).toEqual(before)
  expect(listed).toEqual((await ids()).slice(0, listed.length))
  expect(listed.length).toBeGreaterThan(before.length)
})

test('events in one commit have distinct timestamps, and since finds each on a one-item page', async () => {
  const agreed = await consentedPatient(fixtures)
  const { id } = await invokeOk(fixtures, 'createCase', { body: caseBody(agreed) })
  const [last] = (await eventsAfter(fixtures, null)).slice(-1)
  await invokeOk(fixtures, 'decideCase', { id, body: { decision: 'approve' } })
  let since = last?.created_at ?? ''
  const types: string[] = []
  for (let more = true; more;) {
    const page = await invokeOk(fixtures, 'listEvents', { query: { since, limit: '1' } })
    for (const event of page.data) {
      types.push(event.type)
      expect(event.created_at > since).toBe(true)
      since = event.created_at
    }
    more = page.has_more
  }
  expect(types).toEqual([
    'case.in_review.v1',
    'case.approved.v1',
    'prescription.created.v1',
    'order.created.v1',
  ])
})

test('IDs in every table sort like created_at, and contain its millisecond', async () => {
  const rows = await queryAsOwner<{ id: string; kind: string; created_at: string }>(
    fixtures,
    sql`select id, 'patient' as kind, iso(created_at) as created_at from test.patients
        union all select id, 'consent', iso(created_at) from test.consents
        union all select id, 'case', iso(created_at) from test.cases
        union all select id, 'message', iso(created_at) from test.messages
        union all select id, 'prescription', iso(created_at) from test.prescriptions
        union all select id, 'order', iso(created_at) from test.orders
        union all select id, 'event', iso(created_at) from test.events
        order by created_at, id`,
  )
  const kinds = Map.groupBy(rows, row => row.kind)
  expect(kinds.size).toBe(7)
  for (const row of rows) {
    const [, half = ''] = row.id.split('_')
    expect(half.slice(0, 10)).toBe(momentOf(Date.parse(row.created_at)))
  }
  // One clock numbers a tenant's rows: no two rows in any table share a timestamp.
  expect(new Set(rows.map(row => row.created_at)).size).toBe(rows.length)
  for (const [, own] of kinds) {
    const ids = own.map(row => row.id)
    expect(ids).toEqual(ids.toSorted())
  }
})

test('events: a later event is still later after the server’s clock is set back', async () => {
  const { id } = await invokeOk(fixtures, 'createPatient', { body: rivera })
  const before = (await eventsAfter(fixtures, null)).at(-1)?.created_at ?? ''
  // Setting the stored timestamp ahead has the same effect as setting the server's clock back.
  const [row] = await queryAsOwner<{ ahead: string }>(
    fixtures,
    sql`update test.tenants set last = last + interval '1 hour'
         where id = (select tenant from test.patients where id = ${id})
        returning iso(last) as ahead`,
  )
  const ahead = row?.ahead ?? ''
  expect(ahead > before).toBe(true)
  for (let n = 0; n < 3; n++) await invokeOk(fixtures, 'createPatient', { body: rivera })
  const query = { since: ahead }
  const { data } = await invokeOk(fixtures, 'listEvents', { query })
  const moments = data.map((one: EventSummary) => Date.parse(one.created_at) - Date.parse(ahead))
  // Each write takes one millisecond for its row and another for its event.
  expect(moments).toEqual([2, 4, 6])
})
