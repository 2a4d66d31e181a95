// Tests pages about one clinic's data for an integration with several clinics.
import { beforeAll, expect, test } from 'bun:test'
import { newId } from '#auth/ids.ts'
import { grant, issueKey, openOrganization } from '#auth/integrations.ts'
import { issueToken } from '#auth/testing/tokens.ts'
import { invoke, invokeOk, rivera } from '#clinical/testing/call.ts'
import { projectAll } from '#clinical/testing/requests.ts'
import { newRequestId } from '#http/http-request.ts'
import { usePortal } from './testing/portal.ts'

const portal = usePortal()
const request = newRequestId()
let [second, empty, patient, event] = ['', '', '', '']

beforeAll(async () => {
  const { fixtures } = portal
  const { integration, live } = fixtures.ada
  const open = (name: string) =>
    fixtures.owner.use(async connection => {
      const organization = await openOrganization(connection, name, name.toLowerCase())
      await grant(connection, { integration, organization, mode: 'live' })
      return organization
    })
  second = await open('Second')
  empty = await open('Empty')
  const as = { as: live, organization: second }
  await invoke(fixtures, 'getPatient', { ...as, id: newId('patient'), request })
  patient = (await invokeOk(fixtures, 'createPatient', { ...as, body: rivera })).id
  event = (await invokeOk(fixtures, 'listEvents', as)).data[0].id
  await projectAll(fixtures)
})

async function open(path: string, query: Record<string, string> = {}, mode = 'live') {
  const { browser, home } = await portal.signIn()
  const { status, text } = await browser.get(`${home}/${mode}${path}?${new URLSearchParams(query)}`)
  expect([path, status, portal.failures]).toEqual([path, 200, []])
  return text.replaceAll('&amp;', '&').replaceAll(home, '')
}

const hrefOf = (text: string, label: string) =>
  new RegExp(`href="([^"]*)">${label}<`).exec(text)?.[1]

const formTags = /<form[^>]*>/g

/** Links and refreshes that lead to one clinic's data. */
const clinicPaths = (text: string) =>
  [...text.replaceAll(formTags, '').matchAll(/(?:href|hx-get)="(\/live[^"]*)"/g)]
    .map(([, path = '']) => path)
    .filter(path =>
      /^\/live(\/(requests|events|metrics|changes|usage)(\/[^?]*)?)?(\?|$)/.test(path),
    )

test.each([
  ['home', () => ''],
  ['requests', () => '/requests'],
  ['a request', () => `/requests/${request}`],
  ['events', () => '/events'],
  ['an event', () => `/events/${event}`],
  ['metrics', () => '/metrics'],
  ['API changes', () => '/changes'],
  ['usage', () => '/usage'],
])('%s: every link to a clinic’s data keeps the chosen clinic', async (_, path) => {
  const paths = clinicPaths(await open(path(), { organization: second }))
  expect(paths.length).toBeGreaterThan(5)
  expect(paths.filter(one => !one.includes(`organization=${second}`))).toEqual([])
})

test('filters, and clearing them, keep the chosen clinic', async () => {
  for (const [path, filter] of [
    ['/requests', { outcome: 'failed' }],
    ['/events', { type: 'case.approved.v1' }],
  ] as const) {
    const text = await open(path, { organization: second, ...filter })
    const cleared = `/live${path}?organization=${second}`
    expect(hrefOf(text, 'Clear filters')).toBe(cleared)
    expect(hrefOf(text, 'Clear')).toBe(cleared)
    const forms = [...text.matchAll(/<form class="filters".*?<\/form>/gs)].map(([form]) => form)
    const [[name, value] = []] = Object.entries(filter)
    expect(forms).toEqual([
      expect.stringContaining(`<input type="hidden" name="${name}" value="${value}"/>`),
      expect.stringContaining(`<input type="hidden" name="organization" value="${second}"/>`),
    ])
    // Otherwise the URL would name two clinics.
    expect(forms[1]).toContain(`hx-get="/live${path}"`)
  }
})

test('a list shows which clinic it’s about, and a clinic without items isn’t a filter', async () => {
  for (const [path, none] of [
    ['/requests', 'No requests yet'],
    ['/events', 'No events yet'],
  ] as const) {
    const text = await open(path, { organization: empty })
    const shown = text.replace(/<details class="filter-fold".*?<\/details>/s, '')
    expect(shown).toContain(`<option value="${empty}" selected>Empty</option>`)
    expect(text).toContain(none)
  }
})

test('a key’s and a client’s requests are those of its clinic', async () => {
  const { fixtures } = portal
  const { integration } = fixtures.ada
  const [pepper] = fixtures.context.peppers
  const limited = { integration, organization: second, mode: 'live', name: 'Limited' } as const
  const [key, client] = await fixtures.owner.use(async connection => [
    await issueKey(connection, pepper, limited),
    await issueToken(connection, pepper, limited),
  ])
  const sent = newRequestId()
  await invokeOk(fixtures, 'listCases', { as: key.key, request: sent })
  await invokeOk(fixtures, 'listCases', { as: client.token })
  await projectAll(fixtures)
  const list = `/live/requests?organization=${second}`
  const hrefOn = async (path: string, label: string) => hrefOf(await open(path), label)
  expect(await hrefOn(`/keys/${key.id}`, 'All requests')).toBe(`${list}&credential=${key.id}`)
  expect(await hrefOn(`/requests/${sent}`, 'View requests')).toBe(`${list}&credential=${key.id}`)
  expect(await hrefOn(`/clients/${client.client}`, 'All requests')).toBe(
    `${list}&client=${client.client}`,
  )
})

test('a request is found in any clinic', async () => {
  const { browser, home } = await portal.signIn()
  const path = `${home}/live/requests?organization=${empty}&target=${request}`
  expect((await browser.get(path)).text).toContain('GET /v1/patients/{id}')
})

test('a search for an ID leads to the lists of the clinic that has it', async () => {
  const text = await open('/search', { q: patient })
  expect(text).toContain(`"/live/requests?organization=${second}&target=${patient}"`)
  expect(text).toContain(`"/live/events?organization=${second}&resource=${patient}"`)
  expect(await open('/search', { q: newId('patient') })).not.toContain('organization=')
})

test('an agent’s requests are from the clinic that its page shows', async () => {
  const { fixtures } = portal
  const { integration } = fixtures.ada
  await fixtures.owner.use(connection =>
    grant(connection, { integration, organization: second, mode: 'test' }),
  )
  const [pepper] = fixtures.context.peppers
  const agent = await fixtures.owner.use(connection =>
    issueToken(connection, pepper, { integration, kind: 'agent', role: 'developer' }),
  )
  await invokeOk(fixtures, 'listPatients', { as: agent.token, organization: second })
  await projectAll(fixtures)
  const path = `/access/${agent.client}/${agent.person}/agent`
  const text = await open(path, { organization: second }, 'test')
  expect(hrefOf(text, 'All requests')).toContain(`organization=${second}`)
  // Choosing a clinic loads the whole page, so no link keeps the former clinic.
  expect(text).not.toContain('hx-get')
})
