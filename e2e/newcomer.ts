// A person who signs up at the portal, by keyboard.
import { readFileSync } from 'node:fs'
import path from 'node:path'
import { expect, type Page } from '@playwright/test'
import { Secret, TOTP } from 'otpauth'
import { press } from './keyboard.ts'
import { followEmail } from './mail.ts'
import { dataDir } from './servers.ts'

export type Access = { url: string; auth_url: string; portal_url: string }

export const readAccess = (): Access =>
  JSON.parse(readFileSync(path.join(dataDir, 'dev.json'), 'utf8')) as Access

const password = 'seven herons over the marsh'

/** Signs up. Ends signed in, at the recovery codes. */
export async function signUp(page: Page, access: Access, email: string): Promise<void> {
  await page.goto(access.portal_url)
  await press(page, 'a[href^="/sign-up"]')
  await page.getByLabel('Work email').fill(email)
  await page.getByLabel('Your name').fill('Grace Rivera')
  await page.getByLabel('Company or brand').fill('Rivera Health')
  await page.keyboard.press('Enter')
  await expect(page.getByRole('heading', { name: 'Check your email' })).toBeVisible()
  await followEmail(page, access, { email, subject: 'Confirm your email address' })
  await page.getByLabel('New password').fill(password)
  await page.keyboard.press('Enter')
  const secret = ((await page.locator('.secret').textContent()) ?? '').replaceAll(' ', '')
  await page
    .getByLabel('Code', { exact: true })
    .fill(new TOTP({ secret: Secret.fromBase32(secret) }).generate())
  await page.keyboard.press('Enter')
  await expect(page.getByRole('heading', { name: 'Save your recovery codes' })).toBeVisible()
}

/** Creates a key, starting from a page in an integration's test mode. */
export async function createKey(page: Page): Promise<string> {
  await page.goto(`${page.url().replace(/\/test.*/, '/test')}/keys/new`)
  await page.getByLabel('Name').fill('Checkout server')
  await page.keyboard.press('Enter')
  await expect(page.getByRole('heading', { name: '“Checkout server” created' })).toBeVisible()
  return /svc_sk_test_\w+/.exec(await page.locator('main').innerText())?.[0] ?? ''
}
