// Every row of the console's table, for every role, with and without what it needs.
import { describe, expect, test } from 'bun:test'
import type { ConsolePage } from '#contract/console/page.ts'
import { staffRoles } from '#contract/console/row.ts'
import { type ConsolePageId, consolePageIds, consolePages } from '#contract/console/table.ts'
import { newId } from '#auth/ids.ts'
import { openBrowser } from '#auth/testing/browser.ts'
import { useConsolePages } from './testing/console.ts'

const pages = useConsolePages()

const rowOf = (id: ConsolePageId): ConsolePage => consolePages[id]
/** Ids of nothing that there is. */
const pathOf = (id: ConsolePageId, organization: string) =>
  rowOf(id)
    .path.replace('{organization}', organization)
    .replaceAll(/\{\w+\}/g, () => newId('case'))

type Sent = { token?: string | null; site?: string }

async function send(id: ConsolePageId, path: string, { token = null, site }: Sent) {
  const browser = openBrowser(pages.origin)
  if (token !== null) browser.cookies.set('console_session', token)
  const { method } = rowOf(id)
  return browser.send(path, {
    method,
    headers: { ...(site !== undefined && { 'sec-fetch-site': site }) },
    ...(method === 'POST' && { body: new URLSearchParams() }),
  })
}

test('the table has pages and forms, and every form names its page', () => {
  expect(consolePageIds.length).toBeGreaterThan(3)
  const paths = new Set(
    consolePageIds.filter(id => rowOf(id).method === 'GET').map(id => rowOf(id).path),
  )
  for (const id of consolePageIds) {
    const { method, path, page } = rowOf(id)
    if (method === 'POST') expect([id, paths.has(page ?? path)]).toEqual([id, true])
  }
})

describe.each(consolePageIds)('%s', id => {
  const row = rowOf(id)

  test('303 to sign-in without a session, with one that is none, and with one that was idle', async () => {
    const path = pathOf(id, pages.fixtures.clinic)
    const idle = await pages.signIn({ roles: row.roles, idleSeconds: 15 * 60 })
    for (const token of [null, 'x'.repeat(43), idle.token]) {
      const answer = await send(id, path, { token })
      expect(answer.status).toBe(303)
      expect(answer.headers.get('location')).toStartWith('/sign-in?next=')
    }
  })

  test('404 for another clinic, and for none', async () => {
    const { token } = await pages.signIn({ roles: row.roles })
    const texts = new Set<string>()
    for (const clinic of [pages.fixtures.ada.organization, newId('organization'), 'org_x']) {
      const answer = await send(id, pathOf(id, clinic), { token })
      expect(answer.status).toBe(404)
      texts.add(await answer.text())
    }
    expect(texts.size).toBe(1)
  })

  test.each(staffRoles)('%s: as the table says', async role => {
    const { token, organization } = await pages.signIn({ roles: [role] })
    const answer = await send(id, pathOf(id, organization), { token })
    const text = await answer.text()
    if (!row.roles.includes(role)) {
      expect(answer.status).toBe(403)
      expect(text).toContain('not with your role')
    } else if (row.method === 'POST') {
      // A form that no page of this browser made.
      expect(answer.status).toBe(403)
      expect(text).toContain('This form is out of date')
    } else {
      // A page of a thing says that there is none.
      expect(answer.status).toBe(/\{(?!organization)/.test(row.path) ? 404 : 200)
      expect(answer.headers.get('cache-control')).toBe('no-store')
      if (row.path.endsWith('.csv') && answer.status === 200) {
        expect(answer.headers.get('content-disposition')).toStartWith('attachment')
        return
      }
      expect(answer.headers.get('content-security-policy')).toContain("frame-ancestors 'none'")
      expect(answer.headers.get('content-security-policy')).not.toContain('unsafe')
      expect(text.match(/<h1/g)).toHaveLength(1)
      expect(text).not.toMatch(/ style="| on[a-z]+="/)
    }
    expect(pages.failures).toEqual([])
  })

  test('303 to the second factor where it is missing or too old', async () => {
    for (const factorSeconds of [null, ...(row.factor === 'fresh' ? [15 * 60 + 1] : [])]) {
      const { token, organization } = await pages.signIn({ roles: row.roles, factorSeconds })
      const answer = await send(id, pathOf(id, organization), { token })
      expect(answer.status).toBe(303)
      expect(answer.headers.get('location')).toMatch(/^\/sign-in\?next=.*&fresh=1$/)
    }
  })

  test.skipIf(row.method === 'GET')('403: a form that a page of another site sent', async () => {
    const { token, organization } = await pages.signIn({ roles: row.roles })
    for (const site of ['cross-site', 'same-site']) {
      const answer = await send(id, pathOf(id, organization), { token, site })
      expect(answer.status).toBe(403)
    }
  })

  test('405 with what it answers', async () => {
    const { browser, organization } = await pages.signIn({ roles: row.roles })
    const answer = await browser.send(pathOf(id, organization), { method: 'DELETE' })
    expect(answer.status).toBe(405)
    expect(answer.headers.get('allow')).toContain(row.method)
  })
})
