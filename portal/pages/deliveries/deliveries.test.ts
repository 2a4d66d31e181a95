// Tests the deliveries and events pages, with a receiver that refuses and accepts.
import { afterEach, beforeEach, expect, test } from 'bun:test'
import { newId } from '#auth/ids.ts'
import { limits } from '#contract/limits.ts'
import { hiddenFields } from '#auth/testing/browser.ts'
import { queryAsOwner } from '#clinical/testing/assertions.ts'
import { invokeOk, rivera } from '#clinical/testing/call.ts'
import { clearEndpoints } from '#clinical/testing/valid-calls.ts'
import { authority, openReceiver, type Receiver } from '#http/testing/receiver.ts'
import { openTestWorker, type TestWorker } from '#clinical/deliveries/engine/testing/worker.ts'
import { sql } from '#database/sql.ts'
import { usePortal } from '../../testing/portal.ts'

const host = 'public.brand.example'
const portal = usePortal()
let receiver: Receiver
let worker: TestWorker
let answer: () => Response
const accept = () => new Response('<b>taken</b>', { headers: { 'set-cookie': 'session=secret' } })
const refuse = () => new Response('not now', { status: 503, headers: { 'retry-after': '120' } })

beforeEach(async () => {
  answer = accept
  receiver = openReceiver(() => answer(), authority.sign(host))
  worker = await openTestWorker(portal.fixtures)
  await invokeOk(portal.fixtures, 'resetSandbox')
})
afterEach(async () => {
  await worker.stop()
  await receiver.stop()
  await clearEndpoints(portal.fixtures)
})

const listen = (path = '/hooks') =>
  invokeOk(portal.fixtures, 'createWebhookEndpoint', {
    body: { url: receiver.url(path, host), event_types: ['*'] },
  })
/** Sends an event and waits for its delivery attempt. */
async function send(webhook_endpoint: string, type = 'order.shipped.v1') {
  const before = worker.attempts().length
  const event = await invokeOk(portal.fixtures, 'triggerWebhook', {
    body: { type, webhook_endpoint },
  })
  const lines = await worker.waitForLines('webhook.attempted', before + 1)
  return { event, delivery: String(lines[before]?.['delivery']) }
}
const linksTo = (text: string, page: string) => [
  ...new Set([...text.matchAll(new RegExp(`/test/${page}/(\\w+_\\w+)`, 'g'))].map(([, id]) => id)),
]

test('a delivery shows each attempt as it was, and its step in the retry schedule', async () => {
  const { id } = await listen()
  answer = refuse
  const { delivery } = await send(id)
  const { browser, home } = await portal.signIn({ role: 'developer' })
  const pending = await browser.get(`${home}/test/deliveries/${delivery}`)
  expect(pending.text).toContain(`1 of ${limits.webhookRetrySeconds.length} attempts`)
  expect(pending.text).toContain('Attempt 1, immediately: failed, 503. Attempt 2, 1 min after')
  expect(pending.text).toContain('hx-trigger="every 5s"')
  expect(pending.text).toContain('retry-after: 120')
  expect(pending.text).toContain('not now')

  const attemptAfter = async (seconds: number) => {
    const before = worker.attempts().length
    worker.advance(seconds)
    await worker.waitForLines('webhook.attempted', before + 1)
  }
  await attemptAfter(60)
  // The next attempt is five minutes away, so the page doesn't refresh.
  const waiting = await browser.get(`${home}/test/deliveries/${delivery}`)
  expect(waiting.text).not.toContain('hx-trigger="every 5s"')
  answer = accept
  await attemptAfter(300)
  const { text } = await browser.get(`${home}/test/deliveries/${delivery}`)
  expect(text).toContain('Attempt 2, 1 min after the previous one: failed, 503')
  expect(text).toContain('Attempt 3, 5 min after the previous one: delivered, 200')
  expect(text).not.toContain('hx-trigger="every 5s"')
  // The response is escaped, and without the values of headers that may contain a credential.
  expect(text).toContain('&lt;b>taken&lt;/b>')
  expect(text).toContain('set-cookie: (not stored)')
  expect(text).not.toContain('session=secret')
  for (const { headers } of receiver.received.slice(-3)) {
    expect(text).toContain(headers['service-signature'] ?? 'a signature')
  }
})

test('a sandbox that is ahead: the page refreshes when a delivery is due soon, and curl is signed in real time', async () => {
  const { integration } = portal.fixtures.ada
  const { id } = await listen()
  await queryAsOwner(
    portal.fixtures,
    sql`update test.tenants set ahead_ms = 86400000
         where integration = ${integration} and retired_at is null`,
  )
  answer = refuse
  const { event, delivery } = await send(id)
  const { browser, home } = await portal.signIn({ role: 'developer' })
  const pending = await browser.get(`${home}/test/deliveries/${delivery}`)
  expect(pending.text).toContain('hx-trigger="every 5s"')
  const made = await browser.get(`${home}/test/events/${event.id}`)
  expect(made.text).toContain('hx-trigger="every 2s"')
  const signed = Number(/service-signature: t=(\d+),/.exec(pending.text)?.[1])
  expect(Math.abs(Date.now() / 1000 - signed)).toBeLessThan(300)
})

