import { expect, test } from 'bun:test'
import { type CallableId, callable, callableIds } from '#contract/callable.ts'
import { grant, openOrganization } from '#auth/integrations.ts'
import { queryAsOwner } from '#clinical/testing/assertions.ts'
import { invoke, invokeOk } from '#clinical/testing/call.ts'
import { projectAll } from '#clinical/testing/requests.ts'
import { sql } from '#database/sql.ts'
import { usePortal } from '../../testing/portal.ts'

const portal = usePortal()

type Browser = Awaited<ReturnType<typeof portal.signIn>>['browser']

async function homeOf({ browser, home }: { browser: Browser; home: string }, mode = 'test') {
  await projectAll(portal.fixtures)
  const answer = await browser.send(`${home}/${mode}`)
  expect(portal.failures).toEqual([])
  return (await answer.text()).replaceAll('<wbr/>', '')
}

/** The incomplete steps, each with its commands. */
const stepsOf = (html: string) =>
  [...html.matchAll(/<li><span class="mark">.*?<strong>(.*?)<\/strong>.*?data-copy="(.*?)"/gs)].map(
    ([, title = '', lines = '']) => ({
      title,
      lines: lines.replaceAll('&quot;', '"').replaceAll('&amp;', '&'),
    }),
  )

const operationAt = (method: string, path: string) =>
  callableIds.find(id => {
    const row = callable[id]
    const shape = new RegExp(`^${row.path.replaceAll(/\{\w+\}/g, '([^/]+)')}$`)
    return row.method === method && shape.test(path)
  }) as CallableId

/** Sends the API requests in a step's commands. */
async function run(lines: string) {
  for (const line of lines.split(/^(?=curl )/m).filter(one => one.startsWith('curl '))) {
    const [, method = 'GET', url = ''] = /^curl (?:-X (\w+) )?"([^"]+)"/.exec(line) ?? []
    expect(line).toContain('-H "Authorization: Bearer $KEY"')
    const path = new URL(url).pathname
    const body = /-d '(.*)'/s.exec(line)?.[1]
    const operation = operationAt(method, path)
    const template = callable[operation].path.split('/')
    const id = path.split('/').find((_, at) => template[at]?.startsWith('{'))
    await invokeOk(portal.fixtures, operation, {
      ...(id !== undefined && { id }),
      ...(body !== undefined && { body: JSON.parse(body) }),
    })
  }
}

test('each step’s lines, copied one after another, lead to a delivered order', async () => {
  const member = await portal.signIn()
  const titles: string[] = []
  for (;;) {
    const html = await homeOf(member)
    const [next] = stepsOf(html)
    expect(html).toContain(`${titles.length} of 8 steps complete`)
    if (next === undefined || next.title === 'Receive an event') break
    titles.push(next.title)
    await run(next.lines)
  }
  expect(titles).toEqual([
    'Send your first request',
    'Create a patient',
    'Record both consents',
    'File a case',
    'Approve the case',
    'Ship the order',
    'Deliver the order',
  ])

  // An endpoint that hasn't responded is named in the line that sends it an event.
  const { id: endpoint } = await invokeOk(portal.fixtures, 'createWebhookEndpoint', {
    body: { url: 'https://public.brand.example/hook', event_types: ['*'] },
  })
  const [receive] = stepsOf(await homeOf(member))
  expect(receive?.lines).toContain(endpoint)
  await queryAsOwner(
    portal.fixtures,
    sql`insert into test.deliveries (tenant, id, event, event_tenant, event_type, webhook_endpoint,
               status, attempt, http_status, created_at)
        select id, 'dlv_1', 'evt_1', id, 'case.approved.v1', ${endpoint}, 'delivered', 1, 200, now()
          from test.tenants where integration = ${portal.fixtures.ada.integration}
           and organization is null`,
  )
  const complete = await homeOf(member)
  expect(complete).toContain('8 of 8 steps')
})

test('the latest errors are listed, and each request is counted', async () => {
  const member = await portal.signIn()
  await invoke(portal.fixtures, 'getPatient', { id: 'pat_01m7z52vva9xd52sm8krbgk3ak' })
  const html = await homeOf(member)
  expect(html).toContain('Recent errors')
  expect(html).toContain('GET /v1/patients/{id}')
  expect(html).toContain('Requests by status')
  expect(html).not.toContain('pat_01m7z52vva9xd52sm8krbgk3ak')
})

test('a viewer sees everything, and the billing role only what it may read', async () => {
  const viewer = await homeOf(await portal.signIn({ role: 'viewer' }))
  expect(viewer).toContain('class="steps"')
  expect(viewer).not.toContain('>New key<')
  const billing = await homeOf(await portal.signIn({ role: 'billing' }))
  expect(billing).toContain('Billing')
  expect(billing).not.toContain('class="steps"')
  expect(billing).not.toContain('<figure')
  expect(billing).not.toContain('Recent errors')
})

test('live mode shows the missing requirements instead of the getting-started steps', async () => {
  const html = await homeOf(await portal.signIn(), 'live')
  expect(html).not.toContain('Send your first request')
  expect(html).toContain('Go live')
  expect(html).toContain('/live/go-live"')
  expect(html).toContain('Requests by status')
})

test('if several clinics granted access, the charts are the chosen clinic’s', async () => {
  const { fixtures } = portal
  const { integration } = fixtures.ada
  const second = await fixtures.owner.use(async connection => {
    const organization = await openOrganization(connection, 'Second Clinic', 'second-clinic')
    await grant(connection, { integration, organization, mode: 'live' })
    return organization
  })
  await invokeOk(fixtures, 'listCases', { as: fixtures.ada.live, organization: second })
  const member = await portal.signIn()
  const first = await homeOf(member, 'live')
  expect(first).toContain('Second Clinic')
  expect(first).toContain('No requests in the last 24 hours')
  expect(await homeOf(member, `live?organization=${second}`)).not.toContain(
    'No requests in the last',
  )
})
