// The page that explains why a signature doesn't match: by keyboard, offline, and without sending
// anything.
import { expect, test } from '@playwright/test'

test('signature checker: verifies within the page and names the mistake', async ({ page }) => {
  await page.goto('/docs/webhooks/check-a-signature')
  await page.context().setOffline(true)
  const asked: string[] = []
  page.on('request', request => asked.push(request.url()))
  const verdict = page.locator('#verdict')
  await page.getByRole('button', { name: 'Use example' }).focus()
  await page.keyboard.press('Enter')
  await expect(verdict).toContainText('Signature matches')
  await page.getByLabel('Raw body').fill('{"id": "evt_1"}')
  await expect(verdict).toContainText('Signature doesn’t match')
  await expect(verdict).toContainText('parsed and serialized again')
  await page.getByRole('button', { name: 'Use example' }).click()
  await page.getByLabel('Received at').fill('1795188400')
  await expect(verdict).toContainText('too old')
  await page.getByRole('button', { name: 'Clear all' }).click()
  await expect(verdict).toContainText('Nothing to check yet')
  await expect(page.getByLabel('Service-Signature')).toBeFocused()
  expect(asked).toEqual([])
})
