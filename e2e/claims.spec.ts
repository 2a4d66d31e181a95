// Leaving a case releases it, unless it's open in another of the clinician's windows.
import { expect, type Page, test } from '@playwright/test'
import { consolePage, fileCase } from './clinic.ts'
import { openSignedIn } from './staff.ts'

/** Leaves the case, and returns the forms that its page sent as it closed. */
async function leave(page: Page): Promise<string[]> {
  await page
    .getByRole('link', { name: /^Queue/ })
    .first()
    .click()
  await page.waitForURL(url => url.pathname.endsWith('/queue'))
  return page.evaluate(() => JSON.parse(sessionStorage.getItem('sent') ?? '[]') as string[])
}

test('a case is released by the last of its windows', async ({ browser }) => {
  const context = await browser.newContext()
  await context.addInitScript(() => {
    const send = navigator.sendBeacon.bind(navigator)
    navigator.sendBeacon = (url, data) => {
      const sent = JSON.parse(sessionStorage.getItem('sent') ?? '[]') as string[]
      sessionStorage.setItem('sent', JSON.stringify([...sent, `${new URL(url).pathname}?${data}`]))
      return send(url, data)
    }
  })
  const page = await openSignedIn(context, 'clinician')
  const id = await fileCase('Windows')
  const open = async (one: Page, place = id) => {
    await one.goto(consolePage(`/cases/${place}`))
    const claim = one.getByRole('button', { name: /^(Start review|Extend)$/ })
    await claim.click()
    await expect(one.getByText('Assigned to you until')).toBeVisible()
  }
  /** The page's release form, once the page knows that it's the case's last window. */
  const last = (one: Page) => one.locator('form.unclaim[data-last]')
  await open(page)
  await expect(last(page)).toBeAttached()

  const second = await context.newPage()
  await open(second)
  await expect(last(page)).not.toBeAttached()
  expect(await leave(second)).toEqual([])
  await expect(last(page)).toBeAttached()
  await expect(page.getByText('Assigned to you until')).toBeVisible()

  // A window with another case isn't one of this case's.
  const elsewhere = await fileCase('Elsewhere')
  await open(second, elsewhere)
  await expect(last(second)).toBeAttached()
  await open(second)
  // The first window isn't the last one anymore, and then the second one is.
  await expect(last(page)).not.toBeAttached()
  expect(await leave(page)).toEqual([])
  await expect(last(second)).toBeAttached()
  const sent = await leave(second)
  const released = [elsewhere, id].map(one => `/cases/${one}/unclaim`)
  expect(
    sent.map(one => /\/cases\/\w+\/unclaim(?=\?.*version=.*&closed=1$)/.exec(one)?.[0]),
  ).toEqual(released)
  await context.close()
})

test('a case stays released on the page that says so', async ({ browser }) => {
  const context = await browser.newContext()
  const page = await openSignedIn(context, 'clinician')
  await page.goto(consolePage(`/cases/${await fileCase('Released')}`))
  await page.getByRole('button', { name: 'Start review' }).click()
  await expect(page.getByText('Assigned to you until')).toBeVisible()
  await page.getByRole('button', { name: 'Release', exact: true }).click()
  await expect(page.getByRole('status').filter({ hasText: 'Released.' })).toBeVisible()
  await expect(page.getByText('Unassigned')).toBeVisible()
  await expect(page.getByText('Assigned to you until')).toBeHidden()
  await page.reload()
  await expect(page.getByText('Unassigned')).toBeVisible()
  await context.close()
})
