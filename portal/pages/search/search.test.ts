// Tests the search for an ID, a page title, a key and an endpoint.
import { expect, test } from 'bun:test'
import { newId } from '#auth/ids.ts'
import { usePortal } from '../../testing/portal.ts'

const portal = usePortal()

async function search(query: string, { role = 'owner', mode = 'test', isDialog = false } = {}) {
  const { browser, home } = await portal.signIn({ role: role as 'owner' })
  const path = `${home}/${mode}/search?${new URLSearchParams({ q: query })}`
  const answer = await browser.send(path, isDialog ? { headers: { 'x-jump': 'dialog' } } : {})
  const text = await answer.text()
  const links = [...text.matchAll(/<li><a href="([^"]+)"><span class="jump-label">/g)]
  return {
    status: answer.status,
    location: answer.headers.get('location')?.replace(`${home}/${mode}`, ''),
    links: links.map(([, href]) => href?.replaceAll('&amp;', '&').replace(`${home}/${mode}`, '')),
    text,
  }
}

test.each([
  ['request', '/requests'],
  ['event', '/events'],
  ['delivery', '/deliveries'],
  ['webhook_endpoint', '/webhooks'],
  ['key', '/keys'],
  ['client', '/clients'],
] as const)('the ID of a %s opens its page', async (noun, folder) => {
  const id = newId(noun)
  expect(await search(id)).toMatchObject({ status: 303, location: `${folder}/${id}` })
})

test('the dialog shows a single result instead of opening it', async () => {
  const id = newId('event')
  const found = await search(id, { isDialog: true })
  expect([found.status, found.links]).toEqual([200, [`/events/${id}`]])
})

test('a case’s ID leads to the case, its requests and events; a patient’s ID to the latter two', async () => {
  const [kase, patient] = [newId('case'), newId('patient')]
  expect((await search(kase)).links).toEqual([
    `/sandbox/cases/${kase}`,
    `/requests?target=${kase}`,
    `/events?resource=${kase}`,
  ])
  expect((await search(kase, { mode: 'live' })).links).toEqual([
    `/requests?target=${kase}`,
    `/events?resource=${kase}`,
  ])
  expect((await search(patient)).links).toHaveLength(2)
})

test('pages are found by title, but only those the member may open', async () => {
  expect((await search('new key')).location).toBe('/keys/new')
  expect((await search('new key', { role: 'viewer' })).links).not.toContain('/keys/new')
  expect((await search('')).links).toContain('/webhooks')
  expect((await search('', { role: 'billing' })).links).not.toContain('/webhooks')
})

test('keys and endpoints are found by their names', async () => {
  const { browser, home } = await portal.signIn()
  const path = `${home}/test/keys/new`
  await browser.get(path)
  await browser.submit(path, { name: 'Nightly export', scope: 'events:read' })
  expect((await search('nightly')).location).toStartWith('/keys/key_')
})

test('a search without a result says what can be searched', async () => {
  const { status, links, text } = await search('req_1')
  expect([status, links]).toEqual([200, []])
  expect(text).toContain('No results')
})
