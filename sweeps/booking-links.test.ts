// Where a booked call's links lead: calendars, and the person's confirmation.
import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import ical from 'ical.js'
import { siteLimits } from '#contract/limits.ts'
import { by, newBuyer, taken, testLinks } from '#booking/testing/booking-service.ts'
import { type AgentsFixture, bookingPages, openAgents } from '#gateway/testing/agents.ts'

let context: AgentsFixture
beforeAll(async () => {
  context = await openAgents(bookingPages)
}, 60_000)
afterAll(() => context?.close())

const service = () => context.bookingService.bookingService
const free = async (at = 0) => (await service().availability({ days: 31 })).at(at)?.start ?? ''
const book = async (start: string | undefined, address = '198.51.100.9') => {
  const via = { ...by('acp'), address }
  const request = { buyer: newBuyer(), via, ...(start === undefined ? {} : { start }) }
  return taken(await service().book(request)).booking
}
const pathOf = (url: string) => url.slice(new URL(url).origin.length)
const keyOf = (url: string) => new URL(url).searchParams.get('key') ?? ''

describe('booking: add to calendar', () => {
  test('a booked call’s page has a link for each calendar, without its key', async () => {
    const { url, slot } = await book(await free())
    const page = (await (await context.ask(pathOf(url))).text()).replaceAll('&amp;', '&')
    const links = [...page.matchAll(/<a href="(https:[^"]+)"/g)].map(([, href = '']) => href)
    expect(links.map(href => new URL(href).host)).toEqual([
      'calendar.google.com',
      'outlook.live.com',
      'outlook.office.com',
    ])
    for (const href of links) expect(href).not.toContain(keyOf(url))
    // Outlook shows a plus sign as such.
    for (const href of links.slice(1)) expect(href).not.toContain('+')
    const [google, outlook] = links.map(href => new URL(href).searchParams)
    const compact = (moment = '') => moment.replace('.000', '').replaceAll(/[-:]/g, '')
    expect(google?.get('dates')).toBe(`${compact(slot?.start)}/${compact(slot?.end)}`)
    expect(outlook?.get('subject')).toBe(google?.get('text') ?? '')
    expect([outlook?.get('startdt'), outlook?.get('enddt')]).toEqual([slot?.start, slot?.end])
    expect(page).toContain('/booking/call.ics?key=')
  })

  test('the calendar file has the invitation’s entry, and no other origin can read it', async () => {
    const { id, slot } = await book(await free())
    const key = keyOf(testLinks.call(id))
    await service().move(id, await free(5))
    const answer = await context.ask(`/booking/call.ics?key=${key}`)
    expect(answer.headers.get('content-type')).toBe('text/calendar; charset=utf-8; method=PUBLISH')
    expect(answer.headers.get('content-disposition')).toContain('attachment')
    expect(answer.headers.get('cache-control')).toBe('no-store')
    expect(answer.headers.has('access-control-allow-origin')).toBe(false)
    const calendar = new ical.Component(ical.parse(await answer.text()))
    const event = new ical.Event(calendar.getFirstSubcomponent('vevent') ?? undefined)
    expect([event.uid, event.sequence]).toEqual([`${id}@example.com`, 1])
    expect(event.startDate.toJSDate().toISOString()).not.toBe(slot?.start)
    expect(event.attendees).toEqual([])
  })

  test('a call without a time, a canceled one or a wrong key gets no file', async () => {
    const waiting = await book(undefined)
    const canceled = await book(await free())
    await service().cancel(canceled.id)
    for (const [key, status] of [
      [keyOf(waiting.url), 303],
      [keyOf(canceled.url), 200],
      ['x', 404],
    ] as const) {
      const answer = await context.ask(`/booking/call.ics?key=${key}`)
      expect([key, answer.status]).toEqual([key, status])
      expect(answer.headers.get('content-type') ?? '').not.toContain('calendar')
    }
  })
})

test('booking: a call can be moved at most ten times, because each move sends an email', async () => {
  const { id } = await book(await free())
  const key = keyOf(testLinks.call(id))
  const move = async (at: number) => {
    const body = new URLSearchParams({ key, start: await free(at) })
    return context.ask('/booking/confirm', { method: 'POST', body })
  }
  for (let times = 0; times < siteLimits.callChangesMax; times++) {
    expect((await move(times)).status).toBe(303)
  }
  const refused = await move(0)
  expect(refused.status).toBe(409)
  expect(await refused.text()).toContain('Too many reschedules')
  const [row] = await context.owner`
    select sequence, (select count(*)::int from site.emails where subject = ${id}) as emails
      from site.bookings where id = ${id}`
  expect(row).toEqual({ sequence: 10, emails: 22 })
})

test('booking: the link in an email confirms the person; the link in a response doesn’t', async () => {
  const { id, url } = await book(undefined)
  const counted = async () => {
    const [row] = await context.owner`
      select network_hmac is not null as counted from site.bookings where id = ${id}`
    return row.counted as boolean
  }
  const pick = async (key: string, start: string) => {
    const body = new URLSearchParams({ key, start })
    const answer = await context.ask('/booking/confirm', { method: 'POST', body })
    expect(answer.status).toBe(303)
  }
  await pick(keyOf(url), await free())
  expect(await counted()).toBe(true)
  await pick(keyOf(testLinks.pick(id)), await free(3))
  expect(await counted()).toBe(false)
})
