// A form on another site's page, which a visitor's browser submits from the visitor's address. The
// form must not count, book, change or store anything.
import { afterAll, beforeAll, expect, test } from 'bun:test'
import { newBuyer } from './testing/acp-agent.ts'
import { feedbackEndpoint } from '#gateway/feedback/endpoint.ts'
import { type AgentsFixture, bookingPages, openAgents, site } from '#gateway/testing/agents.ts'
import { testLinks } from '#booking/testing/booking-service.ts'

let context: AgentsFixture
beforeAll(async () => {
  context = await openAgents(
    services => [
      ...bookingPages(services),
      feedbackEndpoint({ ...services, site: () => ({ text: () => '# A page' }) }),
    ],
    { peoplePerHour: 2 },
  )
}, 60_000)
afterAll(() => context?.close())

const send = (path: string, values: Record<string, string>, headers: Record<string, string>) =>
  context.ask(path, { method: 'POST', headers, body: new URLSearchParams(values) })

const booking = async () => {
  const [slot] = await context.bookingService.bookingService.availability({ days: 31 })
  return { start: slot?.start ?? '', ...newBuyer() }
}
const book = async (headers: Record<string, string>) =>
  send('/booking/confirm', await booking(), headers)

const fromElsewhere: Record<string, string>[] = [
  { 'sec-fetch-site': 'cross-site', origin: 'https://evil.example' },
  { 'sec-fetch-site': 'same-site', origin: 'https://blog.health.example' },
  { 'sec-fetch-site': 'cross-site' },
  { 'sec-fetch-site': 'cross-site', origin: site },
  // Some browsers send no Sec-Fetch-Site header.
  { origin: 'https://evil.example' },
  { origin: 'http://evil.example' },
  { origin: `${site}.evil.example` },
  { origin: `${site}:8443` },
  // Some pages have no origin, such as a page in a sandboxed frame.
  { origin: 'null' },
]

test('other sites: forms are refused, and the visitor’s quota is unchanged', async () => {
  const before = await context.rowCounts()
  for (const headers of fromElsewhere) {
    for (const [path, values] of [
      ['/booking/confirm', await booking()],
      ['/api/feedback', { page: '/pricing', answer: 'yes' }],
    ] as const) {
      const answer = await send(path, values, headers)
      expect([path, headers, answer.status]).toEqual([path, headers, 403])
      const { code, hint } = await answer.json()
      expect([code, typeof hint]).toEqual(['cross_site_request', 'string'])
    }
  }
  expect(await context.rowCounts()).toEqual(before)
  const statuses = [await book({}), await book({}), await book({})].map(answer => answer.status)
  expect(statuses).toEqual([303, 303, 429])
})

test('other sites: a browser shows why', async () => {
  const accept = 'text/html,application/xhtml+xml'
  const answer = await book({ accept, 'sec-fetch-site': 'cross-site' })
  expect([answer.status, answer.headers.get('content-type')]).toEqual([
    403,
    'text/html; charset=utf-8',
  ])
  expect(await answer.text()).toContain('<h1>The request came from a page on another site</h1>')
})

test('other sites: forms can’t reschedule, cancel or report a call', async () => {
  const key = new URL(testLinks.call('call_01m7wr0q8g8x2v4n6p1s3t5w7y')).searchParams.get('key')
  for (const path of ['/booking/confirm', '/booking/cancel', '/booking/not-me']) {
    const answer = await send(path, { key: key ?? '' }, { 'sec-fetch-site': 'cross-site' })
    expect([path, answer.status]).toEqual([path, 403])
  }
})

test.each<[string, Record<string, string>]>([
  ['a page of the site', { 'sec-fetch-site': 'same-origin', origin: site }],
  ['a page that hides where it is', { 'sec-fetch-site': 'same-origin', origin: 'null' }],
  ['a person who sends a form again', { 'sec-fetch-site': 'none' }],
  ['an older browser', { origin: site }],
  ['a page that was encrypted up to the proxy', { origin: site.replace('https:', 'http:') }],
  ['a program', {}],
])('other sites: %s is answered', async (_, headers) => {
  const answer = await send('/api/feedback', { page: '/pricing', answer: 'yes' }, headers)
  expect([answer.status, answer.headers.get('location')]).toEqual([303, '/pricing#thanks'])
})
