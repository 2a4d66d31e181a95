// Tests saved replies, templates and the banner: who owns them, and what they change.
import { expect, test } from 'bun:test'
import { queryAsOwner } from '#clinical/testing/assertions.ts'
import { openOrganization } from '#auth/integrations.ts'
import { removeClinicText } from '#auth/clinics/texts.ts'
import { type Connection, openPool } from '#database/pool.ts'
import { sql } from '#database/sql.ts'
import { useConsolePages } from '../../testing/console.ts'

const pages = useConsolePages()
const reply = { kind: 'decline', scope: 'own', name: 'In person', body: 'Dear {first_name}.' }

type Member = Awaited<ReturnType<typeof pages.signIn>>
async function save({ browser, home }: Member, fields: Record<string, string>) {
  await browser.get(`${home}/templates`)
  return browser.submit(`${home}/templates`, fields)
}
const listOf = async ({ browser, home }: Member) => (await browser.get(`${home}/templates`)).text
async function withPool<T>(url: string, use: (connection: Connection) => Promise<T>) {
  const pool = openPool({ url, size: 1, name: 'texts' })
  return pool.use(use).finally(() => pool.close())
}

/** Deletes a text as this person's form would, on any page. */
async function remove(path: string, { person, organization }: Member) {
  const id = path.split('/').at(-2) ?? ''
  const act = { surface: 'console', request: 'req_texts', person, organization } as const
  const { refusal } = await withPool(pages.fixtures.database.urls.auth, connection =>
    removeClinicText(connection, id, act),
  )
  return refusal
}

const removalIn = (text: string) => /action="([^"]*\/remove)"/.exec(text)?.[1] ?? ''

test('a personal reply is visible only to its owner, and a clinic reply to everyone', async () => {
  const doctor = await pages.signIn()
  const colleague = await pages.signIn({ roles: ['nurse'] })
  const admin = await pages.signIn({ roles: ['admin'] })
  expect((await save(doctor, reply)).text).toContain('Saved.')
  expect(await listOf(doctor)).toContain('Dear {first_name}.')
  for (const other of [colleague, admin]) expect(await listOf(other)).not.toContain('Dear {first')
  // Saving a reply with the same name replaces it.
  await save(doctor, { ...reply, body: 'Hello {first_name}.' })
  expect(await listOf(doctor)).not.toContain('Dear {first_name}.')

  const shared = { ...reply, scope: 'clinic', body: 'From the clinic.' }
  expect((await save(doctor, shared)).status).toBe(422)
  expect((await save(admin, shared)).text).toContain('Saved.')
  expect(await listOf(colleague)).toContain('From the clinic.')
  expect(removalIn(await listOf(colleague))).toBe('')

  const path = removalIn(await listOf(doctor))
  expect(await remove(path, colleague)).toBe('not_found')
  expect(await remove(path, admin)).toBe('not_found')
  const sharedPath = removalIn(await listOf(admin))
  expect(await remove(sharedPath, colleague)).toBe('admin_required')
  expect(await listOf(doctor)).toContain('Hello {first_name}.')
  await listOf(doctor)
  expect((await doctor.browser.submit(path)).text).toContain('Deleted.')
  const audit = await queryAsOwner<{ action: string; outcome: string }>(
    pages.fixtures,
    sql`select action, outcome from audit.entries where person = ${doctor.person}
         and action like '%ClinicText' order by seq`,
  )
  expect(audit.map(({ action, outcome }) => `${action} ${outcome}`)).toEqual([
    'saveClinicText ok',
    'saveClinicText ok',
    'saveClinicText refused',
    'removeClinicText ok',
  ])
  expect(pages.failures).toEqual([])
})

test('another clinic sees none of the texts', async () => {
  const own = await pages.signIn({ roles: ['admin'] })
  await save(own, { ...reply, scope: 'clinic', name: 'Of this clinic', body: 'Unseen elsewhere.' })
  const path = removalIn(await listOf(own))
  const clinic = await withPool(pages.fixtures.database.url, connection =>
    openOrganization(connection, 'Another clinic', 'another-clinic', 'other@example.com'),
  )
  const other = await pages.signIn({ roles: ['admin'], organization: clinic })
  expect(await listOf(other)).not.toContain('Unseen elsewhere.')
  expect(await remove(path, other)).toBe('not_found')
  expect(await listOf(own)).toContain('Unseen elsewhere.')
})

