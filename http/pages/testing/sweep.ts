// Tests every row of a page table, in any module.
import { expect, test } from 'bun:test'
import type { PageRow, PageTable } from '../table.ts'

type Sender = { send(path: string, init?: RequestInit): Promise<Response> }

type Swept = {
  /** Returns a browser with access, and the row's path with IDs that don't exist. */
  open(): Promise<{ browser: Sender; path: string }>
  /** A browser without a session, or with an invalid one. */
  signedOut(token?: string): Sender
}

export const sweepForms = <Id extends string>({ rows, ids, pageOf }: PageTable<Id>) =>
  test('the table has pages and forms, and every form has its page', () => {
    const forms = ids.filter(id => rows[id].method === 'POST')
    expect([forms.length > 3, ids.length - forms.length > 3]).toEqual([true, true])
    for (const id of forms) expect([id, rows[pageOf(id)].method]).toEqual([id, 'GET'])
  })

/** A request to a row, without a form token. */
export const requestTo = ({ method }: PageRow): RequestInit => ({
  method,
  ...(method === 'POST' && { body: new URLSearchParams() }),
})

export function sweepRow(row: PageRow, { open, signedOut }: Swept) {
  if (row.who !== 'anyone') {
    test('303 to sign-in without a session or with an invalid one', async () => {
      const { path } = await open()
      for (const token of [undefined, 'x'.repeat(43)]) {
        const answer = await signedOut(token).send(path, requestTo(row))
        expect(answer.status).toBe(303)
        expect(answer.headers.get('location')).toStartWith('/sign-in')
      }
    })
  }

  if (row.method === 'POST') {
    test('403 for a form without a token from one of the pages', async () => {
      const { browser, path } = await open()
      const answer = await browser.send(path, requestTo(row))
      expect(answer.status).toBe(403)
      expect(await answer.text()).toContain('This form is out of date')
    })
  }

  test('405 with the allowed methods', async () => {
    const { browser, path } = await open()
    const answer = await browser.send(path, { method: 'DELETE' })
    expect(answer.status).toBe(405)
    expect(answer.headers.get('allow')).toContain(row.method)
  })
}

/** Expects what all pages have in common: no caching, no framing, nothing inline, one heading, and
 *  polls that don't keep an idle session alive. */
export function expectPage({ headers, status }: Response, text: string) {
  expect(headers.get('cache-control')).toBe('no-store')
  const kept = headers.get('content-disposition')
  if (kept !== null || status === 303) return
  const policy = headers.get('content-security-policy') ?? ''
  expect(policy).toContain("default-src 'none'")
  expect(policy).toContain("frame-ancestors 'none'")
  expect(policy).not.toContain('unsafe')
  expect(headers.get('x-frame-options')).toBe('DENY')
  expect(headers.get('referrer-policy')).toBe('same-origin')
  expect(text.match(/<h1/g)).toHaveLength(1)
  expect(text).not.toMatch(/ style="| on[a-z]+="/)
  for (const [tag] of text.matchAll(/<[^>]* hx-trigger="every [^>]*>/g)) {
    expect(tag).toContain('hx-headers="{&quot;x-refresh&quot;:&quot;1&quot;}"')
  }
}
