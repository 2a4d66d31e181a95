// The synthetic clinic's staff on the platform under test.
import { readFileSync, renameSync, statSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { type BrowserContext, expect, type Page } from '@playwright/test'
import { Secret, TOTP } from 'otpauth'
import { until } from './until.ts'
import { admin, dataDir } from './servers.ts'

type Person = { email: string; password: string; totp_secret: string }
export type Role = 'clinician' | 'pharmacy' | 'admin' | 'nurse' | 'records'
type Access = { console_url: string; staff: Record<Role, Person> }

const access = (): Access => JSON.parse(readFileSync(path.join(dataDir, 'dev.json'), 'utf8'))

/** A console page, signed in by keyboard. */
export async function signIn(context: BrowserContext, role: Role): Promise<Page> {
  const { console_url, staff } = access()
  const { email, password } = staff[role]
  const page = await context.newPage()
  await page.goto(console_url)
  await page.getByLabel('Email').fill(email)
  await page.getByLabel('Password', { exact: true }).fill(password)
  await page.keyboard.press('Enter')
  await enterCode(page, role)
  return page
}

/** Shorter than the fifteen minutes for which a second factor is recent enough to sign. */
const sharedMs = 5 * 60_000

/**
 * A console page in a new context, with the session of another test that signed in recently. A
 * person has two codes each half minute, so tests that all signed in would wait for each other's.
 */
export async function openSignedIn(context: BrowserContext, role: Role): Promise<Page> {
  const { console_url } = access()
  const file = path.join(dataDir, `session-${role}.json`)
  const savedMs = statSync(file, { throwIfNoEntry: false })?.mtimeMs ?? 0
  if (performance.timeOrigin + performance.now() - savedMs < sharedMs) {
    await context.addCookies(JSON.parse(readFileSync(file, 'utf8')))
    const page = await context.newPage()
    await page.goto(console_url)
    if (page.url().startsWith(console_url)) return page
    await page.close()
    await context.clearCookies()
  }
  const page = await signIn(context, role)
  // Replaces the file in one step, because another test may be reading it.
  writeFileSync(`${file}.${process.pid}`, JSON.stringify(await context.cookies()))
  renameSync(`${file}.${process.pid}`, file)
  return page
}

const stepMs = 30_000

/**
 * Enters codes until the console opens. A code works once, and the next half minute's code already
 * works. If both codes were used, waits for a third.
 */
export async function enterCode(page: Page, role: Role): Promise<void> {
  const { console_url, staff } = access()
  const totp = new TOTP({ secret: Secret.fromBase32(staff[role].totp_secret) })
  for (let attempt = 0; ; attempt++) {
    if (attempt > 1) {
      const step = totp.counter()
      await until(() => totp.counter() > step)
    }
    const timestamp = (totp.counter() + (attempt === 0 ? 0 : 1)) * stepMs
    await page.getByLabel('Code').fill(totp.generate({ timestamp }))
    // The resulting page may look the same, but it is a new document.
    await page.locator('html').evaluate(one => one.setAttribute('data-sent', ''))
    await page.keyboard.press('Enter')
    await page.locator('html:not([data-sent]) h1').first().waitFor()
    if (page.url().startsWith(console_url)) return
    // Another test used the code, or used several wrong ones in a row.
    await expect(page.getByText(/Each code works once|Too many attempts/)).toBeVisible()
  }
}

/** Ages this person's sessions as if they had been idle this long. */
export async function leaveIdle(role: Role, minutes: number): Promise<void> {
  const ago = `now() - interval '${minutes} minutes'`
  const left = `update auth.credentials set last_used_at = ${ago}, second_factor_at = ${ago}
    where kind = 'session' and person = (
      select id from auth.persons where email = '${access().staff[role].email}')`
  await admin('sql', left)
}
