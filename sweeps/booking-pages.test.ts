// The booking pages behind the endpoint router. Tests follow links and submit forms like a browser
// without scripts.
import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import type { SQL } from 'bun'
import company from '#content/site.config.ts'
import { type TestDatabase, testDatabase } from '#database/testing/database.ts'
import { testGroup, testRouter } from '#http/testing/endpoints.ts'
import { loadSite } from '#gateway/static/static.ts'
import { openOpening } from '#booking/opening.ts'
import {
  by,
  openOwner,
  openBookingFixture,
  type BookingFixture,
  testHours,
  testLinks,
  newBuyer,
} from '#booking/testing/booking-service.ts'
import { dayText } from '#http/html/times.ts'
import { createLayout } from '#booking/pages/layout.ts'
import { pageEndpoints } from '#booking/pages/endpoints.ts'
import { noStore } from '#booking/idempotency/store.ts'
import { randomBytes } from '#database/clock.ts'

const base = 'https://health.example'
const built = `<!doctype html><html lang="en"><head><title>Book · Example</title>
<meta name="description" content="x"><link rel="canonical" href="/booking">
<script type="application/ld+json">{}</script><link rel="stylesheet" href="/x.css"></head>
<body><header>Example</header><main id="main"><p>The built page.</p></main></body></html>`

let database: TestDatabase
let owner: SQL
let setup: BookingFixture
let folder: string
let ask: (target: string, init?: RequestInit) => Promise<Response>
let lines: ReturnType<typeof testRouter>['lines']

beforeAll(async () => {
  database = await testDatabase()
  owner = openOwner(database)
  setup = openBookingFixture(database)
  folder = mkdtempSync(path.join(tmpdir(), 'pages-'))
  for (const name of ['index.html', 'booking.html']) writeFileSync(path.join(folder, name), built)
  const site = loadSite(folder)
  const opening = openOpening(testHours)
  const now = () => setup.clock.now
  const parts = {
    bookingService: setup.bookingService,
    idempotencyStore: noStore,
    links: testLinks,
    opening,
    organizer: 'sales@health.example',
    layout: createLayout(() => site),
    now,
    randomBytes,
  }
  const failures: unknown[] = []
  const group = testGroup({
    endpoints: pageEndpoints(parts),
    requests: 100_000,
    onError: failure => void failures.push(failure),
  })
  const router = testRouter(group)
  lines = router.lines
  ask = async (target, init) => {
    const answer = await router.enter(new Request(new URL(target, base), init))
    if (failures.length > 0) throw failures.pop()
    return answer
  }
})
afterAll(async () => {
  await Promise.all([setup.close(), owner.close()])
  await database.close()
  rmSync(folder, { recursive: true })
})

const post = (target: string, values: Record<string, string>) =>
  ask(target, { method: 'POST', body: new URLSearchParams(values) })
const unescaped = (text: string) => text.replaceAll('&amp;', '&').replaceAll('&quot;', '"')
const linksIn = (page: string, start: string) =>
  [...page.matchAll(/href="([^"]+)"/g)]
    .map(([, href = '']) => unescaped(href))
    .filter(href => href.startsWith(start))
/** The action and the fields of the page's last form. */
function formIn(page: string): { action: string; values: Record<string, string> } {
  const form = /<form[^>]*method="post"[^]*?<\/form>/.exec(page.replaceAll('\n', ' '))?.[0] ?? ''
  const action = /action="([^"]+)"/.exec(form)?.[1] ?? ''
  const inputs = form.matchAll(/<input[^>]*?name="([^"]+)"[^>]*?value="([^"]*)"/g)
  return {
    action,
    values: Object.fromEntries(
      [...inputs].map(([, name = '', value = '']) => [name, unescaped(value)]),
    ),
  }
}
const headingOf = (page: string) => /<h1[^>]*>([^<]*)/.exec(page)?.[1] ?? ''
const keyOf = (id: string) => new URL(testLinks.call(id)).searchParams.get('key') ?? ''
async function booked(start?: string): Promise<{ id: string; key: string }> {
  const time = start ?? (await setup.bookingService.availability({ days: 31 }))[0]?.start ?? ''
  const answer = await setup.bookingService.book({
    buyer: newBuyer(),
    via: by('mcp', 'Agent/2'),
    start: time,
  })
  if (answer.kind !== 'booked') throw new Error(answer.kind)
  return { id: answer.booking.id, key: keyOf(answer.booking.id) }
}
const stateOf = async (id: string) =>
  (
    await owner`select status, sequence, email is null as erased from site.bookings where id = ${id}`
  )[0]

