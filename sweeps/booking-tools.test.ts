// The three booking tools on a real booking service: consent, bookings, and refusals.
import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { say } from '#content/consent.ts'
import { openOwner, newBuyer } from '#booking/testing/booking-service.ts'
import { openServers, type Servers } from '#gateway/testing/tool-servers.ts'

let servers: Servers
let owner: ReturnType<typeof openOwner>
beforeAll(async () => {
  servers = await openServers()
  owner = openOwner(servers.database)
})
afterAll(async () => {
  await owner.close()
  await servers.close()
})

const person = () => ({ first_name: 'Ada', email: newBuyer().email, user_consent: true })
type Slot = { start: string; end: string }
const slots = async (given: object = {}): Promise<Slot[]> =>
  (await servers.call('get_availability', given)).structuredContent.slots

async function refused(name: string, given: object, code: string) {
  const result = await servers.call(name, given)
  expect(result.isError).toBe(true)
  expect(result).not.toHaveProperty('structuredContent')
  const refusal = JSON.parse(result.content[0].text)
  expect([refusal.code, typeof refusal.detail, typeof refusal.hint]).toEqual([
    code,
    'string',
    'string',
  ])
  return refusal
}

/** The number of calls, callbacks and queued emails. */
const rowCounts = async (): Promise<unknown> => {
  const [row] = await owner`select
    (select count(*) from site.bookings)::int as bookings,
    (select count(*) from site.callbacks)::int as callbacks,
    (select count(*) from site.emails)::int as mails`
  return row
}

describe('mcp: get_availability', () => {
  test('lists free half hours in the requested time zone', async () => {
    const answer = await servers.call('get_availability', {
      timezone: 'America/New_York',
      days: 2,
    })
    const { timezone, duration_minutes, slots, booking_url } = answer.structuredContent
    expect([timezone, duration_minutes]).toEqual(['America/New_York', 30])
    expect(booking_url).toBe('https://health.example/booking')
    expect(slots[0].start).toMatch(/^2027-03-08T\d\d:\d\d:00-05:00$/)
    for (const { start, end } of slots) {
      expect(Date.parse(end) - Date.parse(start)).toBe(30 * 60_000)
    }
    const starts = slots.map(({ start }: Slot) => start)
    expect(starts).toEqual(starts.toSorted())
  })

  test('lists the same instants in every time zone', async () => {
    const moments = async (timezone: string) =>
      (await slots({ from: '2027-03-09', days: 14, timezone })).map(({ start }) =>
        Date.parse(start),
      )
    const [here, there] = await Promise.all([moments('UTC'), moments('America/Los_Angeles')])
    expect(there.length).toBeGreaterThan(20)
    // Days start at different times in the two zones, so the lists may differ at both ends.
    expect(there.filter(each => here.includes(each)).length).toBeGreaterThan(there.length - 20)
  })

  test('refuses an unknown time zone', async () => {
    const { errors } = await refused('get_availability', { timezone: '+02:00' }, 'invalid_request')
    expect(errors[0].pointer).toBe('#/timezone')
  })
})

describe('mcp: consent', () => {
  test('without consent the tool returns the question to ask, and stores nothing', async () => {
    const before = await rowCounts()
    const { email, first_name } = person()
    for (const given of [{}, { first_name, email }, { ...person(), user_consent: false }]) {
      const booking = await refused('book_discovery_call', given, 'consent_required')
      expect(booking.hint).toBe(say('refused'))
      expect(booking.hint).toContain(say('ask'))
      const callback = await refused('request_callback', given, 'consent_required')
      expect(callback.hint).toContain(say('ask_callback'))
    }
    expect(await rowCounts()).toEqual(before)
  })

  test('refuses every value other than true', async () => {
    for (const user_consent of ['true', 1, {}, null]) {
      const given = { ...person(), user_consent }
      const { errors } = await refused('book_discovery_call', given, 'invalid_request')
      expect(errors[0].pointer).toBe('#/user_consent')
    }
  })

  test('the consent texts are in the tool descriptions and instructions', async () => {
    const { body } = await servers.ask('tools/list')
    const tools = new Map(body.result.tools.map((tool: { name: string }) => [tool.name, tool]))
    const text = JSON.stringify([...tools.values()])
    expect(tools.get('book_discovery_call')).toMatchObject({
      description: expect.stringContaining(say('not_medical')),
    })
    expect(text.split(say('no_health'))).toHaveLength(3)
    const { instructions } = (await servers.ask('server/discover', {}, true)).body.result
    for (const sentence of ['ask', 'ask_callback', 'no_health'] as const) {
      expect(instructions).toContain(say(sentence))
    }
  })
})

describe('mcp: placeholder people', () => {
  test('refuses a placeholder name', async () => {
    for (const first_name of ['User', 'AI Assistant', 'n/a']) {
      const { errors } = await refused(
        'book_discovery_call',
        { ...person(), first_name },
        'real_name_required',
      )
      expect(errors[0].pointer).toBe('#/first_name')
    }
  })

  test('refuses an address at a reserved domain, and names the endpoint for test bookings', async () => {
    const before = await rowCounts()
    for (const email of ['ada@example.com', 'ada@clinic.test', 'a@b.invalid', 'ada@x.example']) {
      for (const name of ['book_discovery_call', 'request_callback']) {
        const { hint } = await refused(name, { ...person(), email }, 'real_email_required')
        expect(hint).toContain('/api/acp/checkout_sessions')
      }
    }
    expect(await rowCounts()).toEqual(before)
  })
})

