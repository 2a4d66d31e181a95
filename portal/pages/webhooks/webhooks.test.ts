// Tests the webhooks pages, in a browser without scripts, over the API and its database.
import { beforeEach, expect, test } from 'bun:test'
import path from 'node:path'
import { vectors } from '#contract/vectors/webhook-signatures.json'
import { limits } from '#contract/limits.ts'
import { queryAsOwner } from '#clinical/testing/assertions.ts'
import { invokeOk } from '#clinical/testing/call.ts'
import { clearEndpoints } from '#clinical/testing/valid-calls.ts'
import { sql } from '#database/sql.ts'
import { usePortal } from '../../testing/portal.ts'

const portal = usePortal()
beforeEach(() => clearEndpoints(portal.fixtures))

const url = 'https://public.brand.example/hook'
const make = () =>
  invokeOk(portal.fixtures, 'createWebhookEndpoint', {
    body: { url, event_types: ['order.shipped.v1'] },
  })
const endpoints = async () => (await invokeOk(portal.fixtures, 'listWebhookEndpoints', {})).data
const actionsOf = async (action: string) =>
  queryAsOwner(
    portal.fixtures,
    sql`select surface, outcome, person from audit.entries where action = ${action} order by seq`,
  )

test('an endpoint is created once however often the form is submitted, and its secret is shown only once', async () => {
  const { browser, home, person } = await portal.signIn()
  const path = `${home}/test/webhooks/new`
  await browser.get(path)
  const values = { url, event_types: 'order.shipped.v1', description: 'Orders' }
  const form = browser.page.text
  const made = await browser.submit(path, values)
  expect(made.status).toBe(200)
  const [secret] = made.text.match(/whsec_[0-9A-Za-z]{32}/) ?? []
  expect(secret).toBeDefined()
  expect(made.text).toContain('timingSafeEqual')

  const [, once = ''] = /name="once" value="([^"]+)"/.exec(form) ?? []
  await browser.get(path)
  const again = await browser.submit(path, { ...values, once })
  expect(again.text).toContain(secret ?? 'a secret')
  const [only, ...others] = await endpoints()
  expect(others).toEqual([])
  expect(only).toMatchObject({ url, event_types: ['order.shipped.v1'], description: 'Orders' })
  for (const page of ['', `/${only?.id}`, `/${only?.id}/edit`]) {
    const shown = await browser.get(`${home}/test/webhooks${page}`)
    expect(shown.status).toBe(200)
    expect(shown.text).not.toContain('whsec_')
    expect(shown.text).toContain(url)
  }
  expect(await actionsOf('createWebhookEndpoint')).toEqual([
    { surface: 'portal', outcome: 'ok', person },
    { surface: 'portal', outcome: 'replayed', person },
  ])
})

test.each(vectors)('the page’s verification code works: $name', async vector => {
  const { isGenuine } = await import(path.join(import.meta.dir, 'verification.js'))
  const { body, header, secret, now, expected } = vector
  expect(isGenuine(body, header, secret, now)).toBe(expected === 'accepted')
})

test.each([
  ['http://localhost:3000/hooks', 'localhost:3000/hooks'],
  ['localhost:3000', 'localhost:3000'],
  ['https://127.0.0.1/', '127.0.0.1'],
])('%s is refused with the command that forwards events there', async (url, target) => {
  const { browser, home } = await portal.signIn()
  const path = `${home}/test/webhooks/new`
  await browser.get(path)
  const page = await browser.submit(path, { url, event_types: '*' })
  expect(page.status).toBe(422)
  expect(page.text).toContain('id="url-fault"')
  expect(page.text).toContain(`data-copy="svc listen --forward-to ${target}"`)
})

test('an error appears at its field, which keeps the typed text', async () => {
  const { browser, home } = await portal.signIn()
  const path = `${home}/test/webhooks/new`
  await browser.get(path)
  const none = await browser.submit(path, {
    url: 'https://inside.brand.example/',
    description: 'Mine',
  })
  expect(none.status).toBe(422)
  expect(none.text).toContain('id="event_types-fault"')
  expect(none.text).toContain('value="Mine"')
  const unsafe = await browser.submit(path, {
    url: 'https://inside.brand.example/',
    event_types: '*',
  })
  expect(unsafe.status).toBe(422)
  expect(unsafe.text).toContain('id="url-fault"')
  expect(await endpoints()).toEqual([])
})

