// The quota for unconfirmed people, which all protocols share and enforce.
import { afterAll, beforeAll, expect, test } from 'bun:test'
import { a2aPath } from '#contract/site/a2a.ts'
import { acpSessions } from '#contract/site/acp.ts'
import { create, newBuyer } from './testing/acp-agent.ts'
import { type AgentsFixture, bookingPages, openAgents, site } from '#gateway/testing/agents.ts'
import { openSampleCatalog } from '#gateway/testing/catalog.ts'
import { siteTools } from '#gateway/mcp/site-tools.ts'

let context: AgentsFixture
beforeAll(async () => {
  const catalog = openSampleCatalog(1)
  context = await openAgents(
    services => [...siteTools({ ...services, catalog: () => catalog }), ...bookingPages(services)],
    { peoplePerHour: 4 },
  )
}, 60_000)
afterAll(() => context?.close())

const json = (path: string, body: object) =>
  context.ask(path, {
    method: 'POST',
    headers: { 'content-type': 'application/json', accept: 'application/json' },
    body: JSON.stringify(body),
  })
const rpc = (path: string, method: string, params: object) =>
  json(path, { jsonrpc: '2.0', id: 7, method, params })
const tool = (name: string) =>
  rpc('/mcp', 'tools/call', { name, arguments: { ...newBuyer(), user_consent: true } })

const ways: Record<string, () => Promise<Response>> = {
  acp: async () => json(`${acpSessions}/${await create(context)}/complete`, { buyer: newBuyer() }),
  a2a: () =>
    rpc(a2aPath, 'message/send', {
      message: {
        kind: 'message',
        messageId: crypto.randomUUID(),
        role: 'user',
        parts: [{ kind: 'data', data: newBuyer() }],
      },
    }),
  'mcp, a call': () => tool('book_discovery_call'),
  'mcp, a callback': () => tool('request_callback'),
  web: async () => {
    const [slot] = await context.bookingService.bookingService.availability({ days: 31 })
    const values = { start: slot?.start ?? '', ...newBuyer(), note: 'Two states' }
    return context.ask('/booking/confirm', { method: 'POST', body: new URLSearchParams(values) })
  },
}

test('booking quota: after four people through four protocols, each protocol refuses the next', async () => {
  for (const name of ['acp', 'a2a', 'mcp, a callback', 'web']) {
    const status = (await ways[name]?.())?.status
    expect([name, status]).toEqual([name, name === 'web' ? 303 : 200])
  }
  const before = await context.rowCounts()
  for (const [name, way] of Object.entries(ways)) {
    const answer = await way()
    expect([name, answer.status]).toEqual([name, 429])
    expect(Number(answer.headers.get('retry-after'))).toBeWithin(3000, 3601)
    const text = await answer.text()
    // The form stays, with what was entered.
    if (name === 'web') expect(text).toMatch(/role="alert".*value="\S+@.*Two states<\/textarea>/s)
    else {
      expect(text).toContain('At most 4 unconfirmed people')
      // The booking page shares the quota, so the error suggests another network.
      expect(text).toContain(`${site}/booking/times from another network`)
      expect(text).toContain('rate_limited')
    }
    if (name !== 'web' && name !== 'acp') expect(JSON.parse(text).id).toBe(7)
  }
  expect(await context.rowCounts()).toEqual(before)
})
