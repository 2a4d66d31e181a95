// An integrator's two walks in the portal, on a phone in dark mode and by keyboard: one to a first
// live request, with a clinic's approval in the console, and one through a night in which the
// webhook receiver fails.
import { spawnSync } from 'node:child_process'
import path from 'node:path'
import { expect, type Page, test } from '@playwright/test'
import { clinicId, consolePage } from './clinic.ts'
import { blockedOn, judge, press } from './keyboard.ts'
import { openShell } from './guides/run.ts'
import { type Access, readAccess, signUp } from './newcomer.ts'
import { openReceiver } from './receiver.ts'
import { newcomer, root } from './servers.ts'
import { signIn } from './staff.ts'

const linkHeightMin = 23.5
const phone = { width: 390, height: 844 }
const dark = { viewport: phone, colorScheme: 'dark' } as const
test.use({ ...dark, contextOptions: { reducedMotion: 'reduce' } })
const settings = { ...dark, reducedMotion: 'reduce' } as const
const note = 'We start with cases of hair loss.'

/** Runs `npm run admin -- grants` as the operator does. */
function grants(...words: string[]): string {
  const who = newcomer()
  const folder = who?.folder ?? root
  const { stdout, stderr, status } = spawnSync(
    path.join(folder, 'node_modules/.bin/bun'),
    [path.join(folder, 'gateway/commands/admin.ts'), 'grants', ...words],
    { cwd: folder, encoding: 'utf8', env: { ...openShell(process.env, who, folder) } },
  )
  expect(status, stderr).toBe(0)
  return stdout
}

const called = (access: Access, key: string, path = '/v1/organization') =>
  fetch(access.url + path, { headers: { authorization: `Bearer ${key}` } })

async function submit(page: Page, name: string): Promise<void> {
  const button = page.getByRole('button', { name, exact: true })
  await button.focus()
  const loaded = page.waitForEvent('load')
  await page.keyboard.press('Enter')
  await loaded
}

test('an owner goes live: agreement, partial grant, key, request, revocation', async ({
  page,
  browser,
}) => {
  test.slow()
  const access = readAccess()
  const blocked = blockedOn(page)
  await signUp(page, access, `live${process.pid}@example.com`)
  await page.goto(access.portal_url)
  const live = page.url().replace(/\/test.*/, '/live')

  await test.step('a live key is refused, and the page names what is missing', async () => {
    await page.goto(`${live}/keys/new`)
    await expect(page.locator('main')).toContainText('Business associate agreement')
    await expect(page.getByRole('button', { name: 'Create key' })).toBeHidden()
    await judge(page, blocked, linkHeightMin)
  })

  await test.step('the owner accepts the agreement with name and title', async () => {
    await page.goto(`${live}/go-live`)
    await judge(page, blocked, linkHeightMin)
    await press(page, 'a[href$="/go-live/accept"]')
    await submit(page, await acceptLabel(page))
    await expect(page.locator('[aria-invalid=true]').first()).toBeFocused()
    await judge(page, blocked, linkHeightMin)
    await page.getByLabel('Your full name').fill('Grace Rivera')
    await page.getByLabel('Your title').fill('Chief executive')
    await page.getByLabel('Legal name').fill('Rivera Health, Inc.')
    await page.getByLabel('Legal address').fill('1600 Stockton Street, San Francisco, CA 94133')
    await page.getByLabel('I’ve read the agreement').press('Space')
    await submit(page, await acceptLabel(page))
    await page.goto(`${live}/go-live`)
    await expect(page.locator('.steps li.done')).toHaveCount(1)
    await expect(page.getByRole('table', { name: 'Agreements' })).toContainText('In effect')
  })

  const grant = await test.step('the owner requests clinic access, with a note', async () => {
    await press(page, 'a[href$="/organizations/request"]')
    await page.getByLabel('Clinic ID').fill(clinicId())
    for (const scope of ['patients:read', 'cases:read'])
      await page.locator(`input[name=scope][value="${scope}"]`).press('Space')
    await page.getByLabel('Note to the clinic').fill(note)
    await judge(page, blocked, linkHeightMin)
    await submit(page, 'Send request')
    await expect(page.locator('main')).toContainText('Pending')
    await press(page, 'main a[href*="/organizations/grant_"]')
    await page.waitForURL(/grant_/)
    const id = /grant_\w{26}/.exec(page.url())?.[0] ?? ''
    expect(grants('list')).toMatch(new RegExp(`${id}  pending`))
    return id
  })

  const admin = await signIn(await browser.newContext(settings), 'admin')
  await test.step('a clinic administrator reads the request, and grants part of it', async () => {
    await admin.goto(consolePage('/grants'))
    const blockedThere = blockedOn(admin)
    await press(admin, `main a[href$="/grants/${grant}"]`)
    for (const text of [note, 'Grace Rivera, Chief executive', 'Read patients'])
      await expect(admin.locator('main')).toContainText(text)
    await judge(admin, blockedThere, linkHeightMin)
    await admin.locator('input[name=scope][value="patients:read"]').press('Space')
    await admin.getByLabel('Note to the integration').fill('Cases first.')
    await submit(admin, 'Approve')
    await expect(admin.getByRole('status')).toContainText('Grant approved.')
    await judge(admin, blockedThere, linkHeightMin)
    await page.reload()
    await expect(page.locator('main')).toContainText('Not granted')
    await expect(page.locator('main')).toContainText('Cases first.')
    await judge(page, blocked, linkHeightMin)
  })

  const key = await test.step('the live key has the granted scopes', async () => {
    await page.goto(`${live}/keys/new`)
    await page.getByLabel('Name').fill('Live server')
    for (const scope of ['organization:read', 'cases:read'])
      await page.locator(`input[name=scope][value="${scope}"]`).setChecked(true)
    await submit(page, 'Create key')
    await expect(page.getByRole('heading', { name: '“Live server” created' })).toBeVisible()
    const made = /svc_sk_live_\w+/.exec(await page.locator('main').innerText())?.[0] ?? ''
    const answer = await called(access, made)
    expect(answer.status).toBe(200)
    const body = (await answer.json()) as { id: string; mode: string; scopes: string[] }
    expect(body).toMatchObject({ id: clinicId(), mode: 'live' })
    expect(body.scopes.toSorted()).toEqual(['cases:read', 'organization:read'])
    expect((await called(access, made, '/v1/cases')).status).toBe(200)
    expect((await called(access, made, '/v1/patients')).status).toBe(403)
    await expect(async () => {
      await page.goto(`${live}/go-live`)
      await expect(page.locator('.steps li.done')).toHaveCount(4, { timeout: 500 })
    }).toPass()
    await judge(page, blocked, linkHeightMin)
    return made
  })

  await test.step('the clinic revokes the grant, and the next request is refused', async () => {
    await press(admin, 'main .confirm > summary')
    await submit(admin, 'Revoke')
    await expect(admin.getByRole('status')).toContainText('Grant revoked.')
    await admin.context().close()
    expect((await called(access, key, '/v1/cases')).status).toBe(403)
    await page.goto(`${live}/organizations/${grant}`)
    await expect(page.locator('main')).toContainText('Revoked')
  })
})