describe('mcp: book_discovery_call', () => {
  test('books a free time once, and removes it from the availability', async () => {
    const [slot] = await slots({ days: 14 })
    const ada = { ...person(), start: slot?.start, timezone: 'America/New_York' }
    const first = await servers.call('book_discovery_call', ada)
    const booked = first.structuredContent
    expect(booked).toMatchObject({
      status: 'confirmed',
      timezone: 'America/New_York',
      invitation_to: ada.email,
      replayed: false,
      booking_url: expect.stringMatching(/^https:\/\/health\.example\/booking\//),
    })
    expect(Date.parse(booked.start)).toBe(Date.parse(slot?.start ?? ''))
    expect(first.content[1].text).toStartWith('Booked for Ada: Monday, March 8, 2027 at ')
    expect(first.content[2].text).toBe(say('stated'))
    const again = (await servers.call('book_discovery_call', ada)).structuredContent
    expect(again).toMatchObject({ booking_id: booked.booking_id, replayed: true })
    expect((await slots({ days: 14 })).map(({ start }) => start)).not.toContain(slot?.start)
    const [row] = await owner`select protocol, agent, wording from site.bookings
      where id = ${booked.booking_id}`
    expect(row).toMatchObject({ protocol: 'mcp', wording: expect.stringMatching(/^\d{4}-/) })
  })

  test('refuses a taken time with three free alternatives', async () => {
    const [slot] = await slots({ days: 14 })
    const { start } = slot ?? { start: '' }
    await servers.call('book_discovery_call', { ...person(), start })
    const refusal = await refused('book_discovery_call', { ...person(), start }, 'slot_taken')
    expect(refusal.alternatives).toHaveLength(3)
    const free = (await slots({ days: 14 })).map(({ start }) => start)
    for (const other of refusal.alternatives) {
      expect(free).toContain(other.start)
      expect(refusal.hint).toContain(other.start)
    }
  })

  test('without a time, the person picks one, or a later request sets it', async () => {
    const ada = person()
    const { structuredContent: requested, content } = await servers.call('book_discovery_call', ada)
    expect(requested).toMatchObject({ status: 'pick_a_time', start: null, end: null })
    expect(content[1].text).toContain(`Pick a time here: ${requested.booking_url}`)
    const [slot] = await slots({ days: 14 })
    const picked = await servers.call('book_discovery_call', { ...ada, start: slot?.start })
    expect(picked.structuredContent).toMatchObject({
      booking_id: requested.booking_id,
      status: 'confirmed',
    })
  })

  test('names each invalid argument', async () => {
    const pointers = async (more: object) =>
      (
        await refused('book_discovery_call', { ...person(), ...more }, 'invalid_request')
      ).errors.map((error: { pointer: string }) => error.pointer)
    expect(await pointers({ start: '2027-03-08T03:07:00Z' })).toEqual(['#/start'])
    expect(await pointers({ start: 'tomorrow' })).toEqual(['#/start'])
    expect(await pointers({ timezone: 'Mars/Olympus' })).toEqual(['#/timezone'])
    expect(await pointers({ email: 'ada@' })).toEqual(['#/email'])
    expect(await pointers({ first_name: 'http://evil.example/' })).toEqual(['#/first_name'])
    expect(await pointers({ notes: 'x'.repeat(1001), phone: '+12025550123' })).toEqual([
      '#/phone',
      '#/notes',
    ])
  })
})

test('mcp: request_callback stores one request a day, and returns the callback time', async () => {
  const ada = { ...person(), phone: '+12025550123', topic: 'Prices' }
  const { structuredContent: requested, content } = await servers.call('request_callback', ada)
  expect(content[1].text).toContain(say('ask_callback'))
  expect(requested).toMatchObject({ status: 'received', reply_to: ada.email, replayed: false })
  expect(Date.parse(requested.reply_by)).toBeGreaterThan(Date.parse('2027-03-08T13:30:00Z'))
  const again = (await servers.call('request_callback', ada)).structuredContent
  expect(again).toEqual({ ...requested, replayed: true })
})

test('mcp: stores the client’s name with the booking', async () => {
  const [slot] = await slots({ days: 14 })
  const given = { ...person(), start: slot?.start }
  const params = {
    name: 'book_discovery_call',
    arguments: given,
    _meta: {
      'io.modelcontextprotocol/protocolVersion': '2026-07-28',
      'io.modelcontextprotocol/clientCapabilities': {},
      'io.modelcontextprotocol/clientInfo': { name: 'an-assistant', version: '7' },
    },
  }
  const message = { jsonrpc: '2.0', id: 1, method: 'tools/call', params }
  const response = await servers.post(JSON.stringify(message), {
    'mcp-protocol-version': '2026-07-28',
    'mcp-method': 'tools/call',
    'mcp-name': 'book_discovery_call',
  })
  const { structuredContent } = (await response.json()).result
  const [row] = await owner`select agent from site.bookings
    where id = ${structuredContent.booking_id}`
  expect(row).toMatchObject({ agent: 'an-assistant 7' })
})
