// The emails that the test server stores instead of sending.
import { expect, type Page } from '@playwright/test'

type Access = { readonly url: string; readonly auth_url: string }

/** Opens the newest email to the person with this subject, and follows its first link. */
export async function followEmail(
  page: Page,
  access: Access,
  { email, subject }: { email: string; subject: string },
): Promise<void> {
  await expect(async () => {
    await page.goto(`${access.url}/dev/mail`)
    const row = page.getByRole('listitem').filter({ hasText: email }).filter({ hasText: subject })
    await row.getByRole('link').first().click({ timeout: 1000 })
  }).toPass({ timeout: 30_000 })
  const link = page.locator(`.mail-text a[href^="${access.auth_url}"]`).first()
  await page.goto((await link.getAttribute('href')) ?? '')
}