test('the curl line repeats the delivery with a new signature, without the secret', async () => {
  const { id, secret = '' } = await listen()
  const { delivery } = await send(id)
  const { browser, home } = await portal.signIn()
  const { text } = await browser.get(`${home}/test/deliveries/${delivery}`)
  const [, t = '', v1] = /-H 'service-signature: t=(\d+),v1=([0-9a-f]{64})'/.exec(text) ?? []
  const [sent] = receiver.received.slice(-1)
  const own = new Bun.CryptoHasher('sha256', secret).update(`${t}.${sent?.body}`).digest('hex')
  expect(v1).toBe(own)
  expect(text).toContain(`--data-binary '${sent?.body.replaceAll('"', '&quot;')}'`)
  expect(text).not.toContain('whsec_')
})

test('a delivery containing the resource is shown without it', async () => {
  const body = { url: receiver.url('/hooks', host), event_types: ['*'], include_resource: true }
  await invokeOk(portal.fixtures, 'createWebhookEndpoint', { body })
  await invokeOk(portal.fixtures, 'createPatient', { body: { ...rivera, first_name: 'Zephyrine' } })
  const [line] = await worker.waitForLines('webhook.attempted', 1)
  expect(receiver.received[0]?.body).toContain('Zephyrine')
  const { browser, home } = await portal.signIn()
  const { status, text } = await browser.get(`${home}/test/deliveries/${line?.['delivery']}`)
  expect([status, text.includes('patient.created.v1')]).toEqual([200, true])
  for (const value of ['Zephyrine', rivera.last_name, rivera.email, rivera.address.line1]) {
    expect([value, text.includes(value)]).toEqual([value, false])
  }
})

test('an empty list mentions test events only in test mode', async () => {
  const { browser, home } = await portal.signIn()
  for (const page of ['deliveries', 'events']) {
    const { text: test } = await browser.get(`${home}/test/${page}`)
    expect(test).toContain('svc trigger')
    const { text: live } = await browser.get(`${home}/live/${page}`)
    expect(live).toContain(`No ${page} yet`)
    expect(live).not.toContain('svc trigger')
  }
})

test('a delivery is redelivered from its page, which leads to the new one', async () => {
  const { id } = await listen()
  const { delivery, event } = await send(id)
  const { browser, home } = await portal.signIn()
  const page = `${home}/test/deliveries/${delivery}`
  await browser.get(page)
  const again = await browser.submit(`${page}/redeliver`)
  expect(again.status).toBe(200)
  expect(again.url).not.toBe(page)
  expect(again.text).toContain('Redelivery')
  const went = await browser.get(`${home}/test/events/${event.id}`)
  expect(linksTo(went.text, 'deliveries')).toHaveLength(2)
})

test('deliveries are filtered by the URL, and an invalid filter is named', async () => {
  const [one, other] = [await listen('/one'), await listen('/other')]
  const first = await send(one.id)
  answer = refuse
  const second = await send(other.id, 'case.approved.v1')
  const { browser, home } = await portal.signIn()
  const shown = async (query: string) =>
    linksTo((await browser.get(`${home}/test/deliveries?${query}`)).text, 'deliveries')
  expect(await shown('')).toEqual([second.delivery, first.delivery])
  expect(await shown('status=delivered')).toEqual([first.delivery])
  expect(await shown(`webhook_endpoint=${other.id}`)).toEqual([second.delivery])
  expect(await shown('event_type=case.approved.v1')).toEqual([second.delivery])
  expect(await shown(`event=${first.event.id}`)).toEqual([first.delivery])
  expect(await shown('since=2100-01-01T00:00')).toEqual([])
  expect(await shown(`before=${second.delivery}`)).toEqual([first.delivery])
  const wrong = await browser.get(`${home}/test/deliveries?status=lost`)
  expect(wrong.status).toBe(422)
  expect(wrong.text).toContain('id="status-fault"')
})

test('an event shows where it went, and is redelivered to all subscribers', async () => {
  const [one] = [await listen('/one'), await listen('/other')]
  const { event } = await send(one.id)
  const { browser, home } = await portal.signIn()
  const page = `${home}/test/events/${event.id}`
  const { text } = await browser.get(page)
  expect(text).toContain(event.resource.id)
  expect(linksTo(text, 'deliveries')).toHaveLength(1)
  const again = await browser.submit(`${page}/redeliver`)
  expect(linksTo(again.text, 'deliveries')).toHaveLength(3)
})

