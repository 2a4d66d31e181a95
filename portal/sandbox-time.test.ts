// Tests pages while the sandbox is ahead. Real recent events show real times, and sandbox times are
// marked.
import { afterEach, beforeEach, describe, expect, test } from 'bun:test'
import { newId } from '#auth/ids.ts'
import { openTestWorker, type TestWorker } from '#clinical/deliveries/engine/testing/worker.ts'
import { queryAsOwner } from '#clinical/testing/assertions.ts'
import { invoke, invokeOk } from '#clinical/testing/call.ts'
import { projectAll } from '#clinical/testing/requests.ts'
import { clearEndpoints } from '#clinical/testing/valid-calls.ts'
import { portalRowIds, portalRows } from '#contract/portal/table.ts'
import type { PortalRow } from '#contract/portal/row.ts'
import { sql } from '#database/sql.ts'
import { authority, openReceiver, type Receiver } from '#http/testing/receiver.ts'
import { table } from './table.ts'
import { usePortal } from './testing/portal.ts'

const host = 'public.brand.example'
const portal = usePortal()
let receiver: Receiver
let worker: TestWorker

const setAhead = (seconds: number) =>
  queryAsOwner(
    portal.fixtures,
    sql`update test.tenants set ahead_ms = ${seconds * 1000}
         where integration = ${portal.fixtures.ada.integration} and retired_at is null`,
  )

beforeEach(async () => {
  receiver = openReceiver(() => new Response('taken'), authority.sign(host))
  worker = await openTestWorker(portal.fixtures)
  await invokeOk(portal.fixtures, 'resetSandbox')
})
afterEach(async () => {
  await worker.stop()
  await receiver.stop()
  await clearEndpoints(portal.fixtures)
  await setAhead(0)
})

/** A delivered event, a refused request and a test case. */
async function useSandbox(member: Awaited<ReturnType<typeof portal.signIn>>, endpoint: string) {
  const before = worker.attempts().length
  const { id: event } = await invokeOk(portal.fixtures, 'triggerWebhook', {
    body: { type: 'order.shipped.v1', webhook_endpoint: endpoint },
  })
  await worker.waitForLines('webhook.attempted', before + 1)
  await invoke(portal.fixtures, 'getPatient', { id: newId('patient') })
  const sandbox = `${member.home}/test/sandbox`
  await member.browser.get(sandbox)
  await member.browser.submit(`${sandbox}/loop`)
  await projectAll(portal.fixtures)
  return event
}

const listed = portalRowIds.filter(id => (portalRows[id] as PortalRow).group !== undefined)

/** Real times, not the sandbox's. */
const realTimes = (html: string) =>
  [...html.matchAll(/<time datetime="([^"]+)"([^>]*)>/g)]
    .filter(([, , rest = '']) => !rest.includes('data-clock="sandbox"'))
    .map(([, at = '']) => Date.parse(at))

describe.each([
  [3600, '1 hour'],
  [86_400, '1 day'],
  [29 * 86_400, '29 days'],
])('%i seconds ahead', (seconds, text) => {
  test('pages count what happened in the last real hours, before and after the clock advances', async () => {
    const member = await portal.signIn()
    const { id: endpoint } = await invokeOk(portal.fixtures, 'createWebhookEndpoint', {
      body: { url: receiver.url('/hooks', host), event_types: ['order.shipped.v1'] },
    })
    const first = await useSandbox(member, endpoint)
    await setAhead(seconds)
    const second = await useSandbox(member, endpoint)
    const page = async (path: string) =>
      (await member.browser.get(`${member.home}/test${path}`)).text

    const home = await page('')
    expect(home).not.toContain('No requests in the last 24 hours')
    expect(home).not.toContain('No deliveries in the last 24 hours')
    expect(home.match(/data-head="Delivered">2</g)).toHaveLength(1)
    expect(home).toContain('404')
    expect(await page('/webhooks')).toContain('2 delivered')
    expect(await page(`/webhooks/${endpoint}`)).toContain('2 delivered')
    const week = await page('/webhooks?span=week')
    expect(week.match(/data-head="Delivered">2</g)).toHaveLength(1)
    for (const path of ['/deliveries', '/events']) {
      const list = await page(path)
      expect(list.match(/order\.shipped\.v1/g)?.length).toBeGreaterThanOrEqual(2)
    }
    expect(await page('/events')).toContain(second)
    expect((await page(`/deliveries?event=${first}`)).match(/\/deliveries\/dlv_/g)).not.toBeNull()
  })

  test('every page shows the sandbox clock, and no future time as real', async () => {
    const member = await portal.signIn()
    const { id: endpoint } = await invokeOk(portal.fixtures, 'createWebhookEndpoint', {
      body: { url: receiver.url('/hooks', host), event_types: ['*'] },
    })
    await setAhead(seconds)
    const event = await useSandbox(member, endpoint)
    const names = { integration: member.integration, mode: 'test' }
    const paths = [
      ...listed.map(id => table.pathOf(id, names)),
      table.pathOf('webhook', { ...names, id: endpoint }),
      table.pathOf('event', { ...names, id: event }),
    ]
    expect(paths.length).toBeGreaterThan(12)
    for (const path of paths) {
      const { text: html } = await member.browser.get(path)
      expect([path, html.includes(`Sandbox clock: ${text}`)]).toEqual([path, true])
      const future = realTimes(html).filter(at => at > Date.now() + 60_000)
      expect([path, future]).toEqual([path, []])
    }
    const { text: live } = await member.browser.get(`${member.home}/live`)
    expect(live).not.toContain('Sandbox clock')
  })
})
