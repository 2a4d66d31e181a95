// A sign-in that starts at another origin and returns from AUTH_URL, tested at that origin.
import { afterAll, beforeAll, expect, test } from 'bun:test'
import { randomBytes } from '#database/clock.ts'
import { sql } from '#database/sql.ts'
import { ownOrigin } from '#http/origins/own-origin.ts'
import { type PageAnswer, redirectTo } from '#http/pages/answer.tsx'
import { callOf } from '#http/pages/call.ts'
import { openTable } from '#http/pages/table.ts'
import { HttpRequest } from '#http/http-request.ts'
import { openPeople, peppers, type TestPeople } from '../testing/people.ts'
import { withSlow } from '../testing/slow-writes.ts'
import {
  finishSignIn,
  type HandedOrigin,
  handedRows,
  signOut,
  startSignIn,
} from './handed-sign-in.ts'
import { openHandoffs } from './handoffs.ts'
import { openSessions, type Session } from './sessions.ts'

let people: TestPeople
let portal: HandedOrigin
const url = 'https://portal.example.com'
beforeAll(async () => {
  people = await openPeople()
  const { pool } = people
  portal = {
    name: 'portal',
    own: ownOrigin(url, 'portal'),
    authUrl: 'https://auth.example.com',
    pool,
    sessions: openSessions(pool, peppers, 'portal'),
    handoffs: openHandoffs(pool, peppers),
    randomBytes,
  }
})
afterAll(() => people.close())

let requests = 0
const table = openTable(handedRows)

function callAt(path: string, headers: Record<string, string> = {}) {
  const request = new HttpRequest(
    new Request(`${url}${path}`, { headers }),
    `req_handed_${++requests}`,
    { requestIP: () => ({ address: '203.0.113.7' }) },
    peer => peer ?? null,
  )
  const chance = { hmac: () => new Uint8Array(), randomBytes }
  const browser = { value: 'a browser', isNew: false }
  const none = { session: null, token: null, form: new URLSearchParams(), back: '/', browser }
  return callOf<keyof typeof handedRows, Session>(table, chance, {
    row: 'signIn',
    request,
    ...none,
  })
}

function responseOf(answer: PageAnswer): Response {
  if ('redirect' in answer) return redirectTo(answer.redirect, answer.cookies)
  if ('failure' in answer) return new Response(answer.failure.next?.href, answer.failure)
  throw new Error('neither a redirect nor a failure')
}

const locationOf = ({ headers }: Response) => new URL(headers.get('location') ?? '', url)
const cookiesOf = ({ headers }: Response) =>
  Object.fromEntries(
    headers.getSetCookie().map(text => {
      const [pair = ''] = text.split(';')
      return [pair.slice(0, pair.indexOf('=')), pair.slice(pair.indexOf('=') + 1)]
    }),
  )

type Tab = Awaited<ReturnType<typeof startTab>>

/** A tab that has started to sign in, and the code it returns with. */
async function startTab(already = '') {
  const person = await people.addPerson()
  const path = '/sign-in?next=%2Fkeys'
  const started = responseOf(startSignIn(portal, callAt(path, already ? { cookie: already } : {})))
  const value = cookiesOf(started)['__Host-portal_sign_in'] ?? ''
  const asked = locationOf(started).searchParams.get('browser') ?? ''
  const session = await openSessions(people.pool, peppers).begin(person.id, null)
  const browser = Buffer.from(asked, 'base64url')
  const code = (await portal.handoffs.create(session.id, 'portal', browser)) ?? ''
  return { person: person.id, value, code, cookie: `__Host-portal_sign_in=${value}` }
}

async function comeBack(agent = 'A browser') {
  const { person, value, code, cookie } = await startTab()
  const finish = async (headers: Record<string, string> = { cookie }, given = code) => {
    const path = `/signed-in?code=${given}&next=%2Fkeys`
    return responseOf(await finishSignIn(portal, callAt(path, { 'user-agent': agent, ...headers })))
  }
  return { person, value, finish }
}

const audited = async (person: string) => [
  ...(await people.run<{ action: string; status: number; agent: string; address: string }>(sql`
    select action, status, agent, address from audit.entries
     where person = ${person} order by seq`)),
]

