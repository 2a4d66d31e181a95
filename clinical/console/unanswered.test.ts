// Which cases have a message that the clinic hasn't answered, and what removes them from the list.

import { beforeAll, beforeEach, expect, test } from 'bun:test'
import { sql } from '#database/sql.ts'
import { queryAsOwner } from '../testing/assertions.ts'
import { invokeOk, queuedCase, rivera } from '../testing/call.ts'
import { useFixtures } from '../testing/fixtures.ts'
import { intercepted, type StaffMember, useConsole } from '../testing/staff.ts'

const fixtures = useFixtures()
/** Runs once, just before a dismissal is written. */
let meanwhile: (() => Promise<unknown>) | null = null
const staff = useConsole(fixtures, pool =>
  intercepted(pool, async statement => {
    const act = statement.prepared.text.includes('delete from records.unanswered')
      ? meanwhile
      : null
    if (act) meanwhile = null
    await act?.()
    return statement
  }),
)
const states = [rivera.address.state]
let doctor: StaffMember
let nurse: StaffMember
beforeAll(async () => {
  doctor = await staff.hire(['clinician'], { states })
  nurse = await staff.hire(['nurse'])
})
beforeEach(() => queryAsOwner(fixtures, sql`delete from records.unanswered_threads`))

const as = () => fixtures.ada.live
const ask = (id: string, body = 'My face is swelling.') =>
  invokeOk(fixtures, 'createMessage', { as: as(), id, body: { body, author: 'patient' } })
const listed = async (query: Record<string, string> = {}) =>
  (await staff.ok('listUnanswered', { as: nurse, query })).data as {
    id: string
    message: string
    since: string
    status: string
  }[]
const chartOf = (id: string) => staff.ok('readChart', { as: nurse, id })
const versionOf = async (id: string): Promise<string> => (await chartOf(id)).updated_at

/** A new case with an unanswered message from its patient. */
async function askedCase(): Promise<string> {
  const { id } = await queuedCase(fixtures, as())
  await ask(id)
  return id
}

const dismiss = (id: string, version: string) =>
  staff.call('dismissMessages', { as: nurse, id, body: { version } })

/** What staff or the integration do about a case, and whether its messages are unanswered after. */
const acts: Record<string, [(id: string) => Promise<unknown>, boolean]> = {
  'a reply': [
    async id =>
      staff.ok('writeMessage', {
        as: nurse,
        id,
        body: { version: await versionOf(id), body: 'Call 911 now.' },
      }),
    false,
  ],
  'a question': [
    async id =>
      staff.ok('askQuestion', {
        as: nurse,
        id,
        body: { version: await versionOf(id), target: 'patient', question: 'Since when?' },
      }),
    false,
  ],
  'an approval': [
    async id => staff.ok('approveCase', { as: doctor, id, body: { version: await versionOf(id) } }),
    false,
  ],
  'a refusal': [
    async id =>
      staff.ok('declineCase', {
        as: doctor,
        id,
        body: { version: await versionOf(id), reason: 'Not safe.' },
      }),
    false,
  ],
  'a dismissal': [async id => dismiss(id, (await chartOf(id)).chart.unanswered_at), false],
  'opening and claiming the case': [
    async id => staff.ok('claimCase', { as: doctor, id, body: { version: await versionOf(id) } }),
    true,
  ],
  'a withdrawal': [id => invokeOk(fixtures, 'withdrawCase', { as: as(), id, body: {} }), true],
}

const outcomes = Object.entries(acts).map(
  ([act, [perform, isListed]]) => [act, isListed ? 'keeps' : 'removes', perform, isListed] as const,
)
test.each(outcomes)('unanswered: %s %s the case', async (_act, _outcome, perform, isListed) => {
  const other = await askedCase()
  const id = await askedCase()
  await perform(id)
  expect((await listed()).map(one => one.id)).toEqual(isListed ? [other, id] : [other])
  expect((await chartOf(id)).chart.unanswered_at !== null).toBe(isListed)
})

test('unanswered: a message on an approved case, and one sent instead of an answer, are listed', async () => {
  const { id: approved } = await queuedCase(fixtures, as())
  const version = await versionOf(approved)
  await staff.ok('approveCase', { as: doctor, id: approved, body: { version } })
  const { id: asked } = await queuedCase(fixtures, as())
  const question = { target: 'patient', question: 'Since when?', version: await versionOf(asked) }
  await staff.ok('askQuestion', { as: nurse, id: asked, body: question })
  const first = await ask(approved)
  await ask(asked)
  // A later message doesn't move the case back.
  await ask(approved, 'Since the second dose.')
  expect(await listed()).toMatchObject([
    { id: approved, status: 'approved', message: first.id, since: first.created_at },
    { id: asked, status: 'waiting_on_patient' },
  ])
  expect((await listed({ limit: '1', starting_after: first.id })).map(one => one.id)).toEqual([
    asked,
  ])
  const answers = { answers: [{ answer: 'Yesterday.' }] }
  await invokeOk(fixtures, 'answerCase', { as: as(), id: asked, body: answers })
  expect((await listed()).map(one => one.id)).toEqual([approved, asked])
})

test('unanswered: an answer to a question returns the case to the queue instead', async () => {
  const { id } = await queuedCase(fixtures, as())
  const body = { version: await versionOf(id), target: 'patient', question: 'Since when?' }
  await staff.ok('askQuestion', { as: nurse, id, body })
  const answers = { answers: [{ answer: 'Yesterday.' }] }
  await invokeOk(fixtures, 'answerCase', { as: as(), id, body: answers })
  expect(await listed()).toEqual([])
})

test('unanswered: a dismissal is refused if a message arrived after the thread was read', async () => {
  const id = await askedCase()
  const { unanswered_at: read } = (await chartOf(id)).chart
  await ask(id, 'I can’t breathe.')
  const refused = await dismiss(id, read)
  const { unanswered_at: version } = (await chartOf(id)).chart
  expect([refused.code, refused.body.members]).toEqual(['version_changed', { version }])
  expect(await listed()).toHaveLength(1)
  expect((await dismiss(id, version)).status).toBe(200)
  // Both colleagues who had the thread open learn what happened.
  expect((await dismiss(id, version)).code).toBe('version_changed')
  expect(await listed()).toEqual([])
})

test('unanswered: a message that arrives during a dismissal stays listed', async () => {
  const id = await askedCase()
  meanwhile = () => ask(id, 'I can’t breathe.')
  await dismiss(id, (await chartOf(id)).chart.unanswered_at)
  expect(meanwhile).toBeNull()
  expect((await listed()).map(one => one.id)).toEqual([id])
})

test('unanswered: concurrent messages from both sides leave at most one entry', async () => {
  const id = await askedCase()
  const version = await versionOf(id)
  await Promise.all(
    Array.from({ length: 10 }, (_, at) =>
      at % 2
        ? ask(id)
        : staff.ok('writeMessage', { as: nurse, id, body: { version, body: 'Hello.' } }),
    ),
  )
  await ask(id)
  expect((await listed()).map(one => one.id)).toEqual([id])
})

test('unanswered: a sandbox’s messages are in no clinic’s list', async () => {
  const { id } = await queuedCase(fixtures)
  await invokeOk(fixtures, 'createMessage', { id, body: { body: 'Hello.' } })
  expect(await listed()).toEqual([])
})
