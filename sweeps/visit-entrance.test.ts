// The entrance to a live visit: a patient's link asks for the date of birth, then works in only one
// browser.
import { afterAll, beforeAll, expect, test } from 'bun:test'
import { invokeOk, rivera } from '#clinical/testing/call.ts'
import { emptySeatsJob } from '#clinical/rooms/empty-seats-job.ts'
import { bookedLiveVisit } from '#clinical/testing/clinicians.ts'
import { patientIn } from '#clinical/testing/visits.ts'
import { limits } from '#contract/limits.ts'
import { sql } from '#database/sql.ts'
import { openTestGateway } from '#gateway/testing/gateway.ts'

let gateway: Awaited<ReturnType<typeof openTestGateway>>
let visit: { id: string; starts_at: string; patient: string }
beforeAll(async () => {
  gateway = await openTestGateway()
  const { fixtures } = gateway
  const as = fixtures.ada.live
  const patient = await patientIn(fixtures, 'CA', as)
  visit = { ...(await bookedLiveVisit(fixtures, { as, patient, state: 'CA' })), patient }
})
afterAll(() => gateway.close())

const minute = 60_000
let links = 0

/** A new link, created twenty minutes before the start. */
async function link(): Promise<{ path: string; at: number }> {
  const at = Date.parse(visit.starts_at) - 20 * minute + links++
  const as = gateway.fixtures.ada.live
  const { url } = await invokeOk(gateway.fixtures, 'getJoinLink', { as, id: visit.id, at })
  gateway.at(at)
  return { path: new URL(url).pathname, at }
}

/** One browser, with its cookie. */
function browser() {
  let cookie = ''
  const send = async (path: string, init: RequestInit = {}) => {
    const headers = { ...(cookie && { cookie }), ...(init.headers as Record<string, string>) }
    const sent = { redirect: 'manual', ...init, headers, as: null } as const
    const response = await gateway.call(path, sent)
    cookie = response.headers.getSetCookie()[0]?.split(';')[0] ?? cookie
    return { status: response.status, headers: response.headers, text: await response.text() }
  }
  return {
    open: (path: string) => send(path),
    cookie: () => cookie,
    enter: (
      path: string,
      date: string,
      headers = { 'sec-fetch-site': 'same-origin' } as object,
    ) => {
      const [year = '', month = '', day = ''] = date.split('-')
      const body = new URLSearchParams({ year, month, day })
      return send(path, { method: 'POST', body, headers: headers as Record<string, string> })
    },
  }
}

const right = rivera.date_of_birth
const wrong = '1970-01-01'
const heading = (text: string) => /<h1>([^<]*)/.exec(text)?.[1]
const isRoom = (text: string) => text.includes('data-ticket=')
const inRoom = 'You’re in the right place'
const spent = 'This link no longer works'
const taken = 'This link was opened in another browser'

test('the entrance asks for the date of birth, and shows nothing about the visit or the patient', async () => {
  const { path } = await link()
  const { status, headers, text } = await browser().open(path)
  expect([status, heading(text)]).toEqual([200, 'Confirm it’s you'])
  const values = Object.values(rivera).filter(one => typeof one === 'string')
  for (const value of [
    ...values,
    visit.patient,
    visit.id,
    'Dr. ',
    '<time',
    'data-ticket',
    '<script',
  ]) {
    expect([value, text.includes(value)]).toEqual([value, false])
  }
  expect(headers.get('content-security-policy')).toContain("form-action 'self'")
  expect(headers.get('permissions-policy')).toBe('camera=(), microphone=()')
  expect(headers.getSetCookie()).toEqual([])
})

test('the first browser with the right date keeps the link; another is refused, and enters with a new link', async () => {
  const { path, at } = await link()
  const [first, second] = [browser(), browser()]
  const entered = await first.enter(path, right)
  expect([entered.status, entered.headers.get('location')]).toEqual([303, path])
  expect(entered.headers.getSetCookie()).toEqual([
    expect.stringMatching(/^visit_browser=[\w-]{43}; Path=\/; HttpOnly; SameSite=Lax$/),
  ])
  const page = await first.open(path)
  expect([page.status, heading(page.text), isRoom(page.text)]).toEqual([200, inRoom, true])
  expect(page.text).not.toContain(first.cookie().split('=')[1] ?? '')
  await second.enter(path, right)
  const refused = await second.open(path)
  expect([refused.status, heading(refused.text), second.cookie()]).toEqual([403, taken, ''])
  expect(refused.text).toContain('open a new one here')
  const next = await link()
  await second.enter(next.path, right)
  expect(isRoom((await second.open(next.path)).text)).toBe(true)
  // After fifteen minutes, no one can enter by the link, but anyone already in may reload the page.
  const later = await link()
  gateway.at(at + limits.joinLinkMinutes * minute + 100)
  expect((await browser().open(later.path)).status).toBe(410)
  expect((await browser().enter(later.path, right)).status).toBe(410)
  expect(isRoom((await first.open(path)).text)).toBe(true)
})

test('three wrong dates close a link, even to the right date; an invalid date doesn’t count', async () => {
  const { path } = await link()
  const person = browser()
  for (const none of ['1990-13-01', '90-04-02', '--', '1990-02-30']) {
    const { status, text } = await person.enter(path, none)
    expect([none, status, text.includes('role="alert"')]).toEqual([none, 422, true])
  }
  for (const left of ['2 more tries', 'one more try']) {
    expect((await person.enter(path, wrong)).status).toBe(303)
    expect((await person.open(path)).text).toContain(`You have ${left}.`)
  }
  await person.enter(path, wrong)
  for (const date of [right, wrong]) {
    expect((await person.enter(path, date)).status).toBe(403)
    const { status, text } = await browser().open(path)
    expect([status, heading(text)]).toEqual([403, spent])
  }
  expect(person.cookie()).toBe('')
  const next = await link()
  await person.enter(next.path, right)
  expect(isRoom((await person.open(next.path)).text)).toBe(true)
})

