// The waiting room page: opens links from the API like a patient's browser.
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'bun:test'
import { invokeOk, rivera } from '#clinical/testing/call.ts'
import { bookedVisit, freeStarts, joinTimeOf, type Visit } from '#clinical/testing/visits.ts'
import { sql } from '#database/sql.ts'
import { createLog } from '#http/log.ts'
import { openTestGateway } from '#gateway/testing/gateway.ts'

let gateway: Awaited<ReturnType<typeof openTestGateway>>
beforeAll(async () => {
  gateway = await openTestGateway()
})
afterAll(() => gateway.close())
beforeEach(() => {
  gateway.at(undefined)
  gateway.lines.length = 0
})

/** A link to a new visit. The link is created this many minutes after the visit's start. */
async function linkTo(minutes = -20): Promise<{ path: string; visit: Visit; at: number }> {
  const visit = await bookedVisit(gateway.fixtures)
  const at = joinTimeOf(visit) + minutes * 60_000
  const { url } = await invokeOk(gateway.fixtures, 'getJoinLink', { id: visit.id, at })
  gateway.at(at)
  return { path: new URL(url).pathname, visit, at }
}

/** One browser's cookies. */
type Browser = { cookie: string }
const ours: Browser = { cookie: '' }

const open = async (path: string, init: RequestInit = {}, browser = ours) => {
  const headers = { ...init.headers, ...(browser.cookie && { cookie: browser.cookie }) }
  const response = await gateway.call(path, { redirect: 'manual', ...init, headers, as: null })
  const [set] = response.headers.getSetCookie()
  if (set !== undefined) browser.cookie = set.split(';')[0] ?? ''
  return { response, text: await response.text() }
}

describe('200', () => {
  test('shows who is expected, the time in the visit’s time zone, and that it is a sandbox visit', async () => {
    const { path, visit } = await linkTo()
    const { response, text } = await open(path)
    expect(response.status).toBe(200)
    expect(text).toContain('Sandbox Clinician, MD')
    expect(text).toContain('starts in 20 minutes')
    expect(text).toContain('sandbox visit')
    expect(text).toContain(visit.id)
    const local = new Intl.DateTimeFormat('en-US', {
      timeZone: visit.time_zone,
      hour: 'numeric',
      minute: '2-digit',
    }).format(Date.parse(visit.starts_at))
    expect(text).toContain(`<dd>${local}, `)
    expect(text).toContain(`<time datetime="${visit.starts_at}">`)
  })

  test('contains no patient data', async () => {
    const { path, visit } = await linkTo()
    const { text } = await open(path)
    const values = [...Object.values(rivera).filter(one => typeof one === 'string'), visit.patient]
    for (const value of values) expect(text).not.toContain(value)
  })

  test('is not cached, indexed, framed or sent to others as a referrer, and has no scripts', async () => {
    const { path } = await linkTo()
    const { response, text } = await open(path)
    expect(Object.fromEntries(response.headers)).toMatchObject({
      'content-type': 'text/html; charset=utf-8',
      'cache-control': 'no-store',
      'referrer-policy': 'same-origin',
      'x-robots-tag': 'noindex, nofollow, noarchive',
      'x-frame-options': 'DENY',
      'x-content-type-options': 'nosniff',
    })
    const policy = response.headers.get('content-security-policy') ?? ''
    expect(policy).toMatch(
      /^default-src 'none'; style-src 'sha256-[^']+';.*frame-ancestors 'none'$/,
    )
    expect(text).not.toMatch(/<script|<img|<link|src=|https?:/)
    const style = /<style>([^]*)<\/style>/.exec(text)?.[1] ?? ''
    const hash = new Bun.CryptoHasher('sha256').update(style).digest('base64')
    expect(policy).toContain(`'sha256-${hash}'`)
  })

  test('the same link shows each visit status', async () => {
    const { path, visit, at } = await linkTo()
    const { id } = visit
    const seen = async () => /<h1>([^<]*)/.exec((await open(path)).text)?.[1]
    expect(await seen()).toBe('You’re in the right place')
    gateway.at(at + 10 * 60_000)
    await invokeOk(gateway.fixtures, 'startVisit', { id })
    expect(await seen()).toBe('Your visit has started')
    await invokeOk(gateway.fixtures, 'completeVisit', { id })
    expect(await seen()).toBe('Your visit is over')
    for (const [move, title] of [
      ['cancelVisit', 'This visit was canceled'],
      ['noShowVisit', 'You missed this visit'],
    ] as const) {
      const other = await linkTo()
      await invokeOk(gateway.fixtures, move, { id: other.visit.id })
      expect((await open(other.path)).text).toContain(title)
    }
    const moved = await linkTo()
    const starts_at = (await freeStarts(gateway.fixtures, moved.visit.state)).at(-1) ?? ''
    await invokeOk(gateway.fixtures, 'rescheduleVisit', { id: moved.visit.id, body: { starts_at } })
    const { text } = await open(moved.path)
    expect(text).toContain('<h1>This visit was rescheduled')
    expect(text).toContain(`<time datetime="${starts_at}">`)
    expect(text).not.toMatch(/Refresh|This page works/)
    const late = await linkTo(5)
    expect((await open(late.path)).text).toContain('will be with you soon')
  })

  test('HEAD has the headers of GET and no body', async () => {
    const { path } = await linkTo()
    const [get, head] = [await open(path), await open(path, { method: 'HEAD' })]
    expect([head.response.status, head.text]).toEqual([200, ''])
    expect(head.response.headers.get('content-length')).toBe(`${Buffer.byteLength(get.text)}`)
  })

  test('writes an audit row, and the link is in no log or table', async () => {
    const { path, visit } = await linkTo()
    const { response } = await open(path)
    const ticket = path.split('/').at(-1) ?? ''
    const rows = await gateway.fixtures.owner.use(connection =>
      connection.run(sql`
        select action, surface, target, actor, request from audit.entries
         where action = 'openWaitingRoom' and target = ${visit.id}`),
    )
    expect([...rows]).toEqual([
      {
        action: 'openWaitingRoom',
        surface: 'page',
        target: visit.id,
        actor: null,
        request: response.headers.get('request-id'),
      },
    ])
    let written = ''
    const log = createLog('json', text => (written += text))
    for (const line of gateway.lines) log.request(line)
    log.flush()
    expect(written).toContain('/visits/join/{ticket}')
    expect(written).not.toContain(ticket.slice(0, 20))
    const stored = await gateway.fixtures.owner.use(connection =>
      connection.run<{ n: number }>(sql`
        select (select count(*) from test.idempotency_keys where answer like '%visits/join%')::int
             + (select count(*) from audit.entries e where e::text like '%visits/join%')::int as n`),
    )
    expect(stored[0]?.n).toBe(0)
  })
})

