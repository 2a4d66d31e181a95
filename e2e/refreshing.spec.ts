// Parts of portal pages that refresh themselves keep the focus, and what someone expanded.
import { expect, type Locator, type Page, test } from '@playwright/test'
import { call } from './clinic.ts'
import { createKey, readAccess, signUp } from './newcomer.ts'
import { patientNamed } from './walks/patient.ts'
import { openReceiver } from './receiver.ts'
import { admin } from './servers.ts'

/** Waits for the page's next refresh. */
const refreshed = (page: Page) =>
  page.evaluate(
    () =>
      new Promise<void>(resolve => {
        document.addEventListener('htmx:after:swap', () => resolve(), { once: true })
      }),
  )

/** Returns to the window, as from a terminal. */
async function returned(page: Page) {
  const done = refreshed(page)
  await page.evaluate(() => dispatchEvent(new Event('focus')))
  await done
}

async function keepsFocus(page: Page, on: Locator) {
  await on.focus()
  await refreshed(page)
  await expect(on).toBeFocused()
}

const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true })

test('parts that refresh themselves keep the focus, and what someone expanded', async ({
  page,
}) => {
  test.slow()
  const access = readAccess()
  const receiver = await openReceiver()
  receiver.status = 500
  await signUp(page, access, `refreshing${process.pid}@example.com`)
  await page.goto(access.portal_url)
  const home = page.url()
  const key = await createKey(page)
  const send = (method: string, place: string, body?: object) => call(method, place, body, key)

  await test.step('steps on Home stay open and closed, and the next one opens', async () => {
    await page.goto(home)
    const step = (title: string) => page.locator('.steps summary', { hasText: title })
    const expectOpen = (title: string) => expect(step(title).locator('..')).toHaveAttribute('open')
    await step('Ship the order').click()
    await send('GET', '/v1/organization')
    await expect(async () => {
      await returned(page)
      await expect(page.getByText('1 of 8 steps complete')).toBeVisible({ timeout: 1 })
    }).toPass()
    await expectOpen('Ship the order')
    await expect(step('Ship the order')).toBeFocused()
    await expectOpen('Create a patient')

    await step('Create a patient').click()
    const numbers = page.locator('.chart summary').first()
    await expect(async () => {
      await returned(page)
      await expect(numbers).toBeVisible({ timeout: 1 })
    }).toPass()
    await numbers.click()
    await returned(page)
    await expect(step('Create a patient').locator('..')).not.toHaveAttribute('open')
    await expect(page.locator('.chart details').first()).toHaveAttribute('open')
    expect((await send('POST', '/v1/patients', patientNamed('Rivera'))).status).toBe(201)
    await returned(page)
    await expectOpen('Record both consents')
    await expectOpen('Ship the order')
  })

  await test.step('the link to new requests', async () => {
    await page.goto(`${home}/requests`)
    await send('GET', '/v1/organization')
    await keepsFocus(page, page.getByRole('link', { name: /^Show \d+ new$/ }))
  })

  const endpoint = await test.step('a delivery’s attempts', async () => {
    await page.goto(`${home}/webhooks/new`)
    await page.getByLabel('URL').fill(receiver.url)
    await button(page, 'Create endpoint').click()
    await page.locator('main a.button[href*="/webhooks/"]').click()
    const address = page.url()
    await button(page, 'Send test event').click()
    await keepsFocus(page, button(page, 'Redeliver to all endpoints'))
    await page.locator('main a[href*="/deliveries/"]').first().click()
    const attempts = page.locator('.attempts details')
    await expect(attempts).toHaveCount(1)
    await attempts.first().locator('summary').focus()
    await send('POST', '/preview/test/clock', { advance_by_s: 120 })
    await expect(attempts).toHaveCount(2)
    await expect(page.locator('.attempts details[open]')).toHaveCount(2)
    await expect(attempts.last().locator('summary')).toBeFocused()
    return address
  })

  await test.step('a replay', async () => {
    await page.goto(`${endpoint}/replays`)
    const since = new Date(Date.now() - 86_400_000).toISOString().slice(0, 16)
    await page.getByLabel('From (UTC)').fill(since)
    await page.getByLabel('Events').selectOption('all')
    await button(page, 'Start replay').click()
    await expect(page.getByRole('table', { name: 'Replays' })).toContainText('Completed')
    // As if it had many events.
    await admin(
      'sql',
      `update test.replays set status = 'running', ended_at = null, due_at = '2100-01-01'
        where webhook_endpoint = '${endpoint.split('/').at(-1)}'`,
    )
    await page.reload()
    await keepsFocus(page, button(page, 'Cancel replay'))
    await page.keyboard.press('Enter')
    await expect(page.getByRole('table', { name: 'Replays' })).toContainText('Canceled')
  })

  await test.step('the advancing clock, and the cases beside it', async () => {
    await page.goto(`${home}/sandbox`)
    await button(page, 'File test case').click()
    // The clock waits for each attempt.
    receiver.status = 0
    await page.goto(`${home}/sandbox`)
    await button(page, 'Advance 1 day').click()
    await expect(page.locator('#clock')).toContainText('Advancing to')
    await keepsFocus(page, page.locator('#results a').first())
    await keepsFocus(page, button(page, 'Advance 3 days'))
    await keepsFocus(page, button(page, 'Stop here'))
    await page.keyboard.press('Enter')
    await expect(page.locator('#clock')).not.toContainText('Advancing to')
  })
  receiver.stop()
})