test('browsers that enter concurrently: one gets the link, and wrong dates never exceed the limit', async () => {
  const [one, other] = [await link(), await link()]
  const many = Array.from({ length: 8 }, browser)
  await Promise.all(many.map(each => each.enter(one.path, right)))
  expect(many.filter(each => each.cookie() !== '')).toHaveLength(1)
  const pages = await Promise.all(many.map(each => each.open(one.path)))
  expect(pages.filter(({ text }) => isRoom(text))).toHaveLength(1)
  const audited = async () => {
    const rows = await gateway.fixtures.owner.use(connection =>
      connection.run<{ code: string }>(sql`
        select code from audit.entries where action = 'enterVisit' and code = 'wrong_date_of_birth'`),
    )
    return rows.length
  }
  const before = await audited()
  await Promise.all(many.map(each => each.enter(other.path, wrong)))
  expect((await audited()) - before).toBe(limits.joinTriesMax)
  expect(heading((await browser().open(other.path)).text)).toBe(spent)
})

test('another site’s form enters nothing and doesn’t count as an attempt', async () => {
  const { path } = await link()
  const person = browser()
  for (const headers of [
    { 'sec-fetch-site': 'cross-site', origin: 'https://attacker.example' },
    { origin: 'null' },
    {},
  ]) {
    expect((await person.enter(path, right, headers)).status).toBe(403)
  }
  expect((await person.open(path)).text).not.toContain('role="alert"')
  expect(person.cookie()).toBe('')
})

test('the clinician’s link asks nothing, and works in the browser that opened it', async () => {
  const { tokens } = gateway.fixtures.context.files
  const { path, at } = await link()
  const opened = tokens.open(path.split('/').at(-1) ?? '')
  if (opened?.kind !== 'join') throw new Error('the join link contains no join ticket')
  const own = { ...opened, seat: 'clinician', expires: at + 5 * minute } as const
  const theirs = `/visits/join/${tokens.encrypt(own)}`
  const many = Array.from({ length: 8 }, browser)
  const opens = await Promise.all(many.map(async each => isRoom((await each.open(theirs)).text)))
  expect(opens.filter(Boolean)).toHaveLength(1)
  const [clinician = browser(), other] = [many[opens.indexOf(true)], browser()]
  expect(isRoom((await clinician.open(theirs)).text)).toBe(true)
  expect((await other.open(theirs)).status).toBe(403)
  const posted = await other.enter(theirs, right)
  expect([posted.status, posted.headers.get('allow')]).toEqual([405, 'GET, HEAD'])
})

test('the audit log has each attempt: wrong dates, the successful one, and refused links', async () => {
  const { path } = await link()
  const [person, other] = [browser(), browser()]
  const [{ n: before = 0 } = {}] = await gateway.fixtures.owner.use(connection =>
    connection.run<{ n: number }>(sql`select max(seq)::float8 as n from audit.entries`),
  )
  await person.enter(path, wrong)
  await person.enter(path, right)
  await other.open(path)
  const rows = await gateway.fixtures.owner.use(connection =>
    connection.run(sql`
      select action, target, outcome, status::int, code from audit.entries
       where seq > ${before}::bigint order by seq`),
  )
  expect([...rows]).toEqual([
    {
      action: 'enterVisit',
      target: visit.id,
      outcome: 'refused',
      status: 403,
      code: 'wrong_date_of_birth',
    },
    { action: 'enterVisit', target: visit.id, outcome: 'ok', status: 200, code: null },
    {
      action: 'openWaitingRoom',
      target: visit.id,
      outcome: 'refused',
      status: 403,
      code: 'link_taken',
    },
  ])
})

test('an entrance’s stored and audited rows contain no date, link or cookie', async () => {
  const { path } = await link()
  const person = browser()
  await person.enter(path, right)
  const rows = await gateway.fixtures.owner.use(connection =>
    connection.run<{ text: string }>(sql`
      select e::text as text from live.visit_entrances e
      union all select e::text from audit.entries e where action = 'enterVisit'`),
  )
  const text = rows.map(row => row.text).join('\n')
  expect(text).toContain('enterVisit')
  const ticket = path.split('/').at(-1) ?? ''
  for (const secret of [right, wrong, ticket, person.cookie().split('=')[1] ?? '']) {
    expect([secret, text.includes(secret)]).toEqual([secret, false])
  }
})

test('a worker deletes a link a day after it was used, in both modes', async () => {
  const { fixtures } = gateway
  const run = <R extends { n: number }>(statement: ReturnType<typeof sql>) =>
    fixtures.owner.use(connection => connection.run<R>(statement))
  await run(sql`
    insert into test.visit_entrances (tenant, link, used_at)
    values (1, 'old', now() - interval '25 hours'), (1, 'new', now())`)
  await run(sql`update live.visit_entrances set used_at = now() - interval '25 hours'`)
  await emptySeatsJob.run(fixtures.workerContext, ['live', 'test'], () => null)
  const links = await run<{ n: number; link: string }>(sql`
    select link, 1 as n from test.visit_entrances where link in ('old', 'new')
    union all select link, 1 from live.visit_entrances`)
  expect(links.map(({ link }) => link)).toEqual(['new'])
})