test('all events plus single ones means all events', async () => {
  const { browser, home } = await portal.signIn()
  const path = `${home}/test/webhooks/new`
  await browser.get(path)
  const { text } = browser.page
  const hidden = ['form', 'once'].map(name => [
    name,
    new RegExp(`name="${name}" value="([^"]+)"`).exec(
      text.split(`action="${path}"`)[1] ?? '',
    )?.[1] ?? '',
  ])
  const body = new URLSearchParams([
    ...(hidden as [string, string][]),
    ['url', url],
    ['event_types', '*'],
    ['event_types', 'order.shipped.v1'],
  ])
  expect((await browser.send(path, { method: 'POST', body })).status).toBe(200)
  expect((await endpoints())[0]).toMatchObject({ event_types: ['*'] })
})

test('the list says how close an endpoint is to being disabled, by the database’s count', async () => {
  const { id } = await make()
  const { browser, home } = await portal.signIn()
  expect((await browser.get(`${home}/test/webhooks`)).text).not.toContain(
    `of ${limits.webhookFailuresMax}`,
  )
  await queryAsOwner(
    portal.fixtures,
    sql`insert into test.failed_events (tenant, webhook_endpoint, event)
        select tenant, id, 'evt_' || n from test.webhook_endpoints, generate_series(1, 3) n
         where id = ${id}`,
  )
  for (const page of ['', `/${id}`]) {
    const shown = await browser.get(`${home}/test/webhooks${page}`)
    expect(shown.text).toContain(`3 of ${limits.webhookFailuresMax}`)
  }
})

test('an endpoint is edited, disabled, enabled and deleted with forms on its page', async () => {
  const { id } = await make()
  const { browser, home } = await portal.signIn({ role: 'developer' })
  const page = `${home}/test/webhooks/${id}`
  const steps = [
    ['edit', { url: `${url}/2`, event_types: '*', include_resource: 'true' }],
    ['disable', {}],
    ['enable', {}],
  ] as const
  const states = []
  for (const [step, values] of steps) {
    await browser.get(step === 'edit' ? `${page}/edit` : page)
    const shown = await browser.submit(`${page}/${step}`, values)
    expect([shown.status, shown.url]).toEqual([200, page])
    states.push((await endpoints())[0])
  }
  expect(states).toMatchObject([
    { url: `${url}/2`, event_types: ['*'], include_resource: true, status: 'enabled' },
    { status: 'disabled' },
    { status: 'enabled' },
  ])
  await browser.get(page)
  expect((await browser.submit(`${page}/delete`)).url).toBe(`${home}/test/webhooks`)
  expect(await endpoints()).toEqual([])
  expect((await browser.get(page)).status).toBe(404)
})

test('a rotated secret is shown once, and the page says how long the old one still signs', async () => {
  const { id, secret } = await make()
  const { browser, home } = await portal.signIn()
  const page = `${home}/test/webhooks/${id}`
  await browser.get(page)
  const rotated = await browser.submit(`${page}/rotate`)
  const [shown] = rotated.text.match(/whsec_[0-9A-Za-z]{32}/) ?? []
  expect(shown).toBeDefined()
  expect(shown).not.toBe(secret ?? '')
  const after = await browser.get(page)
  expect(after.text).toContain('The previous secret also signs until')
  expect(after.text).not.toContain('whsec_')
})

test('a test event goes to the chosen endpoint; live mode has none', async () => {
  const { id } = await make()
  const { browser, home } = await portal.signIn()
  await browser.get(`${home}/test/webhooks`)
  await browser.submit(`${home}/test/webhooks/trigger`, {
    type: 'case.approved.v1',
    webhook_endpoint: id,
  })
  const { data } = await invokeOk(portal.fixtures, 'listEvents', {})
  expect(data.at(-1)).toMatchObject({ type: 'case.approved.v1' })
  expect((await browser.get(`${home}/live/webhooks`)).text).not.toContain('Send test event')
})

test('others’ endpoints are not found, like nonexistent ones', async () => {
  const { id } = await make()
  const { browser, home } = await portal.signIn({ integration: portal.fixtures.ben.integration })
  expect((await browser.get(`${home}/test/webhooks/${id}`)).status).toBe(404)
  expect((await browser.get(`${home}/test/webhooks/${id}/edit`)).status).toBe(404)
  expect((await browser.get(`${home}/test/webhooks`)).text).not.toContain(url)
})

test('an empty list says who adds live endpoints', async () => {
  const textFor = async (mayChangeLive: boolean) => {
    const { integration } = portal.fixtures.ben
    const { browser, home } = await portal.signIn({ integration, role: 'developer', mayChangeLive })
    return (await browser.get(`${home}/live/webhooks`)).text
  }
  expect(await textFor(false)).toContain('Only owners can add live endpoints.')
  expect(await textFor(true)).not.toContain('Only owners can add live endpoints.')
})
