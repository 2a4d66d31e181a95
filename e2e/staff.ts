// The staff of the invented clinic of the platform under test.
import { readFileSync } from 'node:fs'
import path from 'node:path'
import type { BrowserContext, Page } from '@playwright/test'
import { Secret, TOTP } from 'otpauth'
import { dataDir } from './servers.ts'

type Person = { email: string; password: string; totp_secret: string }
export type Role = 'clinician' | 'pharmacy' | 'admin' | 'nurse' | 'records'
type Access = { console_url: string; staff: Record<Role, Person> }

/** A page of the console, signed in by keyboard. A code that another test has used is not taken
 *  again, so the next one is waited for. */
export async function signIn(context: BrowserContext, role: Role): Promise<Page> {
  const access: Access = JSON.parse(readFileSync(path.join(dataDir, 'dev.json'), 'utf8'))
  const { email, password, totp_secret } = access.staff[role]
  const totp = new TOTP({ secret: Secret.fromBase32(totp_secret) })
  const page = await context.newPage()
  await page.goto(access.console_url)
  await page.getByLabel('Email').fill(email)
  await page.getByLabel('Password', { exact: true }).fill(password)
  await page.keyboard.press('Enter')
  for (;;) {
    await page.getByLabel('Code').fill(totp.generate())
    await page.keyboard.press('Enter')
    const refused = page.getByText('Each code works once')
    const isIn = page.waitForURL(`${access.console_url}/**`).then(() => true)
    if (await Promise.race([isIn, refused.waitFor().then(() => false)])) return page
    await page.waitForTimeout(totp.remaining())
  }
}
