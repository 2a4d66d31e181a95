// The booking pages' forms and links: where each form and link leads, and that a change is complete
// before its response arrives.
import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import type { SQL } from 'bun'
import { by, isOverBefore, newBuyer, taken, testLinks } from '#booking/testing/booking-service.ts'
import { dateIn } from '#http/html/times.ts'
import { type AgentsFixture, bookingPages, openAgents } from '#gateway/testing/agents.ts'

let context: AgentsFixture
beforeAll(async () => {
  context = await openAgents(bookingPages)
}, 60_000)
afterAll(() => context?.close())

const service = () => context.bookingService.bookingService
const free = async (at = 0) => (await service().availability({ days: 31 })).at(at)?.start ?? ''
async function book(start: string | undefined, timeZone = 'America/New_York', buyer = newBuyer()) {
  const request = { buyer, via: by('acp'), timeZone, ...(start === undefined ? {} : { start }) }
  return taken(await service().book(request)).booking
}
async function newCallback(): Promise<string> {
  const answer = await service().requestCallback({ buyer: newBuyer(), via: by('a2a', 'Agent/3') })
  return 'id' in answer ? answer.id : ''
}
const keyOf = (id: string) => new URL(testLinks.call(id)).searchParams.get('key') ?? ''
const post = (path: string, values: Record<string, string>) =>
  context.ask(path, { method: 'POST', body: new URLSearchParams(values) })
const pageAt = async (path: string, key?: string) => {
  const answer = await context.ask(key === undefined ? path : `${path}?key=${key}`)
  return answer.text()
}
const headingOf = (page: string) => /<h1[^>]*>([^<]*)/.exec(page)?.[1] ?? ''
const isCounted = async (id: string) => {
  const [row] = await context.owner`
    select network_hmac is not null as counted from site.bookings where id = ${id}`
  return row.counted as boolean
}

describe('booking pages: links', () => {
  test('without a key, a call’s page says where the links are', async () => {
    const answer = await context.ask('/booking/call')
    expect([answer.status, headingOf(await answer.text())]).toEqual([200, 'Your call'])
  })

  test('a canceled call’s report of abuse offers only to erase the personal data', async () => {
    const { id } = await book(await free())
    const key = keyOf(id)
    await service().cancel(id)
    const page = await pageAt('/booking/not-me', key)
    expect(page).toContain('Erase my details</button>')
    expect(page).toContain('Back to the call')
    expect(page).not.toMatch(/cancel it|Cancel and/)
    await post('/booking/not-me', { key })
    expect(await pageAt('/booking/call', key)).toContain('We erased your name and address.')
  })

  test('a callback’s link shows it, and withdraws it once', async () => {
    const key = keyOf(await newCallback())
    const shown = await pageAt('/booking/call', key)
    expect(headingOf(shown)).toBe('We’ll be in touch')
    expect(shown).toMatch(/We’ll reply by \w+day, /)
    expect(await pageAt('/booking/not-me', key)).not.toContain('this call')
    const answer = await post('/booking/not-me', { key })
    expect([answer.status, answer.headers.get('location')]).toEqual([
      303,
      `/booking/call?key=${key}`,
    ])
    for (const path of ['/booking/call', '/booking/not-me']) {
      expect([path, headingOf(await pageAt(path, key))]).toEqual([
        path,
        'Your request was withdrawn',
      ])
    }
  })

  test('canceling a request without a time promises no change to a calendar', async () => {
    const [withTime, without] = [await book(await free()), await book(undefined)]
    const textOf = ({ id }: { id: string }) => pageAt('/booking/cancel', keyOf(id))
    expect(await textOf(withTime)).toContain('calendar')
    expect(await textOf(without)).not.toContain('calendar')
  })

  test('free times are shown in the call’s time zone, or in the chosen one', async () => {
    const berlin = keyOf((await book(undefined, 'Europe/Berlin')).id)
    const here = keyOf((await book(undefined)).id)
    const shown = async (query: string) => {
      const page = await pageAt(`/booking/times?${query}`)
      const place = /Times are in\s+([\w ]+) time/.exec(page)?.[1]
      return [headingOf(page), place, page.includes('data-zone'), page.includes('(ours)')]
    }
    const heading = 'Pick a time'
    expect(await shown(`key=${berlin}`)).toEqual([heading, 'Berlin', false, false])
    expect(await shown(`key=${here}`)).toEqual([heading, 'New York', true, true])
    expect(await shown(`key=${here}&timezone=America/New_York`)).toEqual([
      heading,
      'New York',
      false,
      false,
    ])
    expect(await shown(`key=${berlin}&timezone=Asia/Tokyo`)).toEqual([
      heading,
      'Tokyo',
      false,
      false,
    ])
  })
})

