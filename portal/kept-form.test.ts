// Tests that a form sent with an old second factor keeps its entries, and that it does nothing
// until its person has confirmed who they are and sent it again.
import { beforeAll, describe, expect, test } from 'bun:test'
import { type PortalRowId, portalRowIds, portalRows } from '#contract/portal/table.ts'
import type { PortalRow } from '#contract/portal/row.ts'
import { inviteMember } from '#auth/accounts/members.ts'
import { createClient } from '#auth/administration.ts'
import { requestGrant } from '#auth/grants/grants.ts'
import { issueKey, openIntegration, openOrganization } from '#auth/integrations.ts'
import { hiddenFields } from '#auth/testing/browser.ts'
import { queryAsOwner } from '#clinical/testing/assertions.ts'
import { invokeOk } from '#clinical/testing/call.ts'
import { sql } from '#database/sql.ts'
import { table } from './table.ts'
import { addMember, usePortal } from './testing/portal.ts'

const portal = usePortal()

type SignedIn = Awaited<ReturnType<typeof portal.signIn>>
type Entries = readonly (readonly [name: string, value: string])[]

const setFactorAge = ({ person }: SignedIn, seconds: number) =>
  queryAsOwner(
    portal.fixtures,
    sql`update auth.credentials
           set second_factor_at = clock_timestamp() - ${seconds}::int * interval '1 second'
         where person = ${person}`,
  )

/** Sends the current page's form with an old second factor, then the kept form with a new one. */
async function sendLate(signed: SignedIn, path: string, entries: Entries) {
  const { browser } = signed
  const body = new URLSearchParams(hiddenFields(browser.page.text, path))
  for (const [name, value] of entries) body.append(name, value)
  await setFactorAge(signed, 301)
  const late = await browser.send(path, { method: 'POST', body })
  const text = await late.text()
  expect([path, late.status]).toEqual([path, 403])
  const { kept = '' } = hiddenFields(text, path)
  await setFactorAge(signed, 1)
  const again = await browser.send(path, { method: 'POST', body: new URLSearchParams({ kept }) })
  return { late: text, again: await again.text() }
}

const attribute = (tag: string, name: string) =>
  new RegExp(` ${name}="([^"]*)"`).exec(tag)?.[1] ?? ''

/** The fields that a person sees in a form. Secrets are empty. */
function fieldsOf(text: string, path: string) {
  const pattern = new RegExp(`<form [^>]*action="${path}"[^>]*>(.*?)</form>`, 's')
  const html = pattern.exec(text)?.[1] ?? ''
  const inputs = [...html.matchAll(/<(?:input|textarea) [^>]*>([^<]*)/g)].map(([tag, inside]) => ({
    name: attribute(tag, 'name'),
    type: attribute(tag, 'type'),
    value: tag.startsWith('<textarea') ? (inside ?? '') : attribute(tag, 'value'),
    isChosen: / checked/.test(tag),
  }))
  const options = [...html.matchAll(/<select [^>]*name="([^"]+)"(.*?)<\/select>/gs)].flatMap(
    ([, name = '', list = '']) =>
      [...list.matchAll(/<option [^>]*>/g)].map(([tag]) => ({
        name,
        type: 'option',
        value: attribute(tag, 'value'),
        isChosen: / selected/.test(tag),
      })),
  )
  return [...inputs, ...options].filter(({ type }) => type !== 'hidden')
}

type FormField = ReturnType<typeof fieldsOf>[number]

const choices = new Set(['radio', 'checkbox', 'option'])
const typedText = ({ name, type }: FormField) =>
  type === 'email' ? `${name}@example.com` : type === 'url' ? 'https://kept.example/' : `My ${name}`

/** What a person might enter: text everywhere, the last of each choice, and every checkbox. */
function typedIn(fields: readonly FormField[]): Entries {
  const lastOf = (name: string) => fields.findLast(field => field.name === name)
  return fields
    .filter(field =>
      field.type === 'checkbox'
        ? field.value !== '*'
        : !choices.has(field.type) || field === lastOf(field.name),
    )
    .map(field => [field.name, choices.has(field.type) ? field.value : typedText(field)])
}

const shownIn = (fields: readonly FormField[]): Entries =>
  fields
    .filter(({ type, isChosen }) => !choices.has(type) || isChosen)
    .map(({ name, value }) => [name, value])

const ids = portalRowIds.filter(
  id => portalRows[id].method === 'POST' && (portalRows[id] as PortalRow).factor !== undefined,
)
test('the table has forms that need a second factor', () => {
  expect(ids.length).toBeGreaterThan(10)
})

const things: Partial<Record<PortalRowId, string>> = {}