test('an administrator removes a note template, and a template without text says so', async () => {
  const admin = await pages.signIn({ roles: ['admin'] })
  const nurse = await pages.signIn({ roles: ['nurse'] })
  const template = { kind: 'template', scope: 'clinic', name: 'Refill', body: 'Refill visit:' }
  const empty = await save(admin, { ...template, body: ' ' })
  expect([empty.status, empty.text.includes('Enter the text.')]).toEqual([422, true])
  expect((await save(admin, template)).text).toContain('Saved.')
  const partOf = (text: string) =>
    text.split('<details class="saved-text"').find(part => part.includes('Refill visit:')) ?? ''
  expect(removalIn(partOf(await listOf(nurse)))).toBe('')
  const path = removalIn(partOf(await listOf(admin)))
  expect((await admin.browser.submit(path)).text).toContain('Deleted.')
  expect(await listOf(nurse)).not.toContain('Refill')
  expect(pages.failures).toEqual([])
})

test('own note templates stand beside the built-in ones, and a changed one can be restored', async () => {
  const admin = await pages.signIn({ roles: ['admin'] })
  const namesOf = (text: string) =>
    [...text.matchAll(/<summary>([^<]*)<\/summary>/g)].map(([, name]) => name)
  const builtIn = ['SOAP', 'Short']
  expect(namesOf(await listOf(admin))).toEqual(expect.arrayContaining(builtIn))
  const template = { kind: 'template', scope: 'clinic' }
  await save(admin, { ...template, name: 'Follow-up', body: 'Since the last visit:' })
  const changed = await save(admin, { ...template, name: 'Short', body: 'In one line:' })
  expect(namesOf(changed.text)).toEqual(expect.arrayContaining([...builtIn, 'Follow-up']))
  expect(changed.text).not.toContain('Assessment and plan:')
  const part =
    changed.text.split('<details class="saved-text"').find(one => one.includes('In one line:')) ??
    ''
  expect(part).toContain('Restore the original')
  const restored = await admin.browser.submit(removalIn(part))
  expect(restored.text).toContain('Restored.')
  expect(restored.text).toContain('Assessment and plan:')
  expect(pages.failures).toEqual([])
})

test('a reply is edited in its own form, and deleted after a confirmation', async () => {
  const doctor = await pages.signIn()
  await save(doctor, reply)
  const part = (text: string) =>
    text.split('<details class="saved-text"').find(one => one.includes('In person')) ?? ''
  const changed = { ...reply, body: 'x'.repeat(5001) }
  const { status, text } = await doctor.browser.submit(`${doctor.home}/templates`, changed)
  expect([status, part(text).includes(changed.body)]).toEqual([422, true])
  expect(part(text)).toMatch(/^ open/)
  expect(text).toContain('<details><summary>New reply')
  const saved = await save(doctor, { ...reply, body: 'Hello {first_name}.' })
  expect(part(saved.text)).toContain('>Hello {first_name}.</textarea>')
  expect(part(saved.text)).toMatch(/<details class="confirm"[^]*\/remove"/)
  expect((await doctor.browser.submit(removalIn(saved.text))).text).toContain('Deleted.')
  expect(await listOf(doctor)).not.toContain('Hello {first_name}.')
  expect(pages.failures).toEqual([])
})

test('a refused template keeps what was typed in its own form', async () => {
  const admin = await pages.signIn({ roles: ['admin'] })
  const name = 'n'.repeat(81)
  const given = { kind: 'template', scope: 'clinic', name, body: 'Follow-up:' }
  const { status, text } = await save(admin, given)
  expect([status, text.includes('Enter a name of at most 80 characters.')]).toEqual([422, true])
  const form = text.split('<details').find(part => part.includes('New template')) ?? ''
  expect(form).toMatch(/^[^>]* open/)
  expect([form.includes(`value="${name}"`), form.includes('Follow-up:')]).toEqual([true, true])
  expect(text).not.toContain('Your entries')
})
