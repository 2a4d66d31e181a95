// People book, move and cancel a call: without scripts, on a phone in dark mode, on a desktop in
// light mode, by keyboard alone, and with the links in the emails.
import { expect, type Page, test } from '@playwright/test'
import { brokenRules } from './axe.ts'

/** Checks that the page fits the screen and that axe reports no violations. */
async function isWell(page: Page, asksAxe = true): Promise<void> {
  const fits = await page.evaluate(
    () => document.documentElement.scrollWidth <= document.documentElement.clientWidth,
  )
  expect(fits, 'nothing scrolls sideways').toBe(true)
  if (!asksAxe) return
  expect(await brokenRules(page)).toEqual([])
}

const newAddress = () => `ada-${crypto.randomUUID().slice(0, 8)}@rivera-clinic.com`

async function book(page: Page, at: number, email: string): Promise<void> {
  await page.locator('a.time').nth(at).click()
  await page.getByLabel('First name').fill('Ada')
  await page.getByLabel('Email').fill(email)
  await page.getByRole('button', { name: 'Book call' }).click()
}

for (const [at, width, colorScheme] of [
  [0, 390, 'dark'],
  [1, 1440, 'light'],
] as const) {
  test.describe(`at ${width} px, ${colorScheme}`, () => {
    test.use({
      viewport: { width, height: 900 },
      colorScheme,
      contextOptions: { reducedMotion: 'reduce' },
    })

    test('booking: every page fits and passes axe', async ({ page }) => {
      await page.goto('/booking')
      await page.getByRole('link', { name: 'Pick a time' }).click()
      await page.waitForURL(/\/booking\/times\b/)
      await isWell(page)
      await page.locator('a.time').nth(at).click()
      await page.waitForURL(/\/booking\/confirm\b/)
      await isWell(page, false)
      await page.getByLabel('First name').fill('123')
      await page.getByLabel('Email').fill(newAddress())
      await page.getByRole('button', { name: 'Book call' }).click()
      await expect(page.getByRole('alert')).toContainText('First name')
      await isWell(page)
      await page.getByLabel('First name').fill('Ada')
      await page.getByRole('button', { name: 'Book call' }).click()
      await expect(page.locator('h1')).toHaveText('You’re booked, Ada')
      await isWell(page)
      for (const name of ['Cancel the call', 'This wasn’t me']) {
        await page.getByRole('link', { name }).click()
        await page.waitForURL(/\/booking\/(cancel|not-me)\b/)
        await isWell(page, false)
        await page.getByRole('link', { name: 'Keep the call' }).click()
      }
    })
  })
}

test.describe('without scripts', () => {
  test.use({ javaScriptEnabled: false })

  test('booking: book, move, and report abuse with the email’s link', async ({ page }) => {
    const email = newAddress()
    await page.goto('/booking/times')
    await expect(page.locator('.lead')).toContainText('Times are in New York time (ours).')
    await page.goto('/booking/times?timezone=Asia/Tokyo')
    await book(page, 4, email)
    await expect(page.locator('h1')).toHaveText('You’re booked, Ada')
    await page.getByRole('link', { name: 'Reschedule' }).click()
    await page.locator('a.time').nth(9).click()
    await page.getByRole('button', { name: 'Reschedule' }).click()
    await expect(page.locator('time')).toContainText('GMT+9')
    await expect(async () => {
      await page.goto('/dev/mail')
      await expect(page.getByText(`to ${email}`)).toHaveCount(2)
    }).toPass()
    await page.locator('li', { hasText: email }).getByRole('link').first().click()
    await page.locator('a[href*="/booking/not-me"]').click()
    await page.getByRole('button').click()
    await expect(page.locator('main')).toContainText('We erased your name and address')
  })
})

test.describe('in Tokyo', () => {
  test.use({ timezoneId: 'Asia/Tokyo' })

  test('booking: times are in the visitor’s zone, and a call in another zone shows both zones', async ({
    page,
  }) => {
    await page.goto('/booking/times')
    await page.waitForURL(/timezone=Asia%2FTokyo/)
    await expect(page.locator('.lead')).toContainText('Times are in Tokyo time.')
    await page.goto('/booking/times?timezone=UTC')
    await page.locator('a.time').nth(20).click()
    await expect(page.locator('.booking-when')).toContainText('Your time:')
    await expect(page.locator('.booking-when')).toContainText('GMT+9')
  })
})

test('booking: works by keyboard alone', async ({ page }) => {
  await page.goto('/booking/times?timezone=UTC')
  const time = page.locator('a.time').nth(12)
  await time.focus()
  await page.keyboard.press('Enter')
  const press = async (key: string, text?: string) => {
    await page.keyboard.press(key)
    if (text !== undefined) await page.keyboard.type(text)
  }
  await page.getByLabel('First name').focus()
  await page.keyboard.type('Ada')
  await press('Tab', newAddress())
  await press('Tab', 'Two states')
  await press('Enter')
  await press('Tab')
  // The link to the privacy policy comes before the button.
  await press('Tab')
  await expect(page.getByRole('button', { name: 'Book call' })).toBeFocused()
  await press('Enter')
  await expect(page.locator('h1')).toHaveText('You’re booked, Ada')
})

test('booking: an address at a reserved domain is a dry run', async ({ page }) => {
  await page.goto('/booking/times?timezone=UTC')
  const answered = page.waitForResponse(answer => answer.request().method() === 'POST')
  await book(page, 15, 'ada@example.com')
  expect((await answered).headers()['service-dry-run']).toBe('true')
  await expect(page.locator('h1')).toHaveText('Test booking: nothing was stored')
})
