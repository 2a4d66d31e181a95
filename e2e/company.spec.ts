// The company pages: each passes axe, the changelog's filters need no script, and the status page
// shows this server's status.
import { expect, test } from '@playwright/test'
import { brokenRules } from './axe.ts'

const pages = ['/pricing', '/about', '/booking', '/developers', '/changelog', '/status']
/** Pages with long lists, on which axe takes seconds. */
const long = new Set(['/developers', '/changelog'])

test.describe('on a phone', () => {
  test.use({ viewport: { width: 390, height: 844 }, hasTouch: true })

  test('each page fits, and those without long lists pass axe', async ({ page }) => {
    for (const path of pages) {
      await page.goto(path)
      if (!long.has(path)) expect([path, await brokenRules(page)]).toEqual([path, []])
      const [content, width] = await page.evaluate(() => {
        const { scrollWidth, clientWidth } = document.documentElement
        return [scrollWidth, clientWidth]
      })
      expect([path, content]).toEqual([path, width])
    }
  })
})

test.describe('without scripts', () => {
  test.use({ javaScriptEnabled: false })

  test('the changelog’s filter links work by keyboard', async ({ page }) => {
    await page.goto('/changelog')
    const changes = page.locator('.changes li')
    const all = await changes.count()
    const filter = page.getByRole('navigation', { name: 'Filter' })
    await filter.getByRole('link', { name: 'Tools' }).focus()
    await page.keyboard.press('Enter')
    await expect(page).toHaveURL('/changelog#only-mcp')
    await expect(changes.filter({ visible: true })).toHaveCount(
      await page.locator('.changes li[data-surface=mcp]').count(),
    )
    await filter.getByRole('link', { name: 'Breaking' }).click()
    await expect(changes.filter({ visible: true })).toHaveCount(
      await page.locator('.changes li[data-breaking]').count(),
    )
    await filter.getByRole('link', { name: 'All' }).click()
    await expect(changes.filter({ visible: true })).toHaveCount(all)
  })

  test('a change has its own link', async ({ page }) => {
    await page.goto('/changelog')
    const link = page.getByRole('link', { name: 'Link to this change' }).first()
    await link.click()
    await expect(page).toHaveURL(/#\d{4}-\d{2}-\d{2}-/)
    await expect(page.locator('li:target')).toBeVisible()
  })

  test('the status page has the status and the measured days', async ({ page }) => {
    await page.goto('/status')
    await expect(page.getByText(/^(All|Some) systems/)).toBeVisible()
    await expect(page.getByRole('heading', { name: 'Webhook deliveries' })).toBeVisible()
    await expect(page.getByRole('img', { name: /^90 days: \d+ measured/ }).first()).toBeVisible()
  })
})
