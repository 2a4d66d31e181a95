// Tests live mode with two clinics. Endpoints belong to the integration, and each event to one
// clinic.
import { beforeAll, expect, test } from 'bun:test'
import { grant, openOrganization } from '#auth/integrations.ts'
import { invokeOk, rivera } from '#clinical/testing/call.ts'
import { openTestWorker } from '#clinical/deliveries/engine/testing/worker.ts'
import { usePortal } from '../../testing/portal.ts'

const portal = usePortal()
const clinics: { id: string; event: string }[] = []
let endpoint = ''
beforeAll(async () => {
  const { fixtures } = portal
  const { integration, live } = fixtures.ada
  const second = await fixtures.owner.use(connection =>
    openOrganization(connection, 'Second Clinic', 'second-clinic'),
  )
  const first = (await invokeOk(fixtures, 'getOrganization', { as: live })).id
  await fixtures.owner.use(connection =>
    grant(connection, { integration, organization: second, mode: 'live' }),
  )
  endpoint = (
    await invokeOk(fixtures, 'createWebhookEndpoint', {
      as: live,
      organization: first,
      body: { url: 'https://public.brand.example/hook', event_types: ['*'] },
    })
  ).id
  for (const organization of [first, second]) {
    const as = { as: live, organization }
    await invokeOk(fixtures, 'createPatient', { ...as, body: rivera })
    const { data } = await invokeOk(fixtures, 'listEvents', as)
    clinics.push({ id: organization, event: data.at(-1).id })
  }
  const worker = await openTestWorker(fixtures)
  // Both attempts fail: live mode doesn't send to addresses on this machine.
  await worker.waitForLines('webhook.attempted', 2)
  await worker.stop()
})

test("endpoints and deliveries are the integration's, whichever clinic an event belongs to", async () => {
  const { browser, home } = await portal.signIn()
  for (const page of ['webhooks', `webhooks/${endpoint}`, 'deliveries']) {
    const { status, text } = await browser.get(`${home}/live/${page}`)
    expect(status).toBe(200)
    expect(text).toContain('public.brand.example')
  }
  const { text } = await browser.get(`${home}/live/deliveries`)
  const ids = [...new Set([...text.matchAll(/deliveries\/(dlv_\w+)/g)].map(([, id]) => id ?? ''))]
  expect(ids).toHaveLength(2)
  const bodies = []
  for (const id of ids) bodies.push((await browser.get(`${home}/live/deliveries/${id}`)).text)
  // Each page includes the delivery's event, which is visible only to a connection set to its
  // clinic.
  for (const [at, { id, event }] of clinics.toReversed().entries()) {
    expect(bodies[at]).toContain(`{&quot;id&quot;:&quot;${event}&quot;`)
    expect(bodies[at]).toContain(id)
  }
})

test('events belong to the chosen clinic, and an ID is found in any clinic', async () => {
  const { browser, home } = await portal.signIn({ role: 'viewer' })
  const [first, second] = clinics
  const shown = async (query: string) => (await browser.get(`${home}/live/events${query}`)).text
  const page = await shown(`?organization=${second?.id}`)
  expect(page).toContain('Second Clinic')
  expect(page).toContain(second?.event ?? 'an event')
  expect(page).not.toContain(first?.event ?? 'an event')
  expect(await shown(`?organization=${first?.id}`)).toContain(first?.event ?? 'an event')
  for (const { event } of clinics) {
    expect((await browser.get(`${home}/live/events/${event}`)).status).toBe(200)
  }
})

test('an event is redelivered for its own clinic', async () => {
  const { browser, home } = await portal.signIn()
  for (const { event } of clinics) {
    const page = `${home}/live/events/${event}`
    await browser.get(page)
    const again = await browser.submit(`${page}/redeliver`)
    expect(again.status).toBe(200)
    expect(again.text.match(/deliveries\/dlv_/g)).toHaveLength(2)
  }
})
