// While a console page is open: new work is counted and listed, with a sound where sound is on, and
// the session may end.
import { expect, test } from '@playwright/test'
import { consolePage, fileCase } from './clinic.ts'
import { openSignedIn } from './staff.ts'

type Counted = typeof globalThis & { tones?: number }

test('new work is counted and listed automatically, with a sound if it is on', async ({
  browser,
}) => {
  const context = await browser.newContext()
  await context.addInitScript(() => {
    const { createOscillator } = AudioContext.prototype
    AudioContext.prototype.createOscillator = function () {
      const counted: Counted = globalThis
      counted.tones = (counted.tones ?? 0) + 1
      return createOscillator.call(this)
    }
  })
  const page = await openSignedIn(context, 'nurse')
  const tones = () => page.evaluate(() => (globalThis as Counted).tones ?? 0)
  // Other tests may have many cases, and older cases come first.
  const later = consolePage(`/queue?after=${await fileCase('Earlier')}`)

  await page.goto(later)
  const silent = await fileCase('Silent')
  await expect(page.locator(`#results a[href$="${silent}"]`)).toBeVisible()
  await expect(page).toHaveTitle(/^\(\d+\+?\) /)
  expect(await tones()).toBe(0)

  await page.goto(consolePage('/preferences'))
  await page.getByRole('button', { name: 'Turn on sound' }).click()
  expect(await tones()).toBe(1)
  await page.reload()
  await expect(page.getByRole('button', { name: 'Turn off sound' })).toBeVisible()

  await page.goto(later)
  // If another test decides a case as this one arrives, the count doesn't grow, so the test repeats
  // this step.
  await expect(async () => {
    const heard = await fileCase('Heard')
    await expect(page.locator(`#results a[href$="${heard}"]`)).toBeVisible()
    expect(await tones()).toBeGreaterThan(0)
  }).toPass()
  await context.close()
})

test('search signs in again once the session has ended', async ({ browser }) => {
  const context = await browser.newContext()
  const page = await openSignedIn(context, 'records')
  await page.getByRole('link', { name: 'Patients', exact: true }).click()
  await page.waitForURL(consolePage('/patients'))
  await context.clearCookies({ name: 'console_session' })
  await page.getByRole('link', { name: 'Search' }).click()
  await page.getByRole('link', { name: 'Sign in to search' }).click()
  await page.waitForURL(url => url.pathname.endsWith('/search'))
  await expect(page.getByRole('main').getByRole('searchbox')).toBeVisible()
  await context.close()
})
