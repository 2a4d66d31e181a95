// Tests waiting work: counts for each role, a patient in the video room, and a page's automatic
// requests, which don't extend an idle session.
import { beforeAll, expect, test } from 'bun:test'
import { newId } from '#auth/ids.ts'
import { openOrganization } from '#auth/integrations.ts'
import { queryAsOwner } from '#clinical/testing/assertions.ts'
import { invokeOk, queuedCase, rivera } from '#clinical/testing/call.ts'
import { bookedLiveVisit } from '#clinical/testing/clinicians.ts'
import { sql, type Statement } from '#database/sql.ts'
import { useConsolePages } from './testing/console.ts'

const pages = useConsolePages()
const states = [rivera.address.state]
const run = (statement: Statement) => queryAsOwner(pages.fixtures, statement)
let visit = ''
let elsewhere = ''

beforeAll(async () => {
  const { fixtures } = pages
  const as = fixtures.ada.live
  const { patient } = await queuedCase(fixtures, as)
  await queuedCase(fixtures, as)
  visit = (await bookedLiveVisit(fixtures, { as, patient, state: rivera.address.state })).id
  elsewhere = await fixtures.owner.use(one => openOrganization(one, 'Another Clinic', 'another'))
  await run(sql`
    insert into auth.grants (id, integration, organization, mode, scopes, status, requested_scopes, lapses_at)
    values (${newId('grant')}, ${fixtures.ben.integration}, ${elsewhere}, 'live', '{}', 'pending',
            '{cases:read}', now() + interval '1 day')`)
})

/** The counts that the navigation shows. */
const countsIn = (html: string) => {
  const [, side = ''] = html.split('<aside class="side">')
  return Object.fromEntries(
    [...(side.split('</aside>')[0] ?? '').matchAll(/data-count="(\w+)">(\d+\+?)</g)].map(
      ([, id = '', count = '']) => [id, count],
    ),
  )
}

type SignedIn = Parameters<typeof pages.signIn>[0]
const counts = async (given: SignedIn) => {
  const { browser, home } = await pages.signIn(given)
  return countsIn((await browser.get(`${home}/work`)).text)
}

test('each role counts its own work at its own clinic', async () => {
  expect(await counts({ roles: ['nurse'] })).toEqual({ queue: '2' })
  expect(await counts({ roles: ['clinician'], states })).toEqual({ queue: '2' })
  // Patients the clinician may not treat aren't their work.
  expect(await counts({ roles: ['clinician'], states: ['WY'] })).toEqual({})
  expect(await counts({ roles: ['auditor'] })).toEqual({})
  expect(await counts({ roles: ['nurse'], organization: elsewhere })).toEqual({})
  expect(await counts({ roles: ['admin'], organization: elsewhere })).toEqual({ grants: '1' })
  expect(await counts({ roles: ['admin'] })).toEqual({})
})

test('a title begins with the number of waiting items', async () => {
  const { browser, home } = await pages.signIn({ roles: ['nurse'] })
  expect((await browser.get(`${home}/visits`)).text).toContain('<title>(2) Visits ·')
})

test('only the visit’s clinician sees on every page that a patient is in the video room', async () => {
  const { browser, home, person } = await pages.signIn({ roles: ['clinician'], states })
  const other = await pages.signIn({ roles: ['clinician'], states })
  await run(sql`update live.visits set clinician = ${person} where id = ${visit}`)
  const isAnnounced = async (by = browser) => {
    const texts = [await by.get(`${home}/queue`), await by.get(`${home}/schedule`)]
    return texts.map(({ text }) => text.includes('A patient is waiting for your'))
  }
  expect(await isAnnounced()).toEqual([false, false])
  const sit = (seat: string) => sql`
    insert into live.room_seats (tenant, visit, seat, connection)
    select tenant, id, ${seat}, ${seat} from live.visits where id = ${visit}`
  await run(sit('patient'))
  expect(await isAnnounced()).toEqual([true, true])
  expect(await isAnnounced(other.browser)).toEqual([false, false])
  // A second window would take over the visit.
  const room = async () => (await browser.get(`${home}/visits/${visit}/join`)).text
  expect(await room()).toContain('The video room is open from')
  await run(sql`update live.visits set starts_at = now(), ends_at = now() + interval '1 hour'
                 where id = ${visit}`)
  expect(await room()).toContain('<iframe class="visit-room"')
  expect(await room()).not.toContain('Open video room')
  await run(sit('clinician'))
  expect(await isAnnounced()).toEqual([false, false])
  await run(sql`delete from live.room_seats where visit = ${visit}`)
})