describe('booking pages: forms', () => {
  test('the same form, sent twice, books one call and leads to its page both times', async () => {
    const start = await free()
    const form = await pageAt(`/booking/confirm?${new URLSearchParams({ start })}`)
    const once = /name="once" value="([^"]+)"/.exec(form)?.[1] ?? ''
    const { email } = newBuyer()
    const send = (values: Record<string, string>) =>
      post('/booking/confirm', { start, first_name: 'Ada', email, ...values })
    const answers = await Promise.all([send({ once }), send({ once })])
    for (const answer of [...answers, await send({ once })]) expect(answer.status).toBe(303)
    const [location = '', other] = answers.map(({ headers }) => headers.get('location') ?? '')
    expect(other).toBe(location)
    expect(headingOf(await pageAt(location))).toBe('You’re booked, Ada')
    expect(await context.rowsOf(email)).toEqual({ bookings: 1, mail: 2 })
    // Without the form's value, nobody learns about the call, nor with the value of another form.
    for (const values of [{}, { once: 'A'.repeat(24) }, { once, email: newBuyer().email }]) {
      const answer = await send(values)
      expect(answer.headers.get('location')).toBeNull()
      expect(await answer.text()).not.toContain('key=bkg')
    }
  })

  test('picking a time for an email address with an open request is confirmed without the cancel link', async () => {
    const buyer = newBuyer()
    const { id } = await book(undefined, 'America/New_York', buyer)
    const start = await free()
    const answer = await post('/booking/confirm', { start, first_name: 'Ada', email: buyer.email })
    const page = await answer.text()
    expect([answer.status, headingOf(page)]).toEqual([200, 'You’re booked'])
    expect(page).toContain(`datetime="${start}"`)
    expect(page).not.toContain('key=')
    const found = await service().find(id)
    expect(found).toMatchObject({ status: 'confirmed', slot: { start } })
  })

  test.each(['slot_taken', 'not_offered'])(
    'rescheduling, %s: leads to that day’s free times, and doesn’t confirm the person',
    async refused => {
      const { id } = await book(await free(3))
      const late = await free(-1)
      if (refused === 'slot_taken') await book(late)
      const start = refused === 'slot_taken' ? late : late.replace(/T.*/, 'T23:59:00.000Z')
      const key = keyOf(id)
      const timezone = 'Europe/Berlin'
      const answer = await post('/booking/confirm', { key, start, timezone })
      const location = answer.headers.get('location') ?? ''
      const from = dateIn(start, timezone)
      expect([answer.status, location]).toEqual([
        303,
        `/booking/times?${new URLSearchParams({ from, timezone, refused, key })}`,
      ])
      const page = await pageAt(location)
      expect(page).toContain('role="alert"')
      expect(page).toContain(`name="from" value="${from}"`)
      expect(await pageAt(location.replace(refused, 'other'))).not.toContain('role="alert"')
      expect(await isCounted(id)).toBe(true)
    },
  )

  test('a time that is no longer offered: shows the nearest ones, and keeps the input', async () => {
    const { email } = newBuyer()
    const start = new Date(context.bookingService.clock.now).toISOString()
    const sent = { start, first_name: 'Ada', email, note: 'Two states' }
    const answer = await post('/booking/confirm', sent)
    const page = await answer.text()
    expect(answer.status).toBe(409)
    const times = [...page.matchAll(/type="radio"[^>]*?value="([^"]+)"/gs)].map(([, at]) => at)
    expect(times).toEqual([await free(0), await free(1), await free(2)])
    expect(page).toContain(`value="${email}"`)
    expect(page).toContain('Two states</textarea>')
    const again = await post('/booking/confirm', { ...sent, start: times[0] ?? '' })
    expect(again.status).toBe(303)
  })

  test.each([
    ['invalid', { first_name: '123', email: 'ada' }],
    ['empty', { first_name: '', email: '' }],
    ['too long', { first_name: 'a'.repeat(81), email: 'a@b.com', note: 'a'.repeat(1001) }],
  ])('%s fields: each error says what to do, not what an API field must be', async (_, sent) => {
    const page = await (await post('/booking/confirm', { start: await free(), ...sent })).text()
    const faults = [...page.matchAll(/<p class="fault"[^>]*>([^<]+)/g)].map(([, text]) => text)
    expect(faults).toHaveLength(2)
    for (const fault of faults) expect(fault).toMatch(/^(Enter|Use) /)
  })
})

describe('booking pages: a response arrives after the change is complete', () => {
  const lockCall = (id: string) => (connection: SQL) =>
    connection`select from site.bookings where id = ${id} for update`

  test.each(['/booking/cancel', '/booking/not-me'])('%s', async path => {
    const { id } = await book(await free())
    const send = () => post(path, { key: keyOf(id) })
    expect(await isOverBefore(context.owner, lockCall(id), send)).toBe(false)
  })

  test('/booking/confirm: the link’s person is confirmed', async () => {
    const { id } = await book(await free())
    const start = await free(2)
    const lock = (connection: SQL) => connection`select from site.people_quotas for update`
    const send = () => post('/booking/confirm', { key: keyOf(id), start })
    expect(await isOverBefore(context.owner, lock, send)).toBe(false)
    expect(await isCounted(id)).toBe(false)
  })
})
