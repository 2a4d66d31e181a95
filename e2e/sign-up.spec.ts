// A person signs up on a phone, in dark mode and without a mouse, with the emails at /dev/mail:
// password, authenticator app, recovery codes, a passkey, and account recovery.
import { readFileSync } from 'node:fs'
import path from 'node:path'
import { expect, type Page, test } from '@playwright/test'
import { Secret, TOTP } from 'otpauth'
import { blockedOn, judge, press } from './keyboard.ts'
import { followEmail } from './mail.ts'
import { dataDir } from './servers.ts'

type Access = { url: string; auth_url: string; portal_url: string }

let access: Access
test.beforeAll(() => {
  access = JSON.parse(readFileSync(path.join(dataDir, 'dev.json'), 'utf8')) as Access
})

const email = `newcomer${process.pid}@example.com`
const password = 'four geese by the water'

const openEmail = (page: Page, subject: string) => followEmail(page, access, { email, subject })

async function addAuthenticator(page: Page) {
  const session = await page.context().newCDPSession(page)
  await session.send('WebAuthn.enable')
  const { authenticatorId } = await session.send('WebAuthn.addVirtualAuthenticator', {
    options: {
      protocol: 'ctap2',
      transport: 'internal',
      hasResidentKey: true,
      hasUserVerification: true,
      isUserVerified: true,
      automaticPresenceSimulation: true,
    },
  })
  return { session, authenticatorId }
}

async function signOut(page: Page): Promise<void> {
  await press(page, '.who button')
  await expect(page.getByRole('heading', { name: 'You’re signed out' })).toBeVisible()
}

test.use({ viewport: { width: 390, height: 844 }, colorScheme: 'dark', hasTouch: true })

test('a person signs up, adds a passkey, and gets back into a lost account', async ({ page }) => {
  test.slow()
  const blocked = blockedOn(page)
  let codes: string[] = []

  await test.step('sign up with an emailed link', async () => {
    await page.goto(`${access.auth_url}/sign-up`)
    await expect(page.getByLabel('Work email')).toBeFocused()
    await judge(page, blocked)
    await page.keyboard.type(email)
    await page.keyboard.press('Tab')
    await page.keyboard.type('Ada Lovelace')
    await page.keyboard.press('Tab')
    await page.keyboard.type('Lovelace Health')
    await page.keyboard.press('Enter')
    await expect(page.getByRole('heading', { name: 'Check your email' })).toBeVisible()
    const mail = page.getByRole('link', { name: 'Open the mail page' })
    await expect(mail).toHaveAttribute('href', `${access.url}/dev/mail`)
    await judge(page, blocked)
    await openEmail(page, 'Confirm your email address')
    await expect(page.getByLabel('New password')).toBeFocused()
    await page.keyboard.type('short')
    await page.keyboard.press('Enter')
    await expect(page.getByLabel('New password')).toHaveAttribute('aria-invalid', 'true')
    await judge(page, blocked)
    await page.keyboard.type(password)
    await page.keyboard.press('Enter')
  })

  await test.step('add an authenticator app, and save the recovery codes', async () => {
    await expect(page.getByRole('heading', { name: 'Add an authenticator app' })).toBeVisible()
    await judge(page, blocked)
    const secret = ((await page.locator('.secret').textContent()) ?? '').replaceAll(' ', '')
    await page.getByLabel('Code', { exact: true }).focus()
    await page.keyboard.type(new TOTP({ secret: Secret.fromBase32(secret) }).generate())
    await page.keyboard.press('Enter')
    await expect(page.getByRole('heading', { name: 'Save your recovery codes' })).toBeVisible()
    await judge(page, blocked)
    codes = await page.locator('.codes li').allTextContents()
    const download = page.waitForEvent('download')
    await press(page, 'a[download]')
    const file = readFileSync(await (await download).path(), 'utf8')
    expect(codes.length).toBe(10)
    for (const code of codes) expect(file).toContain(code)
    await press(page, 'main a.button:not([download])')
    await page.waitForURL(`${access.portal_url}/**`)
    await expect(page.getByText('Lovelace Health').first()).toBeVisible()
  })

  await test.step('add a passkey, and sign in with it', async () => {
    await addAuthenticator(page)
    await page.goto(`${access.auth_url}/account`)
    await judge(page, blocked)
    await press(page, 'a[href="/passkeys"]')
    await expect(page.getByRole('heading', { name: 'Add a passkey' })).toBeVisible()
    await judge(page, blocked)
    await press(page, 'form[action="/passkeys"] button')
    await expect(page.getByRole('status')).toContainText('Passkey added')
    await press(page, '.toast-close')
    await expect(page.getByRole('status')).toHaveCount(0)
    await judge(page, blocked)
    await signOut(page)
    await page.goto(`${access.auth_url}/sign-in`)
    await judge(page, blocked)
    await press(page, 'form[action="/sign-in/passkey"] button')
    await expect(page.getByRole('heading', { name: 'Your agents and devices' })).toBeVisible()
    await signOut(page)
  })

  await test.step('sign in with a recovery code', async () => {
    await page.goto(`${access.auth_url}/sign-in`)
    await page.getByLabel('Email').focus()
    await page.keyboard.type(email)
    await page.keyboard.press('Tab')
    await page.keyboard.type(password)
    await page.keyboard.press('Enter')
    await press(page, 'a[href^="/sign-in/recovery-code"]')
    await expect(page.getByLabel('Recovery code')).toBeFocused()
    await judge(page, blocked)
    await page.keyboard.type(codes[0] ?? '')
    await page.keyboard.press('Enter')
    await expect(page.getByRole('heading', { name: 'Your agents and devices' })).toBeVisible()
    await signOut(page)
  })

  await test.step('request a recovery, and stop it', async () => {
    await page.goto(`${access.auth_url}/recover`)
    await judge(page, blocked)
    await page.keyboard.type(email)
    await page.keyboard.press('Enter')
    await expect(page.getByRole('heading', { name: 'Check your email' })).toBeVisible()
    await openEmail(page, 'Recover your account')
    await expect(page.getByRole('heading', { name: 'Without either' })).toBeVisible()
    await judge(page, blocked)
    await press(page, 'button[value=wait]')
    await expect(page.getByText('you can use this link to set a new password')).toBeVisible()
    await judge(page, blocked)
    await expect(async () => {
      await page.goto(`${access.url}/dev/mail`)
      await page
        .getByRole('link', { name: 'Someone started recovering your account' })
        .first()
        .click()
    }).toPass({ timeout: 30_000 })
    const stop = page.locator('.mail-text a[href*="/recover/cancel"]')
    await page.goto((await stop.getAttribute('href')) ?? '')
    await judge(page, blocked)
    await press(page, 'form[action="/recover/cancel"] button')
    await expect(page.getByRole('heading', { name: 'Recovery stopped' })).toBeVisible()
    await judge(page, blocked)
  })
})

