// Tests the codes that start a session at another origin. Page tests cover the browser's path.
import { afterAll, beforeAll, expect, test } from 'bun:test'
import { sql } from '#database/sql.ts'
import { openPeople, peppers, type TestPeople } from '../testing/people.ts'
import { type Handoffs, openHandoffs } from './handoffs.ts'
import { openSessions, type Sessions } from './sessions.ts'

let people: TestPeople
let handoffs: Handoffs
let sessions: Sessions
let portal: Sessions
beforeAll(async () => {
  people = await openPeople()
  handoffs = openHandoffs(people.pool, peppers)
  sessions = openSessions(people.pool, peppers)
  portal = openSessions(people.pool, peppers, 'portal')
})
afterAll(() => people.close())

const digestOf = (value: string) => new Bun.CryptoHasher('sha256').update(value).digest()
const browser = digestOf('what only this browser has')
const call = { requestId: 'req_of_handoff', address: null, agent: null }

const redeem = (code: string | null, former: string | null = null, of = browser) =>
  handoffs.redeem(code ?? '', 'portal', { browser: of, former, call })

async function signedIn() {
  const person = await people.addPerson()
  const session = await sessions.begin(person.id, null, { isProven: true })
  const newCode = () => handoffs.create(session.id, 'portal', browser)
  return { person, session, newCode }
}

const passSeconds = (seconds: number) =>
  people.run(sql`
    update auth.handoffs set expires_at = expires_at - ${seconds}::float8 * interval '1 second'`)

test('handoffs: a code is valid for a minute', async () => {
  const { newCode } = await signedIn()
  const [early, late] = [await newCode(), await newCode()]
  await passSeconds(50)
  expect(await redeem(early)).not.toBeNull()
  await passSeconds(10)
  expect(await redeem(late)).toBeNull()
})

test('handoffs: a wrong code matches no pending handoff, and a new handoff ends no other', async () => {
  const [ada, ben] = [await signedIn(), await signedIn()]
  const first = await ada.newCode()
  const second = await ben.newCode()
  expect(await redeem('A'.repeat(43))).toBeNull()
  expect((await redeem(first))?.person).toBe(ada.person.id)
  expect((await redeem(second))?.person).toBe(ben.person.id)
})

test('handoffs: an ended session gets no code', async () => {
  const { session, newCode } = await signedIn()
  await sessions.end(session.token)
  expect(await newCode()).toBeNull()
  expect(await handoffs.create('tok_none', 'portal', browser)).toBeNull()
})

test('handoffs: the browser’s previous session ends, and no other', async () => {
  const { session, newCode } = await signedIn()
  const [former, other] = [await redeem(await newCode()), await redeem(await newCode())]
  await redeem(await newCode(), former?.token ?? '')
  expect(await portal.find(former?.token ?? '')).toBeNull()
  expect(await portal.find(other?.token ?? '')).not.toBeNull()
  // A session at AUTH_URL doesn't end when its token is given as the browser's previous session.
  await redeem(await newCode(), session.token)
  expect(await sessions.find(session.token)).not.toBeNull()
})

test('handoffs: a refused code ends no session', async () => {
  const { newCode } = await signedIn()
  const former = await redeem(await newCode())
  const code = await newCode()
  expect(await redeem(code, former?.token ?? '', digestOf('another browser'))).toBeNull()
  expect(await redeem('A'.repeat(43), former?.token ?? '')).toBeNull()
  expect(await portal.find(former?.token ?? '')).not.toBeNull()
})

test('handoffs: a previous session that was signed out stays signed out', async () => {
  const { newCode, person } = await signedIn()
  const again = await sessions.begin(person.id, null)
  const former = await redeem(await newCode())
  await portal.end(former?.token ?? '')
  const code = await handoffs.create(again.id, 'portal', browser)
  expect(await redeem(code, former?.token ?? '')).not.toBeNull()
  const [row] = await people.run(
    sql`select revoked_reason from auth.credentials where id = ${former?.id ?? ''}`,
  )
  expect(row).toEqual({ revoked_reason: 'signed_out' })
})

test('handoffs: the audit row has the redirect’s status', async () => {
  const { person, newCode } = await signedIn()
  await redeem(await newCode())
  const rows = await people.run(sql`
    select action, surface, outcome, status, code from audit.entries where person = ${person.id}`)
  expect([...rows]).toEqual([
    { action: 'portal.sign_in', surface: 'portal', outcome: 'ok', status: 303, code: null },
  ])
})