test('sign-in handoff: the browser keeps 256 random bits, and sends only their digest', () => {
  const started = responseOf(startSignIn(portal, callAt('/sign-in?next=%2Fkeys')))
  const value = cookiesOf(started)['__Host-portal_sign_in'] ?? ''
  expect(value).toMatch(/^[\w-]{43}$/)
  const digest = new Bun.CryptoHasher('sha256').update(value).digest('base64url')
  const location = locationOf(started)
  expect([started.status, location.origin, location.pathname]).toEqual([
    303,
    'https://auth.example.com',
    '/handoff',
  ])
  expect(Object.fromEntries(location.searchParams)).toEqual({
    to: 'portal',
    browser: digest,
    next: '/keys',
  })
})

test('sign-in handoff: a fresh second factor is required if the link or page needs one', () => {
  const isFresh = (path: string, needed?: boolean) =>
    locationOf(responseOf(startSignIn(portal, callAt(path), needed))).searchParams.get('fresh')
  expect(isFresh('/sign-in')).toBeNull()
  expect(isFresh('/sign-in?fresh=1')).toBe('1')
  expect(isFresh('/sign-in', true)).toBe('1')
  expect(isFresh('/sign-in?fresh=1', false)).toBeNull()
})

test('sign-in handoff: the code starts a session, and the person reaches the requested page', async () => {
  const { person, value, finish } = await comeBack('a'.repeat(300))
  for (const answer of [
    await finish({}),
    await finish({ cookie: `__Host-portal_sign_in=${'b'.repeat(43)}` }),
    await finish({ cookie: `__Host-portal_sign_in=${value}` }, 'A'.repeat(43)),
  ]) {
    expect([answer.status, await answer.text()]).toEqual([400, '/sign-in?next=%2Fkeys'])
  }
  const done = await finish()
  expect([done.status, locationOf(done).pathname]).toEqual([303, '/keys'])
  const cookies = cookiesOf(done)
  expect(cookies['__Host-portal_sign_in']).toBe('')
  const session = await portal.sessions.find(cookies['__Host-portal_session'] ?? '')
  expect(session?.person.id).toBe(person)
  expect(await audited(person)).toEqual([
    { action: 'portal.sign_in', status: 303, agent: 'a'.repeat(256), address: '203.0.113.7' },
  ])
})

test('sign-in handoff: two tabs of one browser can both finish', async () => {
  const finish = (tab: Tab, cookie: string, session: Session | null = null) => {
    const path = `/signed-in?code=${tab.code}&next=%2Fkeys`
    return finishSignIn(portal, { ...callAt(path, { cookie }), session })
  }
  const first = await startTab()
  const second = await startTab(first.cookie)
  expect(second.cookie).toBe(first.cookie)
  const done = responseOf(await finish(first, first.cookie))
  const token = cookiesOf(done)['__Host-portal_session'] ?? ''
  const session = await portal.sessions.find(token)
  expect(session?.person.id).toBe(first.person)
  // The first tab's response removed the cookie.
  const other = responseOf(await finish(second, `__Host-portal_session=${token}`, session))
  expect([other.status, locationOf(other).pathname, cookiesOf(other)]).toEqual([303, '/keys', {}])
})

test('sign-in handoff: a value that this origin could not have set is replaced', async () => {
  for (const planted of ['short', 'A'.repeat(44), '%41'.repeat(15), '']) {
    const { cookie } = await startTab(`__Host-portal_sign_in=${planted}`)
    expect(cookie).toMatch(/=[\w-]{43}$/)
  }
})

test('sign-in handoff: sign-out is complete and audited before the response is sent', async () => {
  const { person, finish } = await comeBack()
  const token = cookiesOf(await finish())['__Host-portal_session'] ?? ''
  const again = await comeBack()
  const other = cookiesOf(await again.finish())['__Host-portal_session'] ?? ''
  const leave = async ({ token, person: id }: { token: string; person: string }) => {
    const session = { id: 'tok_1', person: { id, email: '', name: '' }, secondFactorSeconds: 0 }
    const call = { ...callAt('/sign-out', { 'user-agent': 'Agent/1.0' }), session, token }
    return responseOf(await signOut(portal, call))
  }
  const answer = await withSlow(people, 'changed sessions', async () => {
    const left = await leave({ token, person })
    expect(await portal.sessions.find(token)).toBeNull()
    return left
  })
  expect([answer.status, locationOf(answer).pathname]).toEqual([303, '/signed-out'])
  expect(cookiesOf(answer)).toEqual({ '__Host-portal_session': '' })
  const rows = await withSlow(people, 'audit rows', async () => {
    await leave({ token: other, person: again.person })
    return audited(again.person)
  })
  expect(rows.at(-1)).toEqual({
    action: 'portal.sign_out',
    status: 303,
    agent: 'Agent/1.0',
    address: '203.0.113.7',
  })
})
