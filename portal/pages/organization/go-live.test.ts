// Tests going live: the four conditions, and accepting the agreement.
import { beforeEach, describe, expect, test } from 'bun:test'
import type { MemberRole } from '#contract/scopes.ts'
import { grant, issueKey, openIntegration } from '#auth/integrations.ts'
import { stateEncryption } from '#auth/operators/encryption-statements.ts'
import { hiddenFields } from '#auth/testing/browser.ts'
import { queryAsOwner } from '#clinical/testing/assertions.ts'
import { sql, type Statement } from '#database/sql.ts'
import { agreement, usePortal } from '../../testing/portal.ts'

const portal = usePortal()

let integration: string
let owner: Awaited<ReturnType<typeof portal.signIn>>
const pathOf = (rest = '') => `/${integration}/test/go-live${rest}`
const join = (role: MemberRole) => portal.signIn({ role, integration })
const query = (statement: Statement) => queryAsOwner(portal.fixtures, statement)

beforeEach(async () => {
  ;({ integration } = await portal.fixtures.owner.use(connection =>
    openIntegration(connection, 'A brand'),
  ))
  owner = await join('owner')
})

const signed = {
  name: ' Ada Example ',
  title: 'CEO',
  legal_name: 'Ada Health, Inc.',
  legal_address: '1 Main Street, Austin',
  may: 'yes',
}
async function accept(values: Record<string, string> = signed) {
  await owner.browser.get(pathOf('/accept'))
  return owner.browser.submit(pathOf('/accept'), values)
}
const agreements = async () => [
  ...(await query(sql`
    select id, version, signatory_name, signatory_title, legal_name, legal_address, person, agent, address,
           encode(sha256, 'hex') as sha256
      from auth.agreements where integration = ${integration} order by accepted_at desc, id desc`)),
]
/** The number of checked-off conditions. */
const ticked = (text: string) => text.match(/<li class="done">/g)?.length ?? 0

test('shows the operator’s statement on how disks and backups are encrypted', async () => {
  expect((await owner.browser.get(pathOf())).text).not.toContain('Encryption at rest')
  await portal.fixtures.owner.use(connection =>
    stateEncryption(connection, {
      volume: 'LUKS2 <AES>',
      backups: 'age in a safe',
      by: 'Mia Chen',
    }),
  )
  const { text } = await owner.browser.get(pathOf())
  for (const said of ['Encryption at rest', 'LUKS2 &lt;AES', 'age in a safe', 'Mia Chen']) {
    expect(text).toContain(said)
  }
})

test('each of the four conditions checks itself off once met', async () => {
  const show = async () => ticked((await owner.browser.get(pathOf())).text)
  const { fixtures } = portal
  const ids = { integration, mode: 'live' } as const
  const newKey = `/${integration}/live/keys/new`
  expect(await show()).toBe(0)
  expect(owner.browser.page.text).not.toContain('<h2>Agreements</h2>')
  await accept()
  expect(await show()).toBe(1)
  expect(owner.browser.page.text).toContain('<h2>Agreements</h2>')
  // A live key needs both the agreement and a grant.
  expect(owner.browser.page.text).not.toContain(newKey)
  await fixtures.owner.use(connection =>
    grant(connection, { ...ids, organization: fixtures.clinic }),
  )
  expect(await show()).toBe(2)
  expect(owner.browser.page.text).toContain(newKey)
  const developer = await join('developer')
  expect((await developer.browser.get(pathOf())).text).not.toContain(newKey)
  const { id } = await fixtures.owner.use(connection =>
    issueKey(connection, fixtures.context.peppers[0], { ...ids, name: 'live' }),
  )
  expect(await show()).toBe(3)
  await query(sql`update auth.credentials set last_used_at = now() where id = ${id}`)
  const { text } = await owner.browser.get(pathOf())
  expect(ticked(text)).toBe(4)
  expect(text).toContain('You’re live')
})

