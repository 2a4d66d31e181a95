// Tests the page that replays a time span to an endpoint.
import { beforeEach, expect, test } from 'bun:test'
import { invokeOk } from '#clinical/testing/call.ts'
import { createEvents, deliveriesOf, step } from '#clinical/testing/replays.ts'
import { clearEndpoints } from '#clinical/testing/valid-calls.ts'
import { now } from '#database/clock.ts'
import { usePortal } from '../../testing/portal.ts'

const portal = usePortal()
beforeEach(async () => {
  await clearEndpoints(portal.fixtures)
  await invokeOk(portal.fixtures, 'resetSandbox')
})

/** Formats a time as a datetime input does. */
const minutesAgo = (minutes: number) =>
  new Date(now() - minutes * 60_000).toISOString().slice(0, 16)
const listen = () =>
  invokeOk(portal.fixtures, 'createWebhookEndpoint', {
    body: { url: 'https://public.brand.example/hook', event_types: ['patient.created.v1'] },
  })

test('a replay is started, watched while it runs, and completed', async () => {
  const events = await createEvents(portal.fixtures, 3)
  const { id } = await listen()
  const { browser, home } = await portal.signIn({ role: 'developer' })
  const page = `${home}/test/webhooks/${id}/replays`
  expect((await browser.get(page)).text).toContain('None yet.')
  const started = await browser.submit(page, { since: minutesAgo(5), only: 'all' })
  expect([started.status, started.url]).toEqual([200, page])
  expect(started.text).toContain('Running')
  expect(started.text).toContain('hx-trigger="every 2s"')
  await step(portal.fixtures)
  const { text } = await browser.get(page)
  expect(text).toContain('Completed')
  expect(text).not.toContain('hx-trigger="every 2s"')
  const made = await deliveriesOf(portal.fixtures, id)
  expect(made.map(({ event }) => event)).toEqual(events)
})

test('a second replay is refused while one runs; the running one can be canceled', async () => {
  const { id } = await listen()
  const { browser, home } = await portal.signIn()
  const page = `${home}/test/webhooks/${id}/replays`
  const start = async () => {
    await browser.get(page)
    return browser.submit(page, { since: minutesAgo(5), only: 'all' })
  }
  const [, replay = ''] = /replays\/(rpl_\w+)\/cancel/.exec((await start()).text) ?? []
  const second = await start()
  expect(second.status).toBe(409)
  expect(second.text).toContain('A replay to this endpoint is still running.')
  const cancelled = await browser.submit(`${page}/${replay}/cancel`)
  expect([cancelled.status, cancelled.url]).toEqual([200, page])
  expect(cancelled.text).toContain('Canceled')
  expect((await start()).status).toBe(200)
})

test('an impossible time span shows an error at its field', async () => {
  const { id } = await listen()
  const { browser, home } = await portal.signIn()
  const page = `${home}/test/webhooks/${id}/replays`
  await browser.get(page)
  for (const since of ['', '2020-01-01T00:00']) {
    const refused = await browser.submit(page, { since })
    expect(refused.status).toBe(422)
    expect(refused.text).toContain('id="since-fault"')
  }
})
