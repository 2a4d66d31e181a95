// Tests the list of agents and devices that act for a person, and revoking them.
import { expect, test } from 'bun:test'
import { sql } from '#database/sql.ts'
import { beginDevice, registerClient } from '../testing/clients.ts'
import { decideRequest, enterCode } from '../testing/devices.ts'
import type { TestBrowser } from '../testing/browser.ts'
import { usePages } from '../testing/pages.ts'
import { signIn } from '../testing/sign-in.ts'
import { toastIn } from '../testing/toasts.ts'

const { people, pages, openMember } = await usePages()

async function connectOne(browser: TestBrowser, name: string) {
  const client = await registerClient(pages.origin, { name })
  const device = await beginDevice(client, { resource: pages.resources.api })
  await enterCode(browser, device.userCode)
  await decideRequest(browser, { decide: 'approve' })
  await device.poll()
  return client
}

async function connected(name: string) {
  const opened = await openMember()
  await signIn(opened.browser, people, opened.person)
  return { ...opened, client: await connectOne(opened.browser, name) }
}

const namesIn = ({ text }: { text: string }) =>
  [...text.matchAll(/<h2>“([^”]+)”/g)].map(([, name]) => name)

test('each is listed with its scopes until it ends or its client is revoked', async () => {
  const { person, browser, client } = await connected('First')
  const second = await connectOne(browser, 'Second')
  await connectOne(browser, 'Third')
  const page = await browser.get('/')
  expect(page.text).toContain('<p>Device with access to <strong>')
  expect(page.text).toMatch(/Since <time [^>]+>[^<]+<\/time>\. Not used yet\./)
  expect(page.text).toContain('<code>patients:read</code>')
  // Newest first.
  expect(namesIn(page)).toEqual(['Third', 'Second', 'First'])
  await people.run(sql`
    update auth.token_families set ends_at = now() - interval '1 ms' where client = ${client.id}`)
  await people.run(sql`update auth.clients set revoked_at = now() where id = ${second.id}`)
  expect(namesIn(await browser.get('/'))).toEqual(['Third'])
  await people.run(sql`update auth.members set removed_at = now() where person = ${person.id}`)
  const { text } = await browser.get('/')
  expect(text).toContain('No agents or devices yet.')
  expect(text).toContain('href="/device"')
  expect(text).toMatch(/class="button second" href="\/account"/)
})

test('revoking one ends its family, with an audit row, and no other person’s family', async () => {
  const { person, browser } = await connected('One')
  const other = await connected('Other')
  await browser.get('/')
  const { client, integration } = other
  await browser.post('/access/end', { client: client.id, integration })
  expect(namesIn(await other.browser.get('/'))).toEqual(['Other'])
  const page = await browser.submit('/access/end')
  expect([page.url, namesIn(page), toastIn(page)]).toEqual(['/', [], 'Access revoked'])
  const rows = await people.run(sql`
    select person, revoked_reason from auth.token_families
     where person in (${person.id}, ${other.person.id}) order by revoked_at nulls last, id`)
  expect([...rows]).toEqual([
    { person: person.id, revoked_reason: 'ended_by_person' },
    { person: other.person.id, revoked_reason: null },
  ])
  const audited = await people.run(sql`
    select mode, outcome, status from audit.entries
     where action = 'auth.end_access' and person = ${person.id} and client is not null`)
  expect([...audited]).toEqual([{ mode: 'test', outcome: 'ok', status: 303 }])
})
