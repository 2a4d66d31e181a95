// The way in, by clicks alone: from the home page through an account and a key to a first request
// in the browser and a delivered webhook, on a phone and on a desktop. Every step follows a link or
// button on the page before, even to another origin.
import { expect, type Page, test } from '@playwright/test'
import { Secret, TOTP } from 'otpauth'
import { openReceiver } from './receiver.ts'

const screens = [
  ['a phone', { width: 390, height: 844 }, sendBesideKey],
  ['a desktop', { width: 1280, height: 900 }, sendFromQuickstart],
] as const

const clickLink = (page: Page, name: string | RegExp) =>
  page.getByRole('link', { name }).first().click()
const clickButton = (page: Page, name: string | RegExp) =>
  page.getByRole('button', { name }).first().click()

/** Chooses a link in a menu. Opens the menu first if the link isn't visible. */
async function choose(page: Page, name: string): Promise<void> {
  const link = page.locator('a').filter({ hasText: new RegExp(`^\\s*${name}\\s*$`) })
  const shown = link.filter({ visible: true }).first()
  // A page whose styles haven't loaded shows the links of every menu.
  await page.waitForLoadState()
  if (!(await shown.isVisible())) {
    const menu = page.locator('details').filter({ has: link }).locator('summary')
    const button = menu.or(page.locator('[popovertarget=site-menu]')).filter({ visible: true })
    await button.first().click()
  }
  await shown.click()
}

async function createAccount(page: Page, email: string): Promise<void> {
  await page.getByLabel('Work email').fill(email)
  await page.getByLabel('Your name').fill('Grace Rivera')
  await page.getByLabel('Company or brand').fill('Rivera Health')
  await clickButton(page, 'Continue')
  await clickLink(page, 'Open the mail page')
  const mail = page.getByRole('listitem').filter({ hasText: email }).getByRole('link')
  await expect(async () => {
    if (!(await mail.first().isVisible())) await page.reload()
    await expect(mail.first()).toBeVisible({ timeout: 500 })
  }).toPass()
  await mail.first().click()
  await page.locator('.mail-text a').first().click()
  const password = page.getByLabel('New password')
  await password.fill('seven herons over the marsh')
  await page.getByLabel('Show password').check()
  await expect(password).toHaveAttribute('type', 'text')
  await clickButton(page, 'Create account')
  const secret = ((await page.locator('.secret').textContent()) ?? '').replaceAll(' ', '')
  await page
    .getByLabel('Code', { exact: true })
    .fill(new TOTP({ secret: Secret.fromBase32(secret) }).generate())
  await clickButton(page, 'Confirm')
  await clickLink(page, 'I’ve saved them')
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Rivera Health')
}

async function createKey(page: Page): Promise<string> {
  await choose(page, 'Keys')
  await clickLink(page, /^(New|Create) key$/)
  await page.getByLabel('Name').fill('Checkout server')
  await clickButton(page, 'Create key')
  await expect(page.getByRole('heading', { name: '“Checkout server” created' })).toBeVisible()
  return /svc_sk_test_\w+/.exec(await page.locator('main').innerText())?.[0] ?? ''
}

/** Sends a request from the key's page, which stays open. */
async function sendBesideKey(page: Page, key: string): Promise<void> {
  const opened = page.waitForEvent('popup')
  await clickLink(page, 'Send it in the browser')
  const reference = await opened
  await sendRequest(reference, key)
  await reference.close()
}

/** Goes to the quickstart, and back by the site's own link. */
async function sendFromQuickstart(page: Page, key: string): Promise<void> {
  const portal = new URL(page.url()).origin
  await choose(page, 'Documentation')
  await clickLink(page, 'Quickstart')
  await expect(page.getByLabel('Hosted sandbox')).toBeChecked()
  await clickLink(page, 'Read the organization')
  await sendRequest(page, key)
  await choose(page, 'Sign in')
  expect(new URL(page.url()).origin).toBe(portal)
}

async function sendRequest(page: Page, key: string): Promise<void> {
  await page.getByLabel('Test key').fill(key)
  await clickButton(page, 'Send request')
  await expect(page.locator('.try-answer')).toContainText('200')
  await expect(page.locator('.try-answer')).toContainText('sandbox')
}

async function receiveWebhook(page: Page): Promise<void> {
  const receiver = await openReceiver()
  await choose(page, 'Webhooks')
  await clickLink(page, /^(New|Create|Add) (an )?endpoint$/)
  await page.getByLabel('URL').fill(receiver.url)
  await clickButton(page, 'Create endpoint')
  await page.locator('main a.button[href*="/webhooks/"]').click()
  await clickButton(page, 'Send test event')
  await expect.poll(() => receiver.accepted.length).toBe(1)
  await expect(async () => {
    await page.reload()
    await expect(page.locator('main')).toContainText(/delivered/i, { timeout: 500 })
  }).toPass()
  receiver.stop()
}

for (const [name, viewport, send] of screens) {
  test(`on ${name}: home page, account, key, first 200, delivered webhook`, async ({ browser }) => {
    test.slow()
    const context = await browser.newContext({ viewport })
    const page = await context.newPage()
    page.setDefaultTimeout(20_000)
    const began = Date.now()
    await page.goto(test.info().project.use.baseURL ?? '/')
    await page.locator('main').getByRole('link', { name: 'Start free' }).click()
    await createAccount(page, `${name.replace(' ', '')}${process.pid}@example.com`)
    const key = await createKey(page)
    await send(page, key)
    await receiveWebhook(page)
    expect(Date.now() - began).toBeLessThan(300_000)
    await context.close()
  })
}

test('the quickstart remembers where the sandbox runs, unless a link says otherwise', async ({
  page,
}) => {
  await page.goto('/docs/quickstart')
  await expect(page.getByText('npm start', { exact: true })).toBeHidden()
  await page.getByText('On your machine', { exact: true }).click()
  await expect(page.getByText('npm start', { exact: true })).toBeVisible()
  await page.reload()
  await expect(page.getByText('npm start', { exact: true })).toBeVisible()
  await page.goto('/docs/quickstart#hosted-sandbox')
  await expect(page.getByText('npm start', { exact: true })).toBeHidden()
})