test('unanswered messages are counted for those who can answer, and change the mark of cases', async () => {
  const { browser, home } = await pages.signIn({ roles: ['nurse'] })
  const reader = await pages.signIn({ roles: ['records'] })
  const mark = async () =>
    /id="work"[^>]*data-mark="([^"]*)"/.exec((await browser.get(`${home}/messages`)).text)?.[1]
  const before = await mark()
  const as = pages.fixtures.ada.live
  const { id } = await queuedCase(pages.fixtures, as)
  const queued = await mark()
  const message = { as, id, body: { body: 'My face is swelling.', author: 'patient' } }
  await invokeOk(pages.fixtures, 'createMessage', message)
  expect(new Set([before, queued, await mark()]).size).toBe(3)
  expect(await counts({ roles: ['clinician'], states: ['WY'] })).toEqual({ messages: '1' })
  expect(await counts({ roles: ['nurse'], organization: elsewhere })).toEqual({})
  const chart = `${home}/cases/${id}`
  for (const one of [reader, { browser, home }]) {
    expect((await one.browser.get(`${home}/messages`)).text).toContain(`${chart}#messages"`)
  }
  expect((await reader.browser.get(chart)).text).not.toContain('No reply needed')
  expect((await browser.get(chart)).text).toContain('No reply needed')
  await browser.submit(`${chart}/messages/dismiss`, {})
  expect(browser.page.text).toContain('Marked as needing no reply.')
  expect(browser.page.text).not.toContain('No reply needed')
  expect((await browser.get(`${home}/messages`)).text).toContain('No unanswered messages')
})

test('a list’s mark changes only if the list changed', async () => {
  const { browser, home } = await pages.signIn({ roles: ['nurse'] })
  const mark = async (path: string) =>
    /id="work"[^>]*data-mark="([^"]*)"/.exec((await browser.get(`${home}${path}`)).text)?.[1]
  const first = await mark('/queue')
  expect(first).toBeString()
  expect([await mark('/queue'), await mark('/work?of=queue')]).toEqual([first, first])
  await queuedCase(pages.fixtures, pages.fixtures.ada.live)
  expect(await mark('/work?of=queue')).not.toBe(first)
})

test('a page’s automatic requests don’t extend the session', async () => {
  const { browser, home, person } = await pages.signIn({ roles: ['nurse'], idleSeconds: 14 * 60 })
  const used = async () => {
    const [row] = await queryAsOwner<{ at: string }>(
      pages.fixtures,
      sql`select last_used_at::text as at from auth.credentials where person = ${person}`,
    )
    return row?.at
  }
  const before = await used()
  const answer = await browser.send(`${home}/queue`, { headers: { 'x-refresh': '1' } })
  expect([answer.status, await used()]).toEqual([200, before])
  await browser.get(`${home}/queue`)
  expect(await used()).not.toBe(before)
})

test('the note that no case is left stays until the list refreshes, also if colleagues have them', async () => {
  const { browser, home } = await pages.signIn({ states })
  const path = `${home}/queue?done=empty`
  expect((await browser.get(path)).text).toContain('No cases left to take.')
  const refreshed = await browser.send(path, { headers: { 'x-refresh': '1' } })
  expect(await refreshed.text()).not.toContain('No cases left')
})

test('once the session has ended, a search leads the whole page to sign-in', async () => {
  const { browser, home } = await pages.signIn({ roles: ['nurse'], idleSeconds: 16 * 60 })
  const path = `${home}/patients?q=rivera`
  const search = await browser.send(path, { headers: { 'hx-request': 'true' } })
  expect(search.headers.get('hx-redirect')).toContain(encodeURIComponent(path))
  // An automatic request leaves the page as it is.
  const headers = { 'hx-request': 'true', 'x-refresh': '1' }
  const automatic = await browser.send(path, { headers })
  expect([automatic.status, automatic.headers.get('hx-redirect')]).toEqual([303, null])
})
