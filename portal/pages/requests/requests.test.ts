import { expect, test } from 'bun:test'
import { rivera } from '#contract/examples.ts'
import { hintOf } from '#contract/problems.ts'
import { newId } from '#auth/ids.ts'
import { newRequestId } from '#http/http-request.ts'
import { grant, openOrganization } from '#auth/integrations.ts'
import { invoke, invokeOk } from '#clinical/testing/call.ts'
import { projectAll } from '#clinical/testing/requests.ts'
import { usePortal } from '../../testing/portal.ts'

const portal = usePortal()

type Member = Awaited<ReturnType<typeof portal.signIn>>

async function pageOf({ browser, home }: Member, path: string, mode = 'test') {
  await projectAll(portal.fixtures)
  const answer = await browser.send(`${home}/${mode}/requests${path}`)
  expect(portal.failures).toEqual([])
  return { status: answer.status, text: await answer.text(), headers: answer.headers }
}

/** The IDs of the requests on a page, in order. */
const listed = (text: string) =>
  [...text.matchAll(/\/requests\/(req_\w{26})/g)].map(([, id = '']) => id)

async function refuse(): Promise<string> {
  const request = newRequestId()
  await invoke(portal.fixtures, 'getPatient', { id: newId('patient'), request })
  return request
}

test('without requests, the list suggests a first one', async () => {
  const { text } = await pageOf(await portal.signIn(), '', 'live')
  expect(text).toContain('No requests yet')
  expect(text).toContain('curl &quot;https://api.example.com/v1/organization&quot;')
})

test('the newest matching requests are listed page by page', async () => {
  const member = await portal.signIn()
  const ids: string[] = []
  for (let count = 0; count < 30; count++) ids.push(await refuse())
  // Requests from the same millisecond are in ID order.
  ids.sort().reverse()
  await invokeOk(portal.fixtures, 'listCases')
  const first = await pageOf(member, '?code=not_found')
  expect(listed(first.text)).toEqual(ids.slice(0, 25))
  const older = /href="[^"]*\/requests(\?[^"]*before=[^"]*)">Older/.exec(first.text)?.[1] ?? ''
  expect(older).toContain('code=not_found')
  const second = await pageOf(member, older.replaceAll('&amp;', '&'))
  expect(listed(second.text)).toEqual(ids.slice(25))
  expect(second.text).not.toContain('>Older<')
  const newer = /href="[^"]*\/requests(\?[^"]*after=[^"]*)">Newer/.exec(second.text)?.[1] ?? ''
  const again = await pageOf(member, newer.replaceAll('&amp;', '&'))
  expect(listed(again.text)).toEqual(ids.slice(0, 25))
  expect(again.text).not.toContain('>Newer<')
  const [only] = listed((await pageOf(member, '?operation=listCases')).text)
  expect(ids).not.toContain(only ?? '')
})

test('an impossible filter is marked, and a filter without matches shows a message', async () => {
  const member = await portal.signIn()
  const faulty = await pageOf(member, '?since=yesterday')
  expect(faulty.status).toBe(422)
  expect(faulty.text).toContain('id="since-fault"')
  const none = await pageOf(member, '?until=2026-01-01T00:00')
  expect(none.status).toBe(200)
  expect(none.text).toContain('No matching requests')
  expect(none.text).toContain('value="2026-01-01T00:00"')
})

test('a request’s ID leads to it, and any other ID to the requests that involve it', async () => {
  const member = await portal.signIn()
  const id = await refuse()
  const found = await pageOf(member, `?target=${id}`)
  expect(found.status).toBe(303)
  expect(found.headers.get('location')).toEndWith(`/test/requests/${id}`)
  const { id: patient } = await invokeOk(portal.fixtures, 'createPatient', { body: rivera })
  expect(listed((await pageOf(member, `?target=${patient}`)).text)).toHaveLength(1)
  expect(listed((await pageOf(member, '?target=case_1')).text)).toEqual([])
})

test('a refused request explains its code, and what to do next', async () => {
  const member = await portal.signIn()
  const { status, text } = await pageOf(member, `/${await refuse()}`)
  expect(status).toBe(200)
  expect(text).toContain('GET /v1/patients/{id}')
  expect(text).toContain('href="https://example.com/docs/api/get-patient"')
  expect(text).toContain('href="https://example.com/problems/not_found"')
  expect(text).toContain(hintOf('not_found', 'v1', false))
  expect(text).toContain(`/test/keys/${portal.fixtures.ada.testKey}`)
})

test('a write shows the shape of its body and its events, but no values', async () => {
  const member = await portal.signIn()
  await invokeOk(portal.fixtures, 'createWebhookEndpoint', {
    body: { url: 'https://public.brand.example/hook', event_types: ['*'] },
  })
  const request = newRequestId()
  const key = 'once-only'
  const body = { ...rivera, first_name: 'Zephyrine' }
  await invokeOk(portal.fixtures, 'createPatient', { body, request, key })
  const { text } = await pageOf(member, `/${request}`)
  expect(text).toContain('#/address/city')
  expect(text).toContain('patient.created.v1')
  expect(text).toContain('First request with this key')
  expect(text).not.toContain('Zephyrine')

  const replay = newRequestId()
  await invokeOk(portal.fixtures, 'createPatient', { body, request: replay, key })
  expect((await pageOf(member, `/${replay}`)).text).toContain('Replayed.')
  expect((await pageOf(member, '?operation=createPatient')).text).toContain('Replayed')

  const unknown = newRequestId()
  await invoke(portal.fixtures, 'createPatient', {
    body: { ...rivera, zephyrine_name: 1 },
    request: unknown,
  })
  const refused = await pageOf(member, `/${unknown}`)
  expect(refused.text).toContain('1 unknown field')
  expect(refused.text).not.toContain('zephyrine')
})

test('another integration’s request is not found, like a nonexistent one', async () => {
  const request = newRequestId()
  await invokeOk(portal.fixtures, 'listCases', { as: portal.fixtures.ben.test, request })
  const member = await portal.signIn()
  const theirs = await pageOf(member, `/${request}`)
  const none = await pageOf(member, `/${newRequestId()}`)
  expect([theirs.status, none.status]).toEqual([404, 404])
  expect(theirs.text.replaceAll(request, '')).toBe(none.text.replaceAll(/req_\w{26}/g, ''))
})

test('if several clinics granted access, each one’s requests are found', async () => {
  const { fixtures } = portal
  const { integration, live } = fixtures.ada
  const member = await portal.signIn()
  const request = newRequestId()
  await invokeOk(fixtures, 'listCases', { as: live, request })
  const other = await fixtures.owner.use(async connection => {
    const organization = await openOrganization(connection, 'Second Clinic', 'second-clinic')
    await grant(connection, { integration, organization, mode: 'live' })
    return organization
  })
  const list = await pageOf(member, '', 'live')
  expect(list.text).toContain('Second Clinic')
  expect(listed(list.text)).toContain(request)
  expect(listed((await pageOf(member, `?organization=${other}`, 'live')).text)).toEqual([])
  expect((await pageOf(member, `/${request}`, 'live')).status).toBe(200)
})
