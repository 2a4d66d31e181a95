// Every row of the portal's table, for every role, with and without what it needs.
import { describe, expect, test } from 'bun:test'
import { modes } from '#contract/operation.ts'
import type { PortalRow } from '#contract/portal/row.ts'
import { everyRole, rolesIn } from '#contract/portal/row.ts'
import { type PortalRowId, portalRowIds, portalRows } from '#contract/portal/table.ts'
import { newId } from '#auth/ids.ts'
import { openBrowser } from '#auth/testing/browser.ts'
import { usePortal } from './testing/portal.ts'

const portal = usePortal()

const rowOf = (id: PortalRowId): PortalRow => portalRows[id]
const cases = portalRowIds.flatMap(id =>
  (rowOf(id).path.includes('{mode}') ? modes : (['test'] as const)).map(
    mode => [id, mode] as const,
  ),
)
/** Ids of nothing that there is. */
const pathOf = (id: PortalRowId, integration: string, mode: string) =>
  rowOf(id)
    .path.replace('{integration}', integration)
    .replace('{mode}', mode)
    .replaceAll(/\{\w+\}/g, () => newId('delivery'))

type Sent = { token?: string | null; form?: Record<string, string>; site?: string }

async function send(id: PortalRowId, path: string, { token = null, form, site }: Sent) {
  const browser = openBrowser(portal.origin)
  if (token !== null) browser.cookies.set('portal_session', token)
  const { method } = rowOf(id)
  return browser.send(path, {
    method,
    headers: { ...(site !== undefined && { 'sec-fetch-site': site }) },
    ...(method === 'POST' && { body: new URLSearchParams(form ?? {}) }),
  })
}

test('the table has pages and forms, and every form names its page', () => {
  expect(portalRowIds.length).toBeGreaterThan(3)
  const pages = new Set(
    portalRowIds.filter(id => rowOf(id).method === 'GET').map(id => rowOf(id).path),
  )
  for (const id of portalRowIds) {
    const { method, path, page } = rowOf(id)
    if (method === 'POST') expect([id, pages.has(page ?? path)]).toEqual([id, true])
  }
})

describe.each(cases)('%s in %s mode', (id, mode) => {
  const row = rowOf(id)

  test('303 to sign-in without a session, and with one that is none', async () => {
    const path = pathOf(id, portal.fixtures.ada.integration, mode)
    for (const token of [null, 'x'.repeat(43)]) {
      const answer = await send(id, path, { token })
      expect(answer.status).toBe(303)
      expect(answer.headers.get('location')).toStartWith('/sign-in?next=')
    }
  })

  test('404 for an integration of others, and for none', async () => {
    const { token } = await portal.signIn({ integration: portal.fixtures.ben.integration })
    for (const integration of [portal.fixtures.ada.integration, newId('integration'), 'int_x']) {
      const answer = await send(id, pathOf(id, integration, mode), { token })
      expect(answer.status).toBe(404)
      const other = await send(id, pathOf(id, newId('integration'), mode), { token })
      expect(await answer.text()).toBe(await other.text())
    }
  })

  test.each(everyRole)('%s: as the table says', async role => {
    const { token, integration } = await portal.signIn({ role })
    const roles = rolesIn(row, mode)
    const answer = await send(id, pathOf(id, integration, mode), { token })
    const text = await answer.text()
    if (roles.length === 0 && row.method === 'GET') {
      expect(answer.status).toBe(303)
      expect(answer.headers.get('location')).toBe(`/${integration}/${mode}`)
    } else if (!roles.includes(role)) {
      expect(answer.status).toBe(403)
      expect(text).toContain(roles.length === 0 ? 'only in test mode' : 'not with your role')
    } else if (row.method === 'POST') {
      // A form that no page of this browser made.
      expect(answer.status).toBe(403)
      expect(text).toContain('This form is out of date')
    } else {
      // A page of a thing says that there is none.
      expect(answer.status).toBe(/\{(?!integration|mode)/.test(row.path) ? 404 : 200)
      expect(answer.headers.get('cache-control')).toBe('no-store')
      expect(answer.headers.get('content-security-policy')).toContain("frame-ancestors 'none'")
      expect(answer.headers.get('content-security-policy')).not.toContain('unsafe')
      expect(text.match(/<h1/g)).toHaveLength(1)
      expect(text).not.toMatch(/ style="| on[a-z]+="/)
    }
    expect(portal.failures).toEqual([])
  })

  test.skipIf(row.factor === undefined)(
    '303 to the second factor where it is missing or too old',
    async () => {
      const isFresh = row.factor === 'fresh' || mode === 'live'
      for (const factorSeconds of [null, ...(isFresh ? [301] : [])]) {
        const { token, integration } = await portal.signIn({ factorSeconds })
        const answer = await send(id, pathOf(id, integration, mode), { token })
        expect(answer.status).toBe(303)
        expect(answer.headers.get('location')).toMatch(/^\/sign-in\?next=.*&fresh=1$/)
      }
    },
  )

  test.skipIf(row.method === 'GET')('403: a form that a page of another site sent', async () => {
    const { token, integration } = await portal.signIn()
    for (const site of ['cross-site', 'same-site']) {
      const answer = await send(id, pathOf(id, integration, mode), { token, site })
      expect(answer.status).toBe(403)
    }
  })

  test('405 with what it answers', async () => {
    const { browser, integration } = await portal.signIn()
    const answer = await browser.send(pathOf(id, integration, mode), { method: 'DELETE' })
    expect(answer.status).toBe(405)
    expect(answer.headers.get('allow')).toContain(row.method)
  })
})
