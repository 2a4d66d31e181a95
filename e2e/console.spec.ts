// The staff of a clinic in the console: a clinician signs a plan and the pharmacy ships it, by
// keyboard on a phone in the dark; then every page on a wide screen in the light.
import { type Browser, expect, type Page, test } from '@playwright/test'
import { blockedOn, judge } from './keyboard.ts'
import { type Role, signIn } from './staff.ts'

/** In tables; the navigation and the buttons are higher. */
const linkHeightMin = 23.5
const phone = { width: 390, height: 844 }
const wide = { width: 1280, height: 900 }

/** A page on a phone in the dark, signed in by keyboard. */
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

/** The page as it is, then on a wide screen in the light. */
async function judgeBoth(page: Page, blocked: Parameters<typeof judge>[1]): Promise<void> {
  await judge(page, blocked, linkHeightMin)
  await page.setViewportSize(wide)
  await page.emulateMedia({ colorScheme: 'light' })
  await judge(page, blocked, linkHeightMin)
  await page.setViewportSize(phone)
  await page.emulateMedia({ colorScheme: 'dark' })
}

test('a clinician signs a plan, and the pharmacy ships its order', async ({ browser }) => {
  test.slow()
  const page = await open(browser, 'clinician')
  const blocked = blockedOn(page)
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Queue')
  await judgeBoth(page, blocked)

  await page.getByLabel('Status').selectOption('queued')
  await page.waitForURL(/status=queued/)
  const entry = page.locator('#results td a').first()
  const name = ((await entry.textContent()) ?? '').replace(/ [A-Z]{2}$/, '')
  await entry.focus()
  await page.keyboard.press('Enter')
  await expect(page.getByRole('heading', { level: 1 })).toHaveText(name)
  await judgeBoth(page, blocked)
  await pressEnter(page, 'Start review')
  await expect(page.getByRole('button', { name: 'Renew' })).toBeVisible()
  await pressEnter(page, 'Sign the plan')
  await expect(page.getByRole('status')).toHaveText('The plan is signed.')
  await judgeBoth(page, blocked)
  await page.getByRole('link', { name: 'All records of this patient' }).focus()
  await page.keyboard.press('Enter')
  await expect(page.getByRole('heading', { name: 'Prescriptions' })).toBeVisible()
  await judgeBoth(page, blocked)
  await page.context().close()

  const pharmacy = await open(browser, 'pharmacy')
  const blockedThere = blockedOn(pharmacy)
  await expect(pharmacy.getByRole('heading', { level: 1 })).toHaveText('Orders')
  await judgeBoth(pharmacy, blockedThere)
  await pharmacy.locator('td a').first().focus()
  await pharmacy.keyboard.press('Enter')
  await expect(pharmacy.getByLabel('Tracking number')).toBeVisible()
  await judgeBoth(pharmacy, blockedThere)
  await pharmacy.getByLabel('Tracking number').fill('1Z')
  await pressEnter(pharmacy, 'Ship the order')
  await expect(pharmacy.getByRole('status')).toHaveText('The order is shipped.')
  await pharmacy.context().close()
})

// Not those of the test above: a code of an authenticator app works once.
for (const role of ['admin', 'nurse'] as const) {
  test(`every page of the navigation is sound, as ${role}`, async ({ browser }) => {
    test.slow()
    const page = await open(browser, role)
    const blocked = blockedOn(page)
    const links = page.locator('nav[aria-label=Console] a')
    const paths = await links.evaluateAll(all =>
      all.flatMap(one => (one instanceof HTMLAnchorElement ? [one.pathname] : [])),
    )
    const pages = [...new Set(paths)].filter(one => one.startsWith('/org_'))
    expect(pages.length).toBeGreaterThan(2)
    for (const one of pages) {
      const answer = await page.goto(new URL(one, page.url()).href)
      expect([one, answer?.status()]).toEqual([one, 200])
      await judgeBoth(page, blocked)
    }
    await page.context().close()
  })
}