test('each condition leads an owner to where it’s met, and others to what they may read', async () => {
  expect((await owner.browser.get(pathOf())).text).toContain(`href="${pathOf('/accept')}"`)
  const { browser } = await join('developer')
  const { text } = await browser.get(pathOf())
  expect(text).not.toContain(pathOf('/accept'))
  expect(text).toContain(`href="${pathOf('/agreement')}"`)
  const reading = await browser.get(pathOf('/agreement'))
  expect(reading.text).toContain('<h2>What you promise</h2>')
  expect(reading.text).not.toContain(pathOf('/accept'))
  expect((await owner.browser.get(pathOf('/agreement'))).text).toContain(pathOf('/accept'))
})

describe('accepting the agreement', () => {
  test('stores who signed which text, and shows it to members as it was', async () => {
    const page = await accept()
    expect(page.url).toBe(pathOf())
    const [row, ...others] = await agreements()
    expect(others).toEqual([])
    expect(row).toMatchObject({
      version: agreement.version,
      signatory_name: 'Ada Example',
      signatory_title: 'CEO',
      legal_name: 'Ada Health, Inc.',
      legal_address: '1 Main Street, Austin',
      person: owner.person,
      address: '203.0.113.9',
      sha256: new Bun.CryptoHasher('sha256').update(agreement.text).digest('hex'),
    })
    const { browser } = await join('viewer')
    const shown = await browser.get(pathOf(`/agreements/${row?.['id']}`))
    expect(shown.text).toContain('<h2>What you promise</h2>')
    expect(shown.text).toContain('Ada Example, CEO')
    expect(shown.text).toContain('Ada Health, Inc., 1 Main Street, Austin')
    expect(shown.text).toContain(String(row?.['sha256']))
  })

  test('a form submitted twice stores one agreement, and isn’t offered again', async () => {
    const { text } = await owner.browser.get(pathOf('/accept'))
    const body = new URLSearchParams({ ...hiddenFields(text, pathOf('/accept')), ...signed })
    for (let sent = 0; sent < 2; sent++) {
      const answer = await owner.browser.send(pathOf('/accept'), { method: 'POST', body })
      expect(answer.headers.get('location')).toBe(pathOf())
    }
    expect(await agreements()).toHaveLength(1)
    const page = await owner.browser.get(pathOf('/accept'))
    expect(page.text).toContain('already in effect')
    const reading = await owner.browser.get(pathOf('/agreement'))
    expect(reading.text).toContain('is in effect for')
    expect(reading.text).not.toContain(pathOf('/accept'))
    expect(page.text).not.toContain('name="title"')
  })

  test.each([
    [{ ...signed, name: ' ' }, 'Enter a name.'],
    [{ ...signed, title: 'x'.repeat(201) }, 'at most 200 characters'],
    [{ name: 'Ada', title: 'CEO' }, 'id="may-fault"'],
    [{ ...signed, legal_name: '' }, 'id="legal_name-fault"'],
    [{ ...signed, legal_address: 'x'.repeat(301) }, 'at most 300 characters'],
  ])('422: %p', async (values, says) => {
    const page = await accept(values)
    expect(page.status).toBe(422)
    expect(page.text).toContain(says)
    expect(await agreements()).toEqual([])
    expect(portal.failures).toEqual([])
  })

  test('409 if the text changed while it was read', async () => {
    const page = await accept({ ...signed, sha256: 'f'.repeat(64) })
    expect(page.status).toBe(409)
    expect(page.text).toContain('changed while you were reading')
    expect(await agreements()).toEqual([])
  })
})

test('a newer version is shown with the last day to accept it', async () => {
  await query(sql`
    insert into auth.agreements (id, integration, version, ends_at)
    values ('baa_older', ${integration}, '2026-09-01', now() + interval '30 days')`)
  const { text } = await owner.browser.get(pathOf())
  expect(text).toContain(
    `Version ${agreement.version} of the agreement replaces version 2026-09-01`,
  )
  expect(text).toContain('live requests are refused')
  expect(text).toContain('On paper')
  await accept()
  const after = await owner.browser.get(pathOf())
  expect(after.text).not.toContain('replaces version')
})

test('404 for another integration’s agreement', async () => {
  const [other] = await query(sql`
    select id from auth.agreements where integration = ${portal.fixtures.ada.integration}`)
  expect((await owner.browser.get(pathOf(`/agreements/${other?.['id']}`))).status).toBe(404)
})
