// An answer comes after what it says is stored: what is read next, by whichever gateway, shows it.
import { expect, test } from 'bun:test'
import { sql } from '#database/sql.ts'
import { openAuthenticator, optionsIn } from '../testing/authenticator.ts'
import type { TestBrowser } from '../testing/browser.ts'
import { beginDevice, registerClient } from '../testing/clients.ts'
import { decideRequest, enterCode } from '../testing/devices.ts'
import { usePages } from '../testing/pages.ts'
import { password } from '../testing/people.ts'
import { recoveriesOf } from '../testing/recoveries.ts'
import { enterPassword, holdDelays, signIn } from '../testing/sign-in.ts'
import { withSlow } from '../testing/slow-writes.ts'

const setup = await usePages()
const { people, pages, newBrowser, openMember, moveToNewNetwork } = setup
const { begun, openRecovery } = recoveriesOf(setup)

type Work = () => Promise<Response>
const newPassword = 'a river, a lamp, two geese'

async function openAt(path: string) {
  moveToNewNetwork()
  const browser = newBrowser()
  await browser.get(path)
  return browser
}

async function openSignedIn(path = '/account') {
  const { person, browser } = await openMember()
  await signIn(browser, people, person)
  await browser.get(path)
  return { person, browser }
}

async function atCode() {
  const { person, browser } = await openMember()
  await enterPassword(browser, person)
  return { person, browser }
}

async function withPassword(given: string): Promise<Work> {
  const { email } = await people.addPerson()
  const browser = await openAt('/sign-in')
  return () => browser.post('/sign-in', { email, password: given })
}

async function tooEarly(): Promise<Work> {
  const { email } = await people.addPerson()
  const browser = await openAt('/sign-in')
  for (let at = 0; at < 5; at++) await browser.post('/sign-in', { email, password: 'wrong' })
  await holdDelays(people)
  return () => browser.post('/sign-in', { email, password })
}

async function withCode(isRight: boolean): Promise<Work> {
  const { person, browser } = await atCode()
  const code = isRight ? people.clock.nextCode(person) : people.clock.wrongCode(person)
  return () => browser.post('/sign-in/code', { code })
}

async function endingAccess(): Promise<Work> {
  const { browser } = await openSignedIn()
  const client = await registerClient(pages.origin)
  const device = await beginDevice(client, { resource: pages.resources.api })
  await enterCode(browser, device.userCode)
  await decideRequest(browser, { decide: 'approve' })
  await device.poll()
  await browser.get('/')
  return () => browser.post('/access/end')
}

async function endingSession(): Promise<Work> {
  const { person, browser } = await openSignedIn()
  await signIn(newBrowser(), people, person)
  await browser.get('/account')
  return () => browser.post('/sessions/end')
}

async function stoppingRecovery(): Promise<Work> {
  const { person, browser } = await openMember()
  await begun(person)
  await signIn(browser, people, person)
  await browser.get('/account')
  return () => browser.post('/recover/stop')
}

const from = async (path: string, values?: Record<string, string>): Promise<Work> => {
  const browser = await openAt(path)
  return () => browser.post(path, values)
}

const fromSignedIn = async (path: string): Promise<Work> => {
  const { browser } = await openSignedIn(path)
  return () => browser.post(path)
}

const audited: [name: string, prepare: () => Promise<Work>][] = [
  ['a wrong password', () => withPassword('wrong')],
  ['a right password', () => withPassword(password)],
  ['a password that came too early', tooEarly],
  ['a wrong code', () => withCode(false)],
  ['a right code', () => withCode(true)],
  ['signing out', () => fromSignedIn('/sign-out')],
  ['new recovery codes', () => fromSignedIn('/recovery-codes')],
  ['the end of an access', endingAccess],
  ['the end of a session', endingSession],
  ['stopping a recovery', stoppingRecovery],
  ['signing up', () => from('/sign-up', { email: 'newcomer@example.com', name: 'Ada' })],
  ['asking for a recovery', () => from('/recover', { email: 'unknown@example.com' })],
]

test.each(audited)('the audit row of %s is stored before the answer', async (_, prepare) => {
  const rows = async () => {
    const [row] = await people.run<{ count: number }>(
      sql`select count(*)::int as count from audit.entries`,
    )
    return row?.count ?? 0
  }
  const work = await prepare()
  const before = await rows()
  const after = await withSlow(people, 'audit rows', async () => {
    await work()
    return rows()
  })
  expect(after - before).toBe(1)
})

