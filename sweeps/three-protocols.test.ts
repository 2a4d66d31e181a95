// One person books through three protocols, concurrently and in sequence: one call, one set of
// emails, and the same confirmation text.
import { afterAll, beforeAll, expect, test } from 'bun:test'
import { a2aPath } from '#contract/site/a2a.ts'
import { acpSessions } from '#contract/site/acp.ts'
import { dataIn, textIn } from './testing/a2a-caller.ts'
import { type Body, create, newBuyer } from './testing/acp-agent.ts'
import { openSampleCatalog } from '#gateway/testing/catalog.ts'
import { siteTools } from '#gateway/mcp/site-tools.ts'
import { type AgentsFixture, openAgents, site } from '#gateway/testing/agents.ts'

let context: AgentsFixture
beforeAll(async () => {
  const catalog = openSampleCatalog(1)
  const parts = { catalog: () => catalog, base: site }
  context = await openAgents(({ bookingService }) => siteTools({ bookingService, ...parts }))
}, 60_000)
afterAll(() => context?.close())

type Person = ReturnType<typeof newBuyer>
type Booked = { id: string; text: string }

async function post(path: string, body: object): Promise<Body> {
  const headers = { 'content-type': 'application/json', accept: 'application/json' }
  const response = await context.ask(path, { method: 'POST', headers, body: JSON.stringify(body) })
  expect(response.status).toBe(200)
  return (await response.json()) as Body
}

const call = (method: string, params: object) => ({ jsonrpc: '2.0', id: 1, method, params })

const ways: Record<string, (person: Person) => Promise<Booked>> = {
  async acp(buyer) {
    const body = await post(`${acpSessions}/${await create(context)}/complete`, { buyer })
    return { id: body['order'].id, text: body['messages'][0].content }
  },
  async a2a(person) {
    const parts = [{ kind: 'data', data: { ...person, user_consent: true } }]
    const message = { kind: 'message', messageId: crypto.randomUUID(), role: 'user', parts }
    const { result } = await post(a2aPath, call('message/send', { message }))
    return { id: dataIn(result)['booking_id'], text: textIn(result) }
  },
  async mcp(person) {
    const params = { name: 'book_discovery_call', arguments: { ...person, user_consent: true } }
    const { result } = await post('/mcp', call('tools/call', params))
    return { id: result.structuredContent.booking_id, text: result.content[1].text }
  },
}

test('booking: thirty concurrent requests through three protocols create one call', async () => {
  const person = newBuyer()
  const all = Array.from({ length: 10 }, () => Object.values(ways).map(way => way(person)))
  const replies = await Promise.all(all.flat())
  expect(new Set(replies.map(({ id }) => id)).size).toBe(1)
  expect(await context.rowsOf(person.email)).toEqual({ bookings: 1, mail: 2 })
})

for (const [first, book] of Object.entries(ways)) {
  test(`booking: the other protocols find a call booked through ${first}`, async () => {
    const person = newBuyer()
    const { id } = await book(person)
    for (const way of Object.values(ways)) expect((await way(person)).id).toBe(id)
    expect(await context.rowsOf(person.email)).toEqual({ bookings: 1, mail: 2 })
    const [row] = await context.owner`select protocol from site.bookings where id = ${id}`
    expect(row.protocol).toBe(first)
  })
}

test('booking: every protocol confirms with the same text', async () => {
  const replies = await Promise.all(
    Object.values(ways).map(async way => {
      const person = newBuyer()
      const { text } = await way(person)
      return text.replace(person.email, '(address)').replace(/key=[\w.-]*[\w-]/, 'key=(key)')
    }),
  )
  expect(replies).toEqual(replies.map(() => replies[0] ?? ''))
  expect(replies[0]).toContain('. Pick a time here: ')
})