describe('booking pages: booking', () => {
  test('books a call with links and one form', async () => {
    const times = await (await ask('/booking/times?timezone=America/Los_Angeles')).text()
    expect(headingOf(times)).toBe('Pick a time')
    expect(times).toContain('Times are in\n        Los Angeles time')
    // The browser's time zone replaces only a guessed time zone.
    expect(times).not.toContain('data-zone')
    expect(await (await ask('/booking/times')).text()).toContain(' data-zone="America/New_York"')
    const [first = ''] = linksIn(times, '/booking/confirm?start=')
    const page = await (await ask(first)).text()
    expect(page).toContain('10:00 AM PST')
    const { action, values } = formIn(page)
    const buyer = newBuyer()
    const answer = await post(action, { ...values, first_name: 'Ada', email: buyer.email })
    expect(answer.status).toBe(303)
    const call = await (await ask(answer.headers.get('location') ?? '')).text()
    expect(headingOf(call)).toBe('You’re booked, Ada')
    const [row] = await owner`select protocol, agent, wording, consent, time_zone
                                from site.bookings where person = ${buyer.email}`
    expect(row).toMatchObject({ protocol: 'web', agent: null, consent: true })
    expect(row.time_zone).toBe('America/Los_Angeles')
  })
  test('shows the request’s day in the person’s time zone', async () => {
    // Evening here is the next morning in Tokyo.
    const before = setup.clock.now
    const evening = `${new Date(before).toISOString().slice(0, 10)}T23:00:00.000Z`
    setup.clock.now = Date.parse(evening)
    const [slot] = await setup.bookingService.availability({ timeZone: 'Asia/Tokyo' })
    const made = await setup.bookingService.book({
      buyer: newBuyer(),
      via: by('web', 'Browser'),
      start: slot?.start ?? '',
      timeZone: 'Asia/Tokyo',
    })
    setup.clock.now = before
    if (made.kind !== 'booked') throw new Error(made.kind)
    const call = await (await ask(`/booking/call?key=${keyOf(made.booking.id)}`)).text()
    expect(call).toContain(`on our booking page on ${dayText(evening, 'Asia/Tokyo')}`)
    expect(call).not.toContain(`page on ${dayText(evening, company.booking.timeZone)}`)
  })
  test('links to the company’s site are relative', async () => {
    const times = await (await ask('/booking/times')).text()
    const [first = ''] = linksIn(times, '/booking/confirm?start=')
    expect(linksIn(await (await ask(first)).text(), company.site)).toEqual([])
  })
  test('uses the built page’s layout, without its metadata', async () => {
    const answer = await ask('/booking/times')
    const page = await answer.text()
    expect(page).toContain('<header>Example</header>')
    expect(page).toContain(`<title>Pick a time · ${company.name}</title>`)
    expect(page).not.toMatch(/canonical|ld\+json|The built page|name="description"/)
    expect(page).toContain('<meta name="referrer" content="same-origin">')
    expect(answer.headers.get('cache-control')).toBe('no-store')
    expect(answer.headers.get('x-robots-tag')).toBe('noindex')
    expect(answer.headers.get('content-security-policy')).toContain("form-action 'self'")
  })
  test('shows every error at its field, and keeps the input', async () => {
    const [slot] = await setup.bookingService.availability({ days: 31 })
    const typed = {
      start: slot?.start ?? '',
      first_name: '"><script>',
      email: 'ada',
      note: 'a<b',
    }
    const answer = await post('/booking/confirm', typed)
    expect(answer.status).toBe(422)
    const page = await answer.text()
    expect(page).toContain('role="alert"')
    for (const id of ['first_name-fault', 'email-fault']) expect(page).toContain(`id="${id}"`)
    expect(page).toContain('value="&quot;&gt;&lt;script&gt;"')
    expect(page).toContain('a&lt;b</textarea>')
    expect(page).not.toContain('<script>')
  })
  test('offers three other times if the time was taken, and keeps the input', async () => {
    const slots = await setup.bookingService.availability({ from: '2027-03-23', days: 1 })
    const start = slots[2]?.start ?? ''
    await booked(start)
    const buyer = newBuyer()
    const answer = await post('/booking/confirm', { start, first_name: 'Ada', email: buyer.email })
    expect(answer.status).toBe(409)
    const page = await answer.text()
    expect(page.match(/type="radio"/g)?.length).toBe(3)
    expect(page).toContain(`value="${buyer.email}"`)
  })
  test('shows nothing about an existing call to a visitor who enters its email address', async () => {
    const slots = await setup.bookingService.availability({ days: 31 })
    const buyer = newBuyer()
    await setup.bookingService.book({ buyer, via: by('acp'), start: slots[0]?.start ?? '' })
    const form = { start: slots[5]?.start ?? '', first_name: 'Eve', email: buyer.email }
    const page = await (await post('/booking/confirm', form)).text()
    expect(headingOf(page)).toBe('This address already has a call')
    expect(page).not.toMatch(/key=bkg|March|Ada/)
  })
  test('an address at a reserved domain creates a test booking, and the page says so', async () => {
    const [slot] = await setup.bookingService.availability({ days: 31 })
    const form = { start: slot?.start ?? '', first_name: 'Ada', email: 'ada@example.com' }
    const answer = await post('/booking/confirm', form)
    expect(answer.headers.get('service-dry-run')).toBe('true')
    expect(headingOf(await answer.text())).toBe('Test booking: nothing was stored')
    const key = new URL(testLinks.call('bkg_00000000000000000000000000', 'dry_run')).searchParams
    const shown = await ask(`/booking/call?${key}`)
    expect(shown.headers.get('service-dry-run')).toBe('true')
  })
})