beforeAll(async () => {
  const { fixtures } = portal
  const { integration, live } = fixtures.ada
  const [pepper] = fixtures.context.peppers
  const { person: owner } = await addMember(fixtures, {})
  const { person: developer } = await addMember(fixtures, { role: 'developer' })
  const act = { surface: 'portal', request: 'req_1', person: owner } as const
  const named = { integration, mode: 'live', name: 'Kept' } as const
  const body = { url: 'https://hooks.example.com/', event_types: ['*'] }
  const webhook = await invokeOk(fixtures, 'createWebhookEndpoint', { as: live, body })
  await fixtures.owner.use(async connection => {
    const organization = await openOrganization(connection, 'River', 'river', 'a@example.com')
    const asked = { integration, organization, scopes: ['cases:read'], note: '' } as const
    await requestGrant(connection, asked, act)
    const invitation = { integration, email: 'new@example.com', role: 'viewer' } as const
    await inviteMember(connection, invitation, act)
    things.rotateKey = (await issueKey(connection, pepper, named)).id
    const client = await createClient(connection, pepper, named, act)
    things.addSecret = 'id' in client ? client.id : ''
  })
  const found = async (statement: ReturnType<typeof sql>) =>
    (await queryAsOwner<{ id: string }>(fixtures, statement))[0]?.id ?? ''
  things.withdrawGrant = await found(
    sql`select id from auth.grants where integration = ${integration} and status = 'pending'`,
  )
  things.cancelInvitation = await found(
    sql`select id from auth.invitations where integration = ${integration}`,
  )
  things.updateWebhook = things.rotateWebhook = things.deleteWebhook = webhook.id
  things.changeRole = things.allowLiveChanges = things.removeMember = developer
})

describe('every form that needs a second factor', () => {
  test.each(ids)('%s: keeps what was typed, and says that nothing was done', async id => {
    const signed = await portal.signIn(
      // The fixtures' account has accepted its agreement.
      id === 'acceptAgreement' ? { integration: await openNew() } : {},
    )
    const { browser, integration } = signed
    const names = { integration, mode: 'live', id: things[id] }
    const path = table.pathOf(id, names)
    const kind = id === 'createDestination' ? { kind: 'pubsub' } : {}
    await browser.get(table.pathOf(table.pageOf(id), names, kind))
    const typed = typedIn(fieldsOf(browser.page.text, path))
    const { late, again } = await sendLate(signed, path, typed)
    expect(late).toMatch(/Not (sent|done) yet/)
    expect(again).toMatch(/Not (sent|done) yet/)
    expect(late).not.toContain('My ')
    const { secrets = [] } = portalRows[id] as PortalRow
    const shown: Entries = typed.map(([name, value]) => [name, secrets.includes(name) ? '' : value])
    expect(shownIn(fieldsOf(again, path)).toSorted()).toEqual(shown.toSorted())
    expect(portal.failures).toEqual([])
  })
})

const openNew = async () =>
  (await portal.fixtures.owner.use(connection => openIntegration(connection, 'A brand')))
    .integration

test('a sandbox form keeps its entries while its person signs in again', async () => {
  const { browser, home } = await portal.signIn()
  const path = `${home}/test/sandbox/autopilot`
  await browser.get(`${home}/test/sandbox`)
  browser.cookies.delete('portal_session')
  await browser.submit(path, { approve_after_s: '17', ship_after_s: '' })
  expect([browser.page.status, browser.page.url]).toEqual([403, path])
  const { token } = await portal.signIn()
  browser.cookies.set('portal_session', token)
  await browser.submit(path)
  expect(browser.page.text).toContain('Not sent yet')
  expect(browser.page.text).toContain('value="17"')
})

test('the agreement is signed only when its kept entries are sent again', async () => {
  const integration = await openNew()
  const signed = await portal.signIn({ integration })
  const { browser, home } = signed
  const path = `${home}/live/go-live/accept`
  const values = {
    legal_name: 'Ada Health, Inc.',
    legal_address: '1 Main Street, <Austin>',
    name: 'Ada Example',
    title: 'General Counsel',
    may: 'yes',
  }
  const agreements = async () => [
    ...(await queryAsOwner(
      portal.fixtures,
      sql`select legal_address from auth.agreements where integration = ${integration}`,
    )),
  ]
  await browser.get(path)
  await setFactorAge(signed, 301)
  await browser.submit(path, values)
  expect([browser.page.status, browser.page.url]).toEqual([403, path])
  expect(browser.page.text).not.toContain('Main Street')
  await setFactorAge(signed, 1)
  await browser.submit(path)
  expect(browser.page.text).toContain('Not sent yet')
  for (const value of ['Ada Health, Inc.', '1 Main Street, &lt;Austin>', 'General Counsel']) {
    expect(browser.page.text).toContain(`value="${value}"`)
  }
  expect(await agreements()).toEqual([])
  await browser.submit(path, values)
  expect(await agreements()).toEqual([{ legal_address: values.legal_address }])
})