/** Clicks a form's button again while the form is being sent, within the time of a double click. */
async function clickTwice(page: Page, name: string, path: string): Promise<void> {
  const now = new Date()
  await page.clock.install({ time: now })
  await page.clock.pauseAt(new Date(now.getTime() + 1))
  let release = () => {}
  const released = new Promise<void>(resolve => (release = resolve))
  await page.route(`**${path}`, async route => {
    await released
    await route.continue()
  })
  const sent = page.waitForRequest(`**${path}`)
  const button = await page.getByRole('button', { name }).boundingBox()
  const { x = 0, y = 0, width = 0, height = 0 } = button ?? {}
  const at = [x + width / 2, y + height / 2] as const
  await page.mouse.click(...at)
  await sent
  await page.mouse.click(...at)
  release()
  await page.waitForURL(url => url.pathname !== path)
  await page.clock.resume()
}

test('double clicks create one account and one passkey, and show its recovery codes', async ({
  page,
}) => {
  const newcomer = `passkey${process.pid}@example.com`
  await page.goto(`${access.auth_url}/sign-up`)
  await page.getByLabel('Work email').fill(newcomer)
  await page.getByLabel('Your name').fill('Mary Somerville')
  await page.getByLabel('Company or brand').fill('Somerville Health')
  await page.keyboard.press('Enter')
  await expect(page.getByRole('heading', { name: 'Check your email' })).toBeVisible()
  await followEmail(page, access, { email: newcomer, subject: 'Confirm your email address' })
  await page.getByLabel('New password').fill(password)
  await clickTwice(page, 'Create account', '/verify-email')
  await page.getByRole('link', { name: 'Add a passkey' }).click()
  await expect(page.getByRole('button', { name: 'Add passkey' })).toBeVisible()
  const old = await page.context().newPage()
  await old.addInitScript(() => Reflect.deleteProperty(globalThis, 'PublicKeyCredential'))
  await old.goto(page.url())
  await expect(old.getByText('This browser doesn’t support passkeys.')).toBeVisible()
  await expect(old.getByRole('link', { name: 'Add an authenticator app' })).toBeVisible()
  await old.close()
  const { session, authenticatorId } = await addAuthenticator(page)
  const said = page.locator('form[action="/passkeys"] [role=alert]')
  await said.evaluate(alert => {
    const report = () => alert.textContent !== '' && console.log(`Alert: ${alert.textContent}`)
    new MutationObserver(report).observe(alert, { childList: true })
  })
  const blocked = blockedOn(page)
  await page.getByRole('button', { name: 'Add passkey' }).dblclick()
  await expect(page.getByRole('heading', { name: 'Save your recovery codes' })).toBeVisible()
  const { credentials } = await session.send('WebAuthn.getCredentials', { authenticatorId })
  expect(credentials).toHaveLength(1)
  await judge(page, blocked)
})
