// Tests that typed text survives an expired second factor and a locked session.
import { expect, test } from 'bun:test'
import { queryAsOwner } from '#clinical/testing/assertions.ts'
import { invokeOk, queuedCase, rivera } from '#clinical/testing/call.ts'
import { type FormValues, hiddenFields, type TestBrowser } from '#auth/testing/browser.ts'
import { sql } from '#database/sql.ts'
import { useConsolePages } from './testing/console.ts'

const pages = useConsolePages()
const states = [rivera.address.state]
const live = () => pages.fixtures.ada.live
const reason = 'Please see <someone> in person.\nThen come back.'

/** Opens a decline with a fresh factor, and submits it after the session has changed. */
async function declineLate(change: ReturnType<typeof sql>) {
  const { id } = await queuedCase(pages.fixtures, live())
  const signed = await pages.signIn({ states })
  const path = `${signed.home}/cases/${id}/decline`
  await signed.browser.get(`${signed.home}/cases/${id}`)
  await queryAsOwner(
    pages.fixtures,
    sql`update auth.credentials set ${change} where person = ${signed.person}`,
  )
  await signed.browser.submit(path, { reason })
  return { ...signed, id, path }
}

const unsavedIn = (html: string) =>
  [...html.matchAll(/<form [^>]*action="([^"]*)"[^>]* data-unsaved/g)].map(([, action]) => action)

/** Starts a session with a new second-factor verification in the same browser. */
async function prove(browser: TestBrowser) {
  const { token, person } = await pages.signIn({ states })
  browser.cookies.set('console_session', token)
  return person
}

test('an expired second factor: the form asks for a code and keeps the typed text', async () => {
  const { browser, id, path, nextCode } = await declineLate(
    sql`second_factor_at = now() - interval '16 minutes'`,
  )
  expect([browser.page.status, browser.page.url]).toEqual([403, path])
  expect(browser.page.text).toContain('Nothing was signed yet.')
  expect(browser.page.text).toMatch(/<textarea id="reason"[^>]*>Please see &lt;someone> in person/)
  expect(browser.page.text).toMatch(/<input[^>]*value="decline"[^>]*checked/)
  await browser.submit(path, { reason, code: nextCode() })
  expect((await invokeOk(pages.fixtures, 'getCase', { as: live(), id })).reason).toBe(reason)
})

test('an idle session: the typed text is sent after the second factor is verified', async () => {
  const { browser, id, path } = await declineLate(sql`last_used_at = now() - interval '16 minutes'`)
  expect([browser.page.status, browser.page.text.includes('someone')]).toEqual([403, false])
  expect(browser.page.text).toContain('Not sent yet')
  expect(browser.page.url).toBe(path)
  const sealed = hiddenFields(browser.page.text, path)
  await prove(browser)
  await browser.submit(path)
  // The form appears on the case, which is still open.
  expect(browser.page.text).toContain('Not sent yet. Review your entries, then send them.')
  expect(browser.page.text).toMatch(/<textarea id="reason"[^>]*>Please see &lt;someone> in person/)
  expect(browser.page.text).toMatch(/<input[^>]*value="decline"[^>]*checked/)
  // A script asks before a page with an unsaved form is left.
  expect(unsavedIn(browser.page.text)).toEqual([path])
  expect((await invokeOk(pages.fixtures, 'getCase', { as: live(), id })).status).toBe('queued')
  await browser.submit(path, { reason })
  expect(browser.page.text).toContain('Case declined.')
  expect((await invokeOk(pages.fixtures, 'getCase', { as: live(), id })).reason).toBe(reason)

  // The kept form does nothing in another browser, at another path, or if changed.
  const other = await pages.signIn({ states })
  await other.browser.get(`${other.home}/cases/${id}`)
  const kept = sealed['kept'] ?? ''
  for (const [to, value] of [
    [path, kept],
    [path.replace('decline', 'question'), kept],
    [path, kept.replace(/.{2}$/, last => (last === 'AA' ? 'BB' : 'AA'))],
  ] as const) {
    const sender = value === kept && to === path ? other.browser : browser
    const body = new URLSearchParams({ kept: value })
    const answer = await sender.send(to, { method: 'POST', body })
    expect((await answer.text()).includes('This form is out of date')).toBe(true)
  }
  expect(pages.failures).toEqual([])
})

test('another site’s page can’t have a form kept', async () => {
  const { browser, path } = await declineLate(sql`last_used_at = now() - interval '16 minutes'`)
  const answer = await browser.send(path, {
    method: 'POST',
    headers: { 'sec-fetch-site': 'cross-site' },
    body: new URLSearchParams({ reason }),
  })
  expect(answer.status).toBe(303)
})

/** Opens a page with a form, and submits it after the session has been idle too long. */
async function sendLate(
  page: string,
  form: string,
  values: FormValues,
  roles = ['admin'] as const,
) {
  const signed = await pages.signIn({ roles })
  const path = `${signed.home}${form}`
  await signed.browser.get(`${signed.home}${page}`)
  await queryAsOwner(
    pages.fixtures,
    sql`update auth.credentials set last_used_at = now() - interval '16 minutes'
         where person = ${signed.person}`,
  )
  await signed.browser.submit(path, values)
  return { ...signed, path }
}

test('a settings form keeps its input, and says that another person saved', async () => {
  const values = { name: 'Elm', time_zone: 'America/Chicago', contact_phone: '+1 415 555 0142' }
  const { browser, path, home } = await sendLate('/settings', '/settings', values)
  const other = await pages.signIn({ roles: ['admin'] })
  await other.browser.get(`${home}/settings`)
  // A live clinic must have an incident email.
  await other.browser.submit(path, {
    name: 'Oak Clinic',
    time_zone: 'America/Denver',
    incident_email: 'incidents@example.com',
  })
  const next = await pages.signIn({ roles: ['admin'] })
  browser.cookies.set('console_session', next.token)
  await browser.submit(path)
  const { text } = browser.page
  expect(text).toContain('Someone changed this after you opened it')
  // The saved name appears even next to a typed name without a space.
  expect(text).toContain('Currently saved: “Oak Clinic”.')
  for (const value of ['Elm', '+1 415 555 0142']) expect(text).toContain(`value="${value}"`)
})

test('text is shown for copying if its form is gone', async () => {
  const { browser, id, path } = await declineLate(sql`last_used_at = now() - interval '16 minutes'`)
  const { token } = await pages.signIn({ states })
  browser.cookies.set('console_session', token)
  await queryAsOwner(
    pages.fixtures,
    sql`update live.cases set status = 'declined', reason = 'Decided' where id = ${id}`,
  )
  await browser.submit(path)
  expect(browser.page.text).toContain('Your entries')
  expect(browser.page.text).toContain('Please see &lt;someone> in person.')
})
