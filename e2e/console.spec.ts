// A clinic's staff in the console: clinicians, a nurse and the pharmacy working on cases, by
// keyboard on a phone in dark mode; then every page on a wide screen in light mode.
import { type Browser, expect, type Page, test } from '@playwright/test'
import { call, consolePage, fileCase } from './clinic.ts'
import { judgeBoth, judgeEveryPage, linkHeightMin, phone } from './console-pages.ts'
import { blockedOn, judge } from './keyboard.ts'
import { enterCode, leaveIdle, type Role, signIn } from './staff.ts'

/** A page on a phone in dark mode, signed in by keyboard. */
async function open(browser: Browser, role: Role): Promise<Page> {
  const context = await browser.newContext({
    viewport: phone,
    colorScheme: 'dark',
    reducedMotion: 'reduce',
  })
  return signIn(context, role)
}

async function pressEnter(page: Page, name: string): Promise<void> {
  await page.getByRole('button', { name, exact: true }).first().focus()
  await page.keyboard.press('Enter')
}

const openCase = (page: Page, id: string) => page.goto(consolePage(`/cases/${id}`))
const done = (page: Page, text: string) =>
  expect(page.getByRole('status').filter({ hasText: text })).toHaveText(text)

async function openForm(page: Page, name: string): Promise<void> {
  await page.locator('summary', { hasText: name }).first().press('Enter')
}

/** Opens a case's panel with its keyboard shortcut. */
const openPanel = (page: Page, key: string) => page.locator('h1').press(key)

type Case = { status: string; reason: string | null; order_ids: string[] }
const caseOf = async (id: string) => (await call<Case>('GET', `/v1/cases/${id}`)).body

/** Opens one of the queue's tabs. */
async function openTab(page: Page, name: string): Promise<void> {
  const tab = page.getByRole('navigation', { name: 'Cases' }).getByRole('link', { name })
  await tab.press('Enter')
  await expect(tab).toHaveAttribute('aria-current', 'page')
}

async function signFromQueue(page: Page, blocked: Parameters<typeof judge>[1]): Promise<void> {
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Queue')
  await judgeBoth(page, blocked)
  await openTab(page, 'Waiting')
  await openTab(page, 'Open')
  const rows = page.getByRole('table', { name: 'Open cases' }).getByRole('row')
  const entry = rows.filter({ hasText: 'Unassigned' }).first().getByRole('link')
  const name = ((await entry.textContent()) ?? '').replace(/ [A-Z]{2}$/, '')
  await entry.focus()
  await page.keyboard.press('Enter')
  await expect(page.getByRole('heading', { level: 1 })).toHaveText(name)
  await judgeBoth(page, blocked)
  // Opening a case from the queue claims it.
  await expect(page.getByRole('button', { name: 'Extend' })).toBeVisible()
  await pressEnter(page, 'Sign')
  await done(page, 'Plan signed.')
  await judgeBoth(page, blocked)
  await page.getByRole('link', { name: 'Full patient record' }).focus()
  await page.keyboard.press('Enter')
  await expect(page.getByRole('heading', { name: 'Prescriptions' })).toBeVisible()
  await judgeBoth(page, blocked)
}

/** Asks a question, receives the answer, and changes the requested plan. A nurse can see whose
 *  case it is. */
async function reviewTogether(page: Page, nurse: Page): Promise<void> {
  const id = await fileCase('Haddad')
  await openCase(page, id)
  await pressEnter(page, 'Start review')
  await done(page, 'Assigned to you.')

  await openCase(nurse, id)
  await expect(nurse.locator('main')).toContainText('Assigned to Dr. Casey Clinician until')
  await expect(nurse.getByRole('button', { name: 'Start review' })).toHaveCount(0)

  for (const title of ['Requested', 'Answers', 'Consents', 'History'])
    await expect(page.getByRole('heading', { name: title, exact: true })).toBeVisible()
  const blocked = blockedOn(page)
  await openPanel(page, 'm')
  await expect(page.getByRole('textbox', { name: 'Message' })).toBeVisible()
  await judgeBoth(page, blocked)
  // Leaves the message field, where the key would be typed as text.
  await page.locator('main').focus()
  await page.keyboard.press('q')
  await page.getByLabel('Question', { exact: true }).last().fill('Since when?')
  await pressEnter(page, 'Send')
  await done(page, 'Question sent. The case is waiting for an answer.')
  expect((await caseOf(id)).status).toBe('waiting_on_patient')
  const answers = [{ answer: 'Since May.' }]
  expect((await call('POST', `/v1/cases/${id}/answers`, { answers })).status).toBe(200)
  await openCase(page, id)
  await expect(page.locator('main')).toContainText('Since May.')
  await expect(page.locator('main')).toContainText('Assigned to you until')

  await page.getByLabel('Quantity').first().fill('2')
  await page.getByLabel('Send to pharmacy').first().press('Space')
  await pressEnter(page, 'Sign')
  await done(page, 'Plan signed.')
  const cells = (name: string) =>
    page.getByRole('table', { name }).getByRole('row').nth(1).getByRole('cell')
  await expect(cells('Requested medications').nth(1)).toHaveText('4')
  await expect(cells('Signed plan').nth(1)).toHaveText('2')
  await expect(cells('Signed plan').last()).toHaveText('No')
  expect(await caseOf(id)).toMatchObject({ status: 'approved', order_ids: [] })
}

