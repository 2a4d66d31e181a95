import { expect, test } from 'bun:test'
import { sql } from '#database/sql.ts'
import { beginDevice, registerClient } from '../testing/clients.ts'
import { decideRequest, enterCode } from '../testing/devices.ts'
import type { TestBrowser } from '../testing/browser.ts'
import { usePages } from '../testing/pages.ts'
import { signIn } from '../testing/sign-in.ts'

const { people, pages, openMember, newBrowser } = await usePages()

async function connectOne(browser: TestBrowser, name: string) {
  const client = await registerClient(pages.origin, { name })
  const device = await beginDevice(client, { resource: pages.resources.api })
  await enterCode(browser, device.userCode)
  await decideRequest(browser, { decide: 'approve' })
  await device.poll()
  return client
}

async function connected(name: string) {
  const { person, integration, browser } = await openMember()
  await signIn(browser, people, person, '/device')
  const client = await connectOne(browser, name)
  return { person, integration, browser, client }
}

test('without any, the page says that nothing acts for the person, and where to connect a device', async () => {
  const person = await people.addPerson()
  const browser = newBrowser()
  const page = await signIn(browser, people, person)
  expect(page.text).toContain('Nothing acts for you.')
  expect(page.text).toContain('href="/device"')
})

test('each stands with what it may do, where and since when', async () => {
  const { browser } = await connected('A laptop')
  const { text } = await browser.get('/')
  expect(text).toContain('“A laptop”')
  expect(text).toContain('<p>Device with access to <strong>')
  expect(text).toMatch(/Since <time datetime="[^"]+">[^<]+<\/time>\. Not used yet\./)
  expect(text).toContain('<code>patients:read</code>')
})

test('what was ended, has ended by time, or acts by a client that is revoked is not listed', async () => {
  const { browser, client } = await connected('First')
  const second = await connectOne(browser, 'Second')
  await connectOne(browser, 'Third')
  await connectOne(browser, 'Fourth')
  const names = async () =>
    [...(await browser.get('/')).text.matchAll(/<h2>“([^”]+)”/g)].map(([, name]) => name)
  // The newest first.
  expect(await names()).toEqual(['Fourth', 'Third', 'Second', 'First'])
  await browser.submit('/access/end')
  expect(await names()).toEqual(['Third', 'Second', 'First'])
  await people.run(sql`
    update auth.token_families set ends_at = now() - interval '1 ms' where client = ${client.id}`)
  expect(await names()).toEqual(['Third', 'Second'])
  await people.run(sql`update auth.clients set revoked_at = now() where id = ${second.id}`)
  expect(await names()).toEqual(['Third'])
})

test('ending one ends its family and tokens, with an audit row, and leaves those of others', async () => {
  const { person, browser } = await connected('One')
  const other = await connected('Other')
  await browser.get('/')
  const page = await browser.submit('/access/end')
  expect(page).toMatchObject({ status: 200, url: '/' })
  expect(page.text).toContain('Nothing acts for you.')
  const rows = await people.run(sql`
    select person, revoked_reason from auth.token_families
     where person in (${person.id}, ${other.person.id}) order by revoked_at nulls last, id`)
  expect([...rows]).toEqual([
    { person: person.id, revoked_reason: 'ended_by_person' },
    { person: other.person.id, revoked_reason: null },
  ])
  const audited = await people.run(sql`
    select person, client is not null as client, mode, outcome, status from audit.entries
     where action = 'auth.end_access' and person = ${person.id}`)
  expect([...audited]).toEqual([
    { person: person.id, client: true, mode: 'test', outcome: 'ok', status: 303 },
  ])
})

test('no person ends what acts for another', async () => {
  const ada = await connected('Of Ada')
  const ben = await connected('Of Ben')
  await ben.browser.get('/')
  await ben.browser.submit('/access/end', {
    client: ada.client.id,
    integration: ada.integration,
  })
  expect((await ada.browser.get('/')).text).toContain('“Of Ada”')
})

test('a member who is removed has nothing left to end', async () => {
  const { person, browser } = await connected('One')
  await people.run(sql`update auth.members set removed_at = now() where person = ${person.id}`)
  expect((await browser.get('/')).text).toContain('Nothing acts for you.')
})