/** With no failure so far, what is left of those before a success when it is answered. */
async function leftAfter(works: readonly Work[]) {
  await people.run(sql`delete from auth.failed_attempts`)
  const last = works.at(-1)
  for (const work of works.slice(0, -1)) await work()
  const rows = await withSlow(people, 'failed attempts', async () => {
    await last?.()
    return people.run<{ kind: string; count: number }>(
      sql`select kind, count from auth.failed_attempts order by kind`,
    )
  })
  return rows.map(({ kind, count }) => [kind, count])
}

const times = (count: number, work: Work) => Array.from({ length: count }, () => work)

test('failures: a right password forgets those of the address, and none of the network', async () => {
  const { email } = await people.addPerson()
  const browser = await openAt('/sign-in')
  const enter = (given: string) => () => browser.post('/sign-in', { email, password: given })
  expect(await leftAfter([...times(2, enter('wrong')), enter(password)])).toEqual([
    ['sign_in_network', 2],
  ])
})

test('failures: a right code forgets the wrong ones, at sign-in and at a recovery', async () => {
  const { person, browser } = await atCode()
  const enter = (code: string) => () => browser.post('/sign-in/code', { code })
  const right = people.clock.nextCode(person)
  const wrong = people.clock.wrongCode(person)
  expect(await leftAfter([...times(2, enter(wrong)), enter(right)])).toEqual([])
  const recovery = await openRecovery(person)
  const recover = (code: string) => () =>
    recovery.browser.post('/recover/account', { decide: 'code', code, password: newPassword })
  const next = people.clock.nextCode(person)
  const other = people.clock.wrongCode(person)
  expect(await leftAfter([...times(2, recover(other)), recover(next)])).toEqual([])
})

test('failures: the right current password forgets the wrong ones', async () => {
  const { browser } = await openSignedIn('/password')
  const change = (current: string) => () =>
    browser.post('/password', { current, password: newPassword })
  expect(await leftAfter([...times(2, change('wrong')), change(password)])).toEqual([])
})

const byPasskey = (browser: TestBrowser, answer: string) => () =>
  browser.post('/sign-in/passkey', { answer })

test('failures: a passkey forgets none of the network but itself', async () => {
  const { browser } = await openSignedIn('/passkeys')
  const authenticator = openAuthenticator(pages.origin)
  const answer = authenticator.create(optionsIn(browser.page.text))
  await browser.submit('/passkeys', { name: 'A phone', answer })
  const other = await openAt('/sign-in')
  const right = authenticator.get(optionsIn(other.page.text))
  expect(await leftAfter([byPasskey(other, '{}'), byPasskey(other, right)])).toEqual([
    ['sign_in_network', 1],
  ])
})

test('failures: a right code of a device forgets itself alone, in its session and its network', async () => {
  const { browser } = await openSignedIn('/device')
  const client = await registerClient(pages.origin)
  const { userCode } = await beginDevice(client, { resource: pages.resources.api })
  const enter = (code: string) => () => browser.post('/device', { user_code: code })
  expect(await leftAfter([enter('BCDF-GHJK'), enter(userCode)])).toEqual([
    ['device_code', 1],
    ['device_code_network', 1],
  ])
})

test('failures: an email is counted before its page is shown', async () => {
  const browser = await openAt('/recover')
  const ask = () => browser.post('/recover', { email: 'unknown@example.com' })
  expect(await leftAfter([ask, ask])).toEqual([['email_network', 2]])
})

test('sessions: what ends one has ended it before the answer', async () => {
  const { person, browser } = await openSignedIn('/sign-out')
  const [ended] = await withSlow(people, 'changed sessions', async () => {
    await browser.post('/sign-out')
    return people.run<{ open: number }>(sql`
      select count(*)::int as open from auth.credentials
       where person = ${person.id} and revoked_at is null`)
  })
  expect(ended?.open).toBe(0)
  const other = await openSignedIn('/device')
  const enter = () => other.browser.post('/device', { user_code: 'BCDF-GHJK' })
  for (let at = 0; at < 5; at++) await enter()
  const [factors] = await withSlow(people, 'changed sessions', async () => {
    await enter()
    return people.run<{ proven: number }>(sql`
      select count(second_factor_at)::int as proven from auth.credentials
       where person = ${other.person.id} and revoked_at is null`)
  })
  expect(factors?.proven).toBe(0)
})