const acceptLabel = async (page: Page) =>
  (await page.getByRole('button', { name: /^Accept version/ }).textContent())?.trim() ?? ''

test('a receiver fails at night: attempts, the clock, redelivery, a replay, a new secret', async ({
  page,
}) => {
  test.slow()
  const access = readAccess()
  const blocked = blockedOn(page)
  const receiver = await openReceiver()
  receiver.status = 500
  await signUp(page, access, `night${process.pid}@example.com`)
  await page.goto(access.portal_url)
  const home = page.url()

  const endpoint = await test.step('the owner registers the receiver', async () => {
    await page.goto(`${home}/webhooks/new`)
    await page.getByLabel('URL').fill(receiver.url.replace('https:', 'http:'))
    await submit(page, 'Create endpoint')
    await expect(page.locator('[aria-invalid=true]')).toBeFocused()
    await judge(page, blocked, linkHeightMin)
    await page.getByLabel('URL').fill(receiver.url)
    await submit(page, 'Create endpoint')
    await expect(page.getByRole('heading', { name: 'Endpoint created' })).toBeVisible()
    await judge(page, blocked, linkHeightMin)
    await press(page, 'main a.button[href*="/webhooks/"]')
    await expect(page.getByRole('button', { name: 'Send test event' })).toBeVisible()
    return page.url()
  })

  const delivery =
    await test.step('a test event fails, and the page shows the next retry', async () => {
      await submit(page, 'Send test event')
      await expect(async () => {
        await page.goto(endpoint)
        await page.locator('main a[href*="/deliveries/"]').first().click({ timeout: 500 })
        await expect(page.locator('main')).toContainText('1 of 9 attempts', { timeout: 500 })
      }).toPass()
      await expect(page.locator('main')).toContainText('500')
      await judge(page, blocked, linkHeightMin)
      return page.url()
    })

  await test.step('the sandbox clock advances through the schedule', async () => {
    await page.goto(`${home}/sandbox`)
    await submit(page, 'Advance 3 days')
    await expect(page.locator('#clock')).not.toContainText('Advancing to', { timeout: 60_000 })
    await page.goto(delivery)
    await expect(page.locator('main')).toContainText('9 of 9 attempts')
    await expect(page.locator('main')).toContainText('Failed')
    await judge(page, blocked, linkHeightMin)
  })

  await test.step('the receiver is repaired: one delivery is resent, then all failed ones', async () => {
    receiver.status = 200
    await submit(page, 'Redeliver')
    await expect.poll(() => receiver.accepted.length).toBe(1)
    await page.goto(`${endpoint}/replays`)
    const daysAgo = (days: number) => new Date(Date.now() - days * 86_400_000).toISOString()
    await page.getByLabel('From (UTC)').fill(daysAgo(90).slice(0, 16))
    await page.getByLabel('Events').selectOption('all')
    await submit(page, 'Start replay')
    await expect(page.getByLabel('From (UTC)')).toBeFocused()
    await judge(page, blocked, linkHeightMin)
    await page.getByLabel('From (UTC)').fill(daysAgo(1).slice(0, 16))
    await submit(page, 'Start replay')
    await expect(page.getByRole('table', { name: 'Replays' })).toContainText('Completed')
    await expect.poll(() => receiver.accepted.length).toBe(2)
    expect(new Set(receiver.accepted).size).toBe(1)
    await judge(page, blocked, linkHeightMin)
  })

  await test.step('the owner replaces the secret, and disables and enables the endpoint', async () => {
    await page.goto(endpoint)
    await page.locator('summary', { hasText: 'Rotate secret' }).press('Enter')
    await submit(page, 'Rotate secret')
    await expect(page.locator('main')).toContainText(/whsec_\w+/)
    await page.goto(endpoint)
    await page.locator('summary', { hasText: 'Disable' }).press('Enter')
    await submit(page, 'Disable endpoint')
    await submit(page, 'Enable')
    await expect(page.locator('summary', { hasText: 'Disable' })).toBeVisible()
  })
  receiver.stop()
})
