// Tests the organization pages: what each clinic granted, and how an owner requests access.
import { beforeEach, describe, expect, test } from 'bun:test'
import { newId } from '#auth/ids.ts'
import { decideGrant } from '#auth/grants/grants.ts'
import { openIntegration, openOrganization } from '#auth/integrations.ts'
import { queryAsOwner } from '#clinical/testing/assertions.ts'
import { sql, type Statement } from '#database/sql.ts'
import { usePortal } from '../../testing/portal.ts'

const portal = usePortal()

let integration: string
let clinic: string
let owner: Awaited<ReturnType<typeof portal.signIn>>
let made = 0
const pathOf = (rest = '', mode = 'live') => `/${integration}/${mode}/organizations${rest}`
const query = (statement: Statement) => queryAsOwner(portal.fixtures, statement)

beforeEach(async () => {
  const { fixtures } = portal
  ;({ integration } = await fixtures.owner.use(connection =>
    openIntegration(connection, 'A brand'),
  ))
  clinic = await fixtures.owner.use(connection =>
    openOrganization(connection, 'River Clinic', `river-${++made}`, 'incidents@example.com'),
  )
  owner = await portal.signIn({ role: 'owner', integration })
})

/** The test browser can't handle checkboxes that share a name, so the fields are sent as is. */
async function ask(values: Record<string, string>, scopes: readonly string[]) {
  const { text } = await owner.browser.get(pathOf('/request'))
  const form = new URLSearchParams(values)
  for (const [, name = '', value = ''] of text
    .slice(text.indexOf('<main'))
    .matchAll(/type="hidden" name="([^"]+)" value="([^"]*)"/g)) {
    form.set(name, value)
  }
  for (const scope of scopes) form.append('scope', scope)
  const answer = await owner.browser.send(pathOf('/request'), { method: 'POST', body: form })
  return { status: answer.status, text: await answer.text() }
}
const grantsOf = async () => [
  ...(await query(sql`
    select id, status, requested_scopes, note, requested_by from auth.grants
     where integration = ${integration} and mode = 'live'`)),
]

test('test mode: lists the sandbox, which grants every scope, and has no request form', async () => {
  const page = await owner.browser.get(pathOf('', 'test'))
  expect(page.text).toContain('Harbor Telehealth Clinic (sandbox)')
  expect(page.text).toContain('All 12')
  const form = await owner.browser.get(pathOf('/request', 'test'))
  expect(form.text).toContain('Request access in live mode')
  expect(form.text).not.toContain('name="organization"')
})

test('live mode without a grant: the page says what to do first, and who can do it', async () => {
  expect((await owner.browser.get(pathOf())).text).toContain(pathOf('/request'))
  const viewer = await portal.signIn({ role: 'viewer', integration })
  const { text } = await viewer.browser.get(pathOf())
  expect(text).toContain('Ask an owner of A brand')
  expect(text).not.toContain(pathOf('/request'))
})

describe('a request', () => {
  test('is listed as pending, and withdrawn', async () => {
    const sent = await ask({ organization: ` ${clinic} `, note: 'Two\nlines <b>' }, [
      'patients:read',
      'cases:read',
    ])
    expect(sent.status).toBe(303)
    const [grant] = await grantsOf()
    expect(grant).toMatchObject({
      status: 'pending',
      requested_scopes: ['patients:read', 'cases:read'],
      note: 'Two\nlines <b>',
      requested_by: owner.person,
    })
    const list = await owner.browser.get(pathOf())
    expect(list.text).toContain('River Clinic')
    expect(list.text).toContain('2 requested')
    const page = await owner.browser.get(pathOf(`/${grant?.['id']}`))
    expect(page.text).toContain('Two\nlines &lt;b')
    await owner.browser.submit(pathOf(`/${grant?.['id']}/withdraw`))
    expect(await grantsOf()).toMatchObject([{ status: 'withdrawn' }])
  })

  test('422 names each field, keeps what was typed, and sends no request', async () => {
    const page = await ask({ organization: 'river', note: 'x'.repeat(1001) }, [])
    expect(page.status).toBe(422)
    for (const text of ['organization-fault', 'scope-fault', 'at most 1000 characters']) {
      expect(page.text).toContain(text)
    }
    expect(page.text).toContain('value="river"')
    expect(await grantsOf()).toEqual([])
  })

  test('409 for a nonexistent clinic, and for one that was already asked', async () => {
    const none = await ask({ organization: newId('organization') }, ['cases:read'])
    expect(none.status).toBe(409)
    expect(none.text).toContain('No clinic has this ID')
    await ask({ organization: clinic }, ['cases:read'])
    const again = await ask({ organization: clinic }, ['cases:read'])
    expect(again.status).toBe(409)
    expect(again.text).toContain('already have access to this clinic')
    expect(await grantsOf()).toHaveLength(1)
  })
})

test('a narrower grant says which scopes weren’t granted', async () => {
  await ask({ organization: clinic }, ['patients:read', 'cases:read'])
  const [grant] = await grantsOf()
  const id = String(grant?.['id'])
  const decider = await portal.signIn({ integration: portal.fixtures.ben.integration })
  await portal.fixtures.owner.use(connection =>
    decideGrant(
      connection,
      { id, scopes: ['cases:read'], note: 'Cases are enough.' },
      { surface: 'cli', request: 'req_x', person: decider.person },
    ),
  )
  expect((await owner.browser.get(pathOf())).text).toContain('1 of 2 requested')
  const { text } = await owner.browser.get(pathOf(`/${id}`))
  const [given = '', not = ''] = text.split('Not granted')
  expect(given).toContain('<code>cases:read</code>')
  expect(not).toContain('<code>patients:read</code>')
  expect(text).toContain('Cases are enough.')
  expect(text).not.toContain('/withdraw')
})

test('a full grant names no missing scopes', async () => {
  const [sandbox] = await query(sql`
    select id from auth.grants where integration = ${integration} and mode = 'test'`)
  const { text } = await owner.browser.get(pathOf(`/${sandbox?.['id']}`, 'test'))
  expect(text).toContain('<h2>Granted</h2>')
  expect(text).not.toContain('Requested')
})

test('404 for another integration’s grant', async () => {
  const [other] = await query(sql`
    select id from auth.grants where integration = ${portal.fixtures.ada.integration}
       and mode = 'live'`)
  const page = await owner.browser.get(pathOf(`/${other?.['id']}`))
  expect(page.status).toBe(404)
  expect(page.text).not.toContain('Example Clinic')
})