test('waiting room: 405 for methods other than GET and HEAD', async () => {
  const { path } = await linkTo()
  const { response } = await open(path, { method: 'POST', body: 'x=1' })
  expect([response.status, response.headers.get('allow')]).toEqual([405, 'GET, HEAD'])
})

describe('waiting room: 410', () => {
  test('a link expires after fifteen minutes', async () => {
    const { path, at } = await linkTo()
    gateway.at(at + 15 * 60_000 - 1)
    expect((await open(path)).response.status).toBe(200)
    gateway.at(at + 15 * 60_000)
    const { response, text } = await open(path, {}, { cookie: '' })
    expect(response.status).toBe(410)
    expect(text).toContain('This link has expired')
    expect(text).not.toMatch(/vis_|Sandbox Clinician/)
    expect(response.headers.get('cache-control')).toBe('no-store')
  })
})

test('waiting room: 403 in a second browser; the one that opened the link continues', async () => {
  const { path, at, visit } = await linkTo()
  const [one, other]: Browser[] = [{ cookie: '' }, { cookie: '' }]
  // HEAD, which link-preview programs send, doesn't bind the link to a browser.
  await open(path, { method: 'HEAD' }, other)
  expect(other?.cookie).toBe('')
  expect((await open(path, {}, one)).response.status).toBe(200)
  const refused = await open(path, {}, other)
  expect([refused.response.status, other?.cookie]).toEqual([403, ''])
  expect(refused.text).toContain('open a new one here')
  expect(refused.text).not.toMatch(/vis_|Sandbox Clinician/)
  const again = await invokeOk(gateway.fixtures, 'getJoinLink', { id: visit.id, at: at + 1 })
  expect((await open(new URL(again.url).pathname, {}, other)).response.status).toBe(200)
  // The bound browser can return until the visit closes, an hour after its start.
  const closes = joinTimeOf(visit) + 60 * 60_000
  gateway.at(closes)
  expect((await open(path, {}, one)).response.status).toBe(200)
  gateway.at(closes + 1)
  const { response, text } = await open(path, {}, one)
  expect(response.status).toBe(410)
  expect(text).toContain('<h1>This visit has closed')
  expect(text).not.toMatch(/new link|still booked/)
})

describe('waiting room: 404', () => {
  test('a changed, truncated or extended link, or a token for another purpose', async () => {
    const { path } = await linkTo()
    const ticket = path.split('/').at(-1) ?? ''
    const upload = gateway.fixtures.context.files.tokens.encrypt({
      kind: 'upload',
      mode: 'test',
      tenant: '1',
      object: 'x',
    })
    const forged = Buffer.from('{"kind":"join","mode":"test","tenant":"1"}')
    const changed = Array.from({ length: 24 }, (_, at) => {
      const place = Math.floor((at * ticket.length) / 24)
      const other = ticket[place] === 'A' ? 'B' : 'A'
      return ticket.slice(0, place) + other + ticket.slice(place + 1)
    })
    const all = [
      ...changed,
      upload,
      forged.toString('base64url'),
      ticket.slice(0, -1),
      ticket.slice(1),
      ticket + ticket,
      ...['A', '=', '.', '%2E', '%00'].map(more => ticket + more),
      'x',
      '%00',
    ]
    for (const one of all) {
      const { response, text: page } = await open(`/visits/join/${one}`)
      expect([one, response.status]).toEqual([one, 404])
      expect(page).toContain('This link isn’t valid')
    }
  })

  test('a visit that a sandbox reset deleted', async () => {
    const visit = await bookedVisit(gateway.fixtures, gateway.fixtures.ben.test)
    const at = joinTimeOf(visit)
    const as = gateway.fixtures.ben.test
    const { url } = await invokeOk(gateway.fixtures, 'getJoinLink', { as, id: visit.id, at })
    gateway.at(at)
    const { pathname } = new URL(url)
    expect((await open(pathname)).response.status).toBe(200)
    await invokeOk(gateway.fixtures, 'resetSandbox', { as })
    expect((await open(pathname)).response.status).toBe(404)
  })
})

test('waiting room: 503 page without the database, exposing no internals', async () => {
  const { path } = await linkTo()
  gateway.breaks(new Error('the secret of the server'))
  const { response, text } = await open(path)
  gateway.breaks(undefined)
  expect([response.status, response.headers.get('retry-after')]).toEqual([503, '5'])
  expect(text).toContain('is unavailable')
  expect(text).not.toContain('secret')
  expect(gateway.fixtures.errors.splice(0)).toHaveLength(1)
})