test('a viewer sees events and not their deliveries', async () => {
  const { id } = await listen()
  const { event } = await send(id)
  const { browser, home } = await portal.signIn({ role: 'viewer' })
  const list = await browser.get(`${home}/test/events?type=order.shipped.v1`)
  expect(linksTo(list.text, 'events')).toEqual([event.id])
  const { status, text } = await browser.get(`${home}/test/events/${event.id}`)
  expect(status).toBe(200)
  expect(text).toContain('Your role can’t read deliveries')
  expect(linksTo(text, 'deliveries')).toEqual([])
})

test('a refused page about a resource leaves an audit row', async () => {
  const id = newId('delivery')
  const viewer = await portal.signIn({ role: 'viewer' })
  const other = await portal.signIn({ integration: portal.fixtures.ben.integration })
  const path = `${viewer.home}/test/deliveries/${id}`
  expect((await viewer.browser.get(path)).status).toBe(403)
  expect((await other.browser.get(path)).status).toBe(404)
  const rows = await queryAsOwner(
    portal.fixtures,
    sql`select person, integration, mode, action, outcome, code, status from audit.entries
         where target = ${id} order by seq`,
  )
  const { integration } = portal.fixtures.ada
  const row = { integration, mode: 'test', action: 'openPage', outcome: 'refused' }
  expect([...rows]).toEqual([
    { ...row, person: viewer.person, code: 'role_required', status: 403 },
    { ...row, person: other.person, code: 'not_found', status: 404 },
  ])
})

test('others’ deliveries and events are not found, like nonexistent ones', async () => {
  const { id } = await listen()
  const { event, delivery } = await send(id)
  const { browser, home } = await portal.signIn({ integration: portal.fixtures.ben.integration })
  for (const page of [`deliveries/${delivery}`, `events/${event.id}`]) {
    expect((await browser.get(`${home}/test/${page}`)).status).toBe(404)
  }
  expect((await browser.get(`${home}/test/deliveries`)).text).toContain('No deliveries yet')
})

test('selected or matching deliveries are each resent once', async () => {
  const [one, other] = [await listen('/one'), await listen('/other')]
  const first = await send(one.id)
  const second = await send(one.id)
  await send(other.id)
  const { browser, home } = await portal.signIn()
  const list = `${home}/test/deliveries`
  const again = `${list}/redeliver`
  const redeliveriesOf = async () =>
    (
      await queryAsOwner<{ event: string }>(
        portal.fixtures,
        sql`select event from test.deliveries
             where redelivery and webhook_endpoint = ${one.id} order by id`,
      )
    ).map(({ event }) => event)

  await browser.get(list)
  const { text } = await browser.submit(again, { which: 'selected', delivery: first.delivery })
  expect(text).toContain('1 redelivery scheduled')
  expect(await redeliveriesOf()).toEqual([first.event.id])

  await browser.get(`${list}?webhook_endpoint=${one.id}&event=${second.event.id}`)
  const body = new URLSearchParams(hiddenFields(browser.page.text, again))
  body.set('which', 'all')
  for (let sent = 0; sent < 2; sent++) await browser.send(again, { method: 'POST', body })
  expect(await redeliveriesOf()).toEqual([first.event.id, second.event.id])

  await browser.get(list)
  const none = await browser.submit(again, { which: 'selected' })
  expect(none.text).toContain('Nothing selected')
  expect(portal.failures).toEqual([])
})

test('resending all that match asks first, and says if older deliveries weren’t sent', async () => {
  const { id } = await listen()
  const trigger = () =>
    invokeOk(portal.fixtures, 'triggerWebhook', {
      body: { type: 'order.shipped.v1', webhook_endpoint: id },
    })
  for (let sent = 0; sent < 2; sent++) await trigger()
  await worker.waitForLines('webhook.attempted', 2)
  const { browser, home } = await portal.signIn()
  const list = `${home}/test/deliveries`
  const questionOf = (text: string) => /<p>(Resend [^<]*)/.exec(text)?.[1]
  expect(questionOf((await browser.get(list)).text)).toBe('Resend 2 matching deliveries?')
  const all = await browser.submit(`${list}/redeliver`, { which: 'all' })
  expect(all.text).toContain('2 redeliveries scheduled')
  expect(all.text).not.toContain('Older ones')
  // A redelivery isn't resent.
  expect(questionOf((await browser.get(list)).text)).toBe('Resend 2 matching deliveries?')

  await Promise.all(Array.from({ length: 99 }, trigger))
  await worker.waitForLines('webhook.attempted', 103)
  const query = `?webhook_endpoint=${id}`
  expect(questionOf((await browser.get(`${list}${query}`)).text)).toContain('the newest 100')
  const capped = await browser.submit(`${list}/redeliver`, { which: 'all' })
  expect(capped.text).toContain('redeliveries scheduled. Older ones weren’t sent')
  const endpoint = await browser.get(`${home}/test/webhooks/${id}`)
  expect(endpoint.text).toContain('Replay events')
  expect(capped.text).toContain('Replay events')
  expect(portal.failures).toEqual([])
})
