// Tests where a page says that a second factor is wrong.
import { expect, test } from 'bun:test'
import { queuedCase, rivera } from '#clinical/testing/call.ts'
import { useConsolePages } from './testing/console.ts'

const pages = useConsolePages()
const states = [rivera.address.state]
const stale = { factorSeconds: 15 * 60 + 1 }

/** The forms that report a wrong code, and those that take the focus. */
const reportedIn = (text: string) => ({
  faults: [...text.matchAll(/id="([^"]*)-code-fault"/g)].map(([, form]) => form),
  focused: [...text.matchAll(/id="([^"]*)-code"[^>]* autofocus/g)].map(([, form]) => form),
})

test('a wrong code is reported in the panel that was sent, and in no other', async () => {
  const { id } = await queuedCase(pages.fixtures, pages.fixtures.ada.live)
  const { browser, home } = await pages.signIn({ states, ...stale })
  const path = `${home}/cases/${id}`
  await browser.get(path)
  for (const [row, fields] of [
    ['decline', { reason: 'Please see someone in person.' }],
    ['approve', {}],
  ] as const) {
    const { status, text } = await browser.submit(`${path}/${row}`, { ...fields, code: '000000' })
    expect([status, reportedIn(text)]).toEqual([403, { faults: [row], focused: [row] }])
  }
  expect(pages.failures).toEqual([])
})

test('a wrong code is reported at the hold that was to be lifted', async () => {
  const { patient } = await queuedCase(pages.fixtures, pages.fixtures.ada.live)
  const placing = await pages.signIn({ roles: ['records'] })
  const page = `${placing.home}/patients/${patient}/record`
  for (const reason of ['A lawsuit.', 'An audit.']) {
    await placing.browser.get(page)
    await placing.browser.submit(`${placing.home}/patients/${patient}/holds`, { reason })
  }
  const { browser, home } = await pages.signIn({ roles: ['records'], ...stale })
  const { text } = await browser.get(page)
  const holds = [...text.matchAll(/name="hold" value="([^"]*)"/g)].map(([, id = '']) => id)
  expect(holds).toHaveLength(2)
  const [, hold = ''] = holds
  const sent = { hold, reason: 'It was settled.', code: '000000' }
  const refused = await browser.submit(`${home}/patients/${patient}/holds/lift`, sent)
  expect(refused.status).toBe(403)
  expect(reportedIn(refused.text)).toEqual({ faults: [hold], focused: [hold] })
  expect(pages.failures).toEqual([])
})
