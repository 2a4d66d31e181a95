// Tests usage and invoices: charges by month, and what each mode shows.
import { beforeAll, describe, expect, test } from 'bun:test'
import { grant, openIntegration, openOrganization } from '#auth/integrations.ts'
import { acceptAgreement } from '#auth/testing/administration.ts'
import { type BillingTarget, createCharge, createInvoice } from '#clinical/testing/invoices.ts'
import { queryAsOwner } from '#clinical/testing/assertions.ts'
import { sql } from '#database/sql.ts'
import { usePortal } from '../../testing/portal.ts'
import { readAs } from '../../testing/reads.ts'

const portal = usePortal()
let live: BillingTarget
const pathOf = (rest = '', mode = 'live', integration = portal.fixtures.ada.integration) =>
  `/${integration}/${mode}/usage${rest}`
const monthsAgo = (count: number) => {
  const today = new Date()
  return new Date(
    Date.UTC(today.getUTCFullYear(), today.getUTCMonth() - count, 1, 0, 0, 0, 1),
  ).toISOString()
}

beforeAll(() => {
  live = { who: portal.fixtures.ada, mode: 'live' }
})

describe('live mode', () => {
  test('charges are summed by UTC month and kind, minus reversals', async () => {
    const { fixtures } = portal
    const charge = await createCharge(fixtures, live, { at: monthsAgo(1) })
    await createCharge(fixtures, live, { at: monthsAgo(1) })
    await createCharge(fixtures, live, { at: monthsAgo(1), amount: -4900, reverses: charge })
    await createCharge(fixtures, live, { at: monthsAgo(11), amount: 1250, kind: 'other' })
    await createCharge(fixtures, live, { at: monthsAgo(12) })
    await createCharge(fixtures, { who: fixtures.ben, mode: 'live' }, { at: monthsAgo(1) })
    const { token, browser } = await portal.signIn({ role: 'billing' })
    const { body } = await readAs(portal, 'countCharges', { token, mode: 'live' })
    expect(body.months).toHaveLength(12)
    expect(body.months[0].start).toBe(monthsAgo(11).replace('.001Z', '.000Z'))
    expect(body.months[0].kinds).toEqual([
      { kind: 'other', currency: 'USD', count: 1, amount: 1250 },
    ])
    expect(body.months[10].kinds).toEqual([
      { kind: 'video_visit', currency: 'USD', count: 1, amount: 4900 },
    ])
    expect(body.months[11].kinds).toEqual([])
    const { text } = await browser.get(pathOf())
    expect(text).toContain('$49.00')
    expect(text).toContain('$12.50')
    expect(text).toContain('Charges by month')
  })

  test('an invoice downloads as CSV and PDF, only for the integration’s members', async () => {
    const first = await createCharge(portal.fixtures, live)
    const back = await createCharge(portal.fixtures, live, { amount: -4900, reverses: first })
    const id = await createInvoice(portal.fixtures, live, [first, back])
    const { browser } = await portal.signIn({ role: 'billing' })
    const fileOf = (ending: string) => browser.get(pathOf(`/invoices/${id}/${ending}`))
    const csv = await fileOf('csv')
    const [head, ...rows] = csv.text.trim().split('\r\n')
    expect(head).toBe('charge,kind,for,amount,currency,reverses,created_at')
    const sum = rows.map(row => Number(row.split(',')[3])).reduce((a, b) => a + b, 0)
    expect([rows.length, sum]).toEqual([2, 0])
    expect(csv.text).toContain(`${back},video_visit,`)
    const pdf = await fileOf('pdf')
    expect(pdf.headers.get('content-type')).toBe('application/pdf')
    expect(pdf.headers.get('content-disposition')).toMatch(/^attachment; filename="[\w-]+\.pdf"$/)
    expect(pdf.headers.get('cache-control')).toBe('no-store')
    expect(pdf.text).toStartWith('%PDF-')
    const ben = portal.fixtures.ben.integration
    const other = await portal.signIn({ integration: ben })
    for (const ending of ['csv', 'pdf']) {
      const hidden = await other.browser.get(pathOf(`/invoices/${id}/${ending}`, 'live', ben))
      expect(hidden.status).toBe(404)
    }
  })

  test('invoices are listed, and each has a page with its charges', async () => {
    const charge = await createCharge(portal.fixtures, live)
    const id = await createInvoice(portal.fixtures, live, [charge])
    const { browser } = await portal.signIn({ role: 'viewer' })
    const list = await browser.get(pathOf())
    const href =
      [...list.text.matchAll(/href="([^"]*\/usage\/invoices\/[^"]*)"/g)]
        .map(([, found = '']) => found)
        .find(found => found.includes(id)) ?? ''
    expect(href).toContain(id)
    const page = await browser.get(href.replaceAll('&amp;', '&'))
    expect(page.status).toBe(200)
    expect(page.text).toContain(charge)
    const ben = await portal.signIn({ integration: portal.fixtures.ben.integration })
    const other = portal.fixtures.ben.integration
    expect((await ben.browser.get(pathOf(`/invoices/${id}`, 'live', other))).status).toBe(404)
  })

  test('if several clinics granted access, each one’s charges are shown separately', async () => {
    const { fixtures } = portal
    const integration = fixtures.ben.integration
    const organization = await fixtures.owner.use(connection =>
      openOrganization(connection, 'River Clinic', 'river'),
    )
    await fixtures.owner.use(connection =>
      grant(connection, { integration, organization, mode: 'live' }),
    )
    const { browser } = await portal.signIn({ integration })
    for (const chosen of [organization, fixtures.clinic]) {
      const { text } = await browser.get(pathOf(`?organization=${chosen}`, 'live', integration))
      const current = /<option value="([^"]*)" selected>/.exec(text)?.[1]
      expect(current).toBe(chosen)
    }
    const { status } = await browser.get(pathOf('?organization=org_none', 'live', integration))
    expect(status).toBe(200)
    // The email and the search link to an invoice without a clinic.
    const id = await createInvoice(fixtures, { who: fixtures.ben, mode: 'live' })
    for (const file of ['', '/csv', '/pdf']) {
      const path = pathOf(`/invoices/${id}${file}`, 'live', integration)
      expect([file, (await browser.get(path)).status]).toEqual([file, 200])
    }
    expect(portal.failures).toEqual([])
  })

  test('older invoices lead back to the latest, for the same clinic', async () => {
    const { fixtures } = portal
    const id = await createInvoice(fixtures, { who: fixtures.ben, mode: 'live' })
    const { integration } = fixtures.ben
    const { browser } = await portal.signIn({ integration })
    const path = pathOf(`?organization=${fixtures.clinic}`, 'live', integration)
    const { text } = await browser.get(`${path}&after=${id}`)
    expect(text).toContain(`<a href="${path}">Latest</a>`)
    expect((await browser.get(path)).text).not.toContain('>Latest<')
  })

  test('after every clinic revoked access, invoices are still listed and open', async () => {
    const { owner, clinic: organization } = portal.fixtures
    const { integration } = await owner.use(connection => openIntegration(connection, 'Was live'))
    await owner.use(connection => grant(connection, { integration, organization, mode: 'live' }))
    await owner.use(connection => acceptAgreement(connection, integration, '2026-11-22'))
    await queryAsOwner(
      portal.fixtures,
      sql`update auth.grants set status = 'revoked', ended_at = now()
           where integration = ${integration} and mode = 'live'`,
    )
    const { browser, token } = await portal.signIn({ integration, role: 'billing' })
    const before = await browser.get(pathOf('', 'live', integration))
    expect(before.status).toBe(200)
    expect(before.text).not.toContain('No charges yet')
    expect(before.text).toContain('No clinics right now')
    const billed = { who: { ...portal.fixtures.ada, integration }, mode: 'live' } as const
    const charge = await createCharge(portal.fixtures, billed)
    const id = await createInvoice(portal.fixtures, billed, [charge])
    const { text } = await browser.get(pathOf('', 'live', integration))
    const path = pathOf(`/invoices/${id}`, 'live', integration)
    expect(text).toContain(`href="${path}"`)
    expect((await browser.get(path)).text).toContain(charge)
    for (const file of ['csv', 'pdf']) {
      expect((await browser.get(`${path}/${file}`)).status).toBe(200)
    }
    // Nothing else of the clinic is readable.
    const { code } = await readAs(portal, 'countCharges', { token, integration, mode: 'live' })
    expect(code).toBe('organization_not_granted')
    expect(portal.failures).toEqual([])
  })

  test('a clinic that didn’t grant access to charges hides them, and no invoice', async () => {
    const { owner, clinic: organization } = portal.fixtures
    const { integration } = await owner.use(connection => openIntegration(connection, 'Narrow'))
    await owner.use(connection => grant(connection, { integration, organization, mode: 'live' }))
    await owner.use(connection => acceptAgreement(connection, integration, '2026-11-22'))
    await queryAsOwner(
      portal.fixtures,
      sql`update auth.grants set scopes = '{cases:read}'
           where integration = ${integration} and mode = 'live'`,
    )
    const billed = { who: { ...portal.fixtures.ada, integration }, mode: 'live' } as const
    const id = await createInvoice(portal.fixtures, billed)
    const { browser } = await portal.signIn({ integration, role: 'billing' })
    const { status, text } = await browser.get(pathOf('', 'live', integration))
    expect(status).toBe(200)
    expect(text).toContain('didn’t grant you access to charges')
    expect(text).toContain(`href="${pathOf(`/invoices/${id}`, 'live', integration)}"`)
  })

  test('before live mode is open, the page says what is missing', async () => {
    const { integration } = await portal.fixtures.owner.use(connection =>
      openIntegration(connection, 'New'),
    )
    const { browser } = await portal.signIn({ integration })
    const { status, text } = await browser.get(pathOf('', 'live', integration))
    expect(status).toBe(200)
    expect(text).toContain('Go live')
  })
})

test('test mode: nothing is counted, and the page says why', async () => {
  await createCharge(portal.fixtures, { who: portal.fixtures.ada, mode: 'test' })
  const { token, browser } = await portal.signIn()
  const { body } = await readAs(portal, 'countCharges', { token })
  expect(body.months.flatMap(({ kinds }: { kinds: unknown[] }) => kinds)).toEqual([])
  const { text } = await browser.get(pathOf('', 'test'))
  expect(text).toContain('Test mode is free')
  expect(text).toContain(`href="${pathOf()}"`)
})