describe('booking pages: links in emails', () => {
  test('a GET changes nothing, so email programs may open the links', async () => {
    const { id } = await booked()
    const before = await stateOf(id)
    for (const link of [
      testLinks.cancel(id),
      testLinks.notMe(id),
      testLinks.pick(id),
      testLinks.call(id),
    ]) {
      expect((await ask(link)).status).toBe(200)
      expect((await ask(link, { method: 'HEAD' })).status).toBe(200)
    }
    expect(await stateOf(id)).toEqual(before)
  })
  test('moves a call', async () => {
    const { id } = await booked()
    const times = await (await ask(testLinks.pick(id))).text()
    expect(headingOf(times)).toBe('Pick another time')
    const page = await (await ask(linksIn(times, '/booking/confirm?start=')[4] ?? '')).text()
    const { action, values } = formIn(page)
    const answer = await post(action, values)
    const call = await (await ask(answer.headers.get('location') ?? '')).text()
    expect(call).toContain(`datetime="${values.start}"`)
    expect(await stateOf(id)).toMatchObject({ status: 'confirmed', sequence: 1 })
  })
  test('cancels a call; repeating it changes nothing', async () => {
    const { id } = await booked()
    const { action, values } = formIn(await (await ask(testLinks.cancel(id))).text())
    for (const _ of [1, 2]) await post(action, values)
    expect(await stateOf(id)).toMatchObject({ status: 'cancelled', sequence: 1 })
    expect(headingOf(await (await ask(testLinks.call(id))).text())).toBe('Your call is canceled')
  })
  test('a report of abuse cancels the call and erases the personal data', async () => {
    const { id } = await booked()
    expect(await (await ask(testLinks.call(id))).text()).toMatch(/an assistant \(Agent\/2\) .*MCP/)
    const { action, values } = formIn(await (await ask(testLinks.notMe(id))).text())
    for (const _ of [1, 2]) await post(action, values)
    expect(await stateOf(id)).toEqual({ status: 'cancelled', sequence: 1, erased: true })
    const page = await (await ask(testLinks.call(id))).text()
    expect(page).toContain('erased')
    expect(page).not.toContain('Ada')
  })
  test('a truncated, changed or made-up key gets 404', async () => {
    const { id, key } = await booked()
    const other = `${key.slice(0, -1)}${key.endsWith('A') ? 'B' : 'A'}`
    for (const wrong of ['', 'x', id, key.slice(0, -1), other, `${key}A`]) {
      for (const [target, method] of [
        ['cancel', 'GET'],
        ['cancel', 'POST'],
        ['not-me', 'POST'],
      ]) {
        const values = new URLSearchParams({ key: wrong })
        const answer = await (method === 'GET'
          ? ask(`/booking/${target}?${values}`)
          : ask(`/booking/${target}`, { method: 'POST', body: values }))
        expect([wrong, answer.status]).toEqual([wrong, 404])
      }
    }
    expect(await stateOf(id)).toMatchObject({ status: 'confirmed' })
  })
  test('the log contains neither the person nor the key', () => {
    expect(JSON.stringify(lines.map(({ fields }) => fields))).not.toMatch(/rivera|Ada|bkg_/)
  })
})

test.each([
  '/booking/times?from=2027-02-31',
  '/booking/times?from=0000-00-00&timezone=Nope',
  '/booking/times?from=9999-99-99',
  '/booking/times?from=%00&timezone=%F0%9F%92%A9',
  '/booking/confirm?start=2027-03-09T99:00',
  '/booking/confirm',
  '/booking/call?key=%00',
])('booking pages: %p never causes a server error', async target => {
  expect([200, 303, 404]).toContain((await ask(target)).status)
})