async function declineAndRefuse(page: Page, nurse: Page): Promise<void> {
  const [declined, elsewhere] = [await fileCase('Silva'), await fileCase('Moreau', 'VT')]
  await openCase(nurse, declined)
  await expect(nurse.getByRole('button', { name: 'Start review' })).toBeVisible()
  for (const name of ['Sign', 'Decline'])
    await expect(nurse.getByRole('button', { name, exact: true })).toHaveCount(0)

  await openCase(page, elsewhere)
  await expect(page.locator('main')).toContainText(
    'You need a current license in VT to sign or decline.',
  )
  await expect(page.getByRole('button', { name: 'Sign', exact: true })).toHaveCount(0)

  await openCase(page, declined)
  await openPanel(page, 'd')
  const reason = 'Please see a doctor in person first.'
  await expect(page.locator('main')).toContainText('The patient sees this.')
  await page.getByLabel('Reason').fill(reason)
  await pressEnter(page, 'Decline')
  await done(page, 'Case declined.')
  expect(await caseOf(declined)).toMatchObject({ status: 'declined', reason })
}

/** Locks an idle session. After the second factor, the session returns to the page it was on. */
async function returnLater(page: Page): Promise<void> {
  const place = consolePage('/queue?view=waiting')
  await page.goto(place)
  await leaveIdle('nurse', 16)
  await page.reload()
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Confirm it’s you')
  await enterCode(page, 'nurse')
  expect(page.url()).toBe(place)
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Queue')
}

async function fillOrder(page: Page): Promise<void> {
  const blocked = blockedOn(page)
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Orders')
  await judgeBoth(page, blocked)
  const order = page.locator('td a').first()
  const id = ((await order.getAttribute('href')) ?? '').split('/').at(-1)
  await order.focus()
  await page.keyboard.press('Enter')
  await expect(page.getByLabel('Tracking number')).toBeVisible()
  await judgeBoth(page, blocked)

  await openForm(page, 'Block')
  await page.getByLabel('Reason').first().fill('Out of stock.')
  await pressEnter(page, 'Block order')
  await done(page, 'Order blocked.')
  await page.goto(consolePage('/orders?status=blocked'))
  await expect(page.locator(`td a[href$="/${id}"]`)).toBeVisible()
  await judge(page, blocked, linkHeightMin)
  await page.locator(`td a[href$="/${id}"]`).press('Enter')
  await expect(page.locator('main')).toContainText('Out of stock.')
  await pressEnter(page, 'Unblock order')
  await done(page, 'Order unblocked.')

  await page.getByLabel('Tracking number').fill('1Z999')
  await pressEnter(page, 'Mark as shipped')
  await done(page, 'Order shipped.')
  await pressEnter(page, 'Mark as delivered')
  await done(page, 'Order delivered.')
  await page.goto(consolePage('/orders?status=delivered'))
  await expect(page.locator(`td a[href$="/${id}"]`)).toBeVisible()
  const { body } = await call('GET', `/v1/orders/${id}`)
  expect(body).toMatchObject({ status: 'delivered', tracking: { number: '1Z999' } })
}

test('a clinician reviews alongside a nurse, and the pharmacy fills the order', async ({
  browser,
}) => {
  test.slow()
  const page = await open(browser, 'clinician')
  const nurse = await open(browser, 'nurse')
  await test.step('a plan is signed from the queue', () => signFromQueue(page, blockedOn(page)))
  await test.step('a question, and a plan that differs from the request', () =>
    reviewTogether(page, nurse))
  await test.step('no decisions without permission', () => declineAndRefuse(page, nurse))
  await test.step('a nurse can use every page', () =>
    judgeEveryPage(nurse, ['/queue', '/messages', '/cases/id', '/patients/id', '/visits']))
  await test.step('an idle session is locked', () => returnLater(nurse))
  for (const one of [page, nurse]) await one.context().close()

  const pharmacy = await open(browser, 'pharmacy')
  await test.step('the pharmacy blocks, resumes, ships and delivers an order', () =>
    fillOrder(pharmacy))
  await pharmacy.context().close()
})

test('the activity file has the rows on screen after a filter changes', async ({ browser }) => {
  const page = await open(browser, 'admin')
  await page.goto(consolePage('/activity'))
  const link = page.getByRole('link', { name: 'Download CSV' })
  await expect(link).not.toHaveAttribute('href', /person=/)
  await page.getByLabel('Person', { exact: true }).selectOption({ index: 1 })
  await expect(link).toHaveAttribute('href', /person=per_/)
  await page.context().close()
})

test('an administrator can use every page in the navigation', async ({ browser }) => {
  test.slow()
  const page = await open(browser, 'admin')
  await judgeEveryPage(page, ['/grants', '/staff/invite', '/staff/id', '/activity', '/settings'])
  await page.context().close()
})
