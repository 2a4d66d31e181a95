// A newcomer in the portal: from sign-up to a delivered order, using only the pages, on a phone in
// dark mode and by keyboard; then every page, also on a wide screen.
import { expect, type Page, test } from '@playwright/test'
import { blockedOn, fits, judge } from './keyboard.ts'
import { createKey, readAccess, signUp } from './newcomer.ts'
import { admin } from './servers.ts'

const email = `portal${process.pid}@example.com`

const linksOf = (page: Page) =>
  page
    .locator('nav[aria-label=Portal] a')
    .evaluateAll(all => [...new Set(all.map(one => (one as HTMLAnchorElement).href))])

/** The minimum height of links in tables. Navigation and buttons are taller. */
const linkHeightMin = 23.5

const phone = { width: 390, height: 844 }
const desktop = { width: 1440, height: 900 }
test.use({ viewport: phone, colorScheme: 'dark', contextOptions: { reducedMotion: 'reduce' } })

/** New York is the clinics' zone. */
const zones = ['America/New_York', 'America/Los_Angeles', 'Asia/Kolkata'] as const

const changes = { created: '2026-11-01T05:30:00Z', joined: '2026-11-01T06:30:00Z' }

/** An integration was created, and its members joined, at the same local time, an hour apart.
 *  Unlike a sandbox's rows, these never expire. */
const twiceAtHalfPastOne = (integration: string) => `
  with joined as (
    update auth.members set created_at = '${changes.joined}' where integration = '${integration}')
  update auth.integrations set created_at = '${changes.created}' where id = '${integration}'`

const partOf = (zone: string) =>
  new Intl.DateTimeFormat('en-US', { timeZone: zone, timeZoneName: 'longGeneric' })
    .formatToParts()
    .find(({ type }) => type === 'timeZoneName')?.value

/** The timestamp with its zone name. */
const textIn = (zone: string, moment: string) =>
  new Intl.DateTimeFormat('en-US', { timeZone: zone, dateStyle: 'medium', timeStyle: 'long' })
    .format(new Date(moment))
    .replaceAll(/\s/g, ' ')

/**
 * Opens and checks these pages; each must show the time in the zone, and name the zone once.
 * Returns the faults, and the pages that have a time.
 */
async function faultsIn(
  page: Page,
  zone: string,
  links: readonly string[],
  check: () => Promise<void>,
): Promise<{ faults: string[]; withTimes: string[] }> {
  const session = await page.context().newCDPSession(page)
  await session.send('Emulation.setTimezoneOverride', { timezoneId: zone })
  const faults: string[] = []
  const atChange = new Map<string, string>()
  const withTimes: string[] = []
  for (const link of links) {
    expect((await page.goto(link))?.status(), link).toBe(200)
    await expect(page.locator('h1')).toHaveCount(1)
    await check()
    const times = await page
      .locator('time[datetime]')
      .evaluateAll(all =>
        all.map(
          one =>
            [
              one.getAttribute('datetime') ?? '',
              one.getAttribute('title') ?? '',
              one.textContent,
            ] as const,
        ),
      )
    for (const [moment, title, text] of times) {
      const [shown = ''] = title.replaceAll(/[^\S\n]/g, ' ').split('\n')
      if (shown !== textIn(zone, moment)) faults.push(`${link}: ${moment} as ${shown}`)
      if (Object.values(changes).includes(moment.replace('.000', ''))) atChange.set(moment, text)
    }
    if (times.length > 0) withTimes.push(link)
    const name = (await page.locator('[data-zone]').textContent())?.trim()
    if (name !== `Times are in ${partOf(zone)}.`) faults.push(`${link}: ${name}`)
  }
  if (withTimes.length === 0) faults.push('no page has a time')
  if (atChange.size === 0) faults.push('no page has a time of that night')
  if (new Set(atChange.values()).size < atChange.size) faults.push('two moments read the same')
  await session.send('Emulation.setTimezoneOverride', { timezoneId: '' })
  return { faults, withTimes }
}

test('a newcomer signs up, creates a key, runs the loop, and can use every page', async ({
  page,
}) => {
  test.slow()
  const access = readAccess()
  const blocked = blockedOn(page)

  await test.step('sign up, and find an integration with a sandbox', async () => {
    await signUp(page, access, email)
    await page.goto(access.portal_url)
    await expect(page.getByRole('heading', { level: 1 })).toHaveText('Rivera Health')
    await expect(page.getByText('0 of 8 steps complete')).toBeVisible()
    await judge(page, blocked, linkHeightMin)
  })
  const home = page.url()

  await test.step('create a key, which works immediately', async () => {
    const key = await createKey(page)
    await judge(page, blocked, linkHeightMin)
    const headers = { authorization: `Bearer ${key}` }
    const answer = await fetch(`${access.url}/v1/organization`, { headers })
    expect(answer.status).toBe(200)
  })

  await test.step('run the loop in the sandbox, to a delivered order', async () => {
    await page.goto(`${home}/sandbox`)
    await judge(page, blocked, linkHeightMin)
    for (const name of ['File test case', 'Approve', 'Ship', 'Deliver']) {
      const button = page.getByRole('button', { name, exact: true }).first()
      // A simulated step with fields is a tab, and only one tab is open.
      if (name === 'Ship') {
        await page.getByRole('radio', { name }).press('ArrowRight')
        await expect(page.getByRole('button', { name: 'Block order' })).toBeInViewport()
        await expect(button).toBeHidden()
        await page.getByRole('radio', { name: 'Block order' }).press('ArrowLeft')
      }
      await button.focus()
      await page.keyboard.press('Enter')
      await expect(button).toBeHidden()
    }
    await expect(page.locator('main')).toContainText('Delivered')
    await judge(page, blocked, linkHeightMin)
  })

  await test.step('pages and recently opened items are found by keyboard', async () => {
    await page.goto(home)
    await page.keyboard.press('/')
    await page.keyboard.type('webhooks')
    await expect(page.locator('dialog a', { hasText: 'Webhooks' }).first()).toBeVisible()
    await judge(page, blocked, linkHeightMin)
    await page.keyboard.press('Enter')
    await page.waitForURL(`${home}/webhooks`)
    await page.keyboard.press('Control+k')
    const recent = page.getByRole('dialog').locator('section', { hasText: 'Recent' })
    await expect(recent.getByRole('link', { name: /^Case / })).toBeVisible()
  })

  await test.step('an unset filter isn’t in the URL', async () => {
    await page.goto(`${home}/requests`)
    await page.locator('summary', { hasText: 'Filter' }).press('Enter')
    await page.getByLabel('Outcome', { exact: true }).selectOption('error')
    await page.waitForURL(`${home}/requests?outcome=error`)
    await page.getByLabel('Outcome', { exact: true }).selectOption('')
    await page.waitForURL(`${home}/requests`)
  })

  await test.step('times and filters are in the reader’s zone, which the page names once', async () => {
    const session = await page.context().newCDPSession(page)
    await session.send('Emulation.setTimezoneOverride', { timezoneId: 'America/New_York' })
    await page.goto(`${home}/requests`)
    await expect(page.locator('[data-zone]')).toHaveText('Times are in Eastern Time.')
    await page.locator('summary', { hasText: 'Filter' }).press('Enter')
    await page.getByLabel('From (ET)').fill('2026-01-15T08:30')
    await page.waitForURL(`${home}/requests?since=2026-01-15T13%3A30`)
    await page.reload()
    await expect(page.locator('.chips')).toContainText('Jan 15, 2026, 8:30')
    await page.locator('summary', { hasText: 'Filter' }).press('Enter')
    await expect(page.getByLabel(/^From/)).toHaveValue('2026-01-15T08:30')
    await session.send('Emulation.setTimezoneOverride', { timezoneId: '' })
  })

  await test.step('the longest email address fits a phone', async () => {
    await page.goto(`${home}/members/invite`)
    await page.getByLabel('Email').fill(`${'a'.repeat(56)}@subsidiary.example.com`)
    await page.getByRole('button', { name: 'Send invitation' }).click()
    await expect(page.getByRole('heading', { name: 'Open invitations' })).toBeVisible()
    await fits(page, blocked, linkHeightMin)
  })

  await test.step('every page of live mode, where no clinic has granted access yet', async () => {
    await page.goto(home)
    const links = await linksOf(page)
    expect(links.length).toBeGreaterThan(12)
    for (const link of links) {
      const answer = await page.goto(link.replace('/test', '/live'))
      // A page of data says so.
      expect([200, 403], link).toContain(answer?.status())
      await expect(page.locator('h1')).toHaveCount(1)
      await fits(page, blocked, linkHeightMin)
    }
  })

  await test.step('every page, and pages with times in three zones, from the night when New York’s clocks go back', async () => {
    await page.goto(home)
    const links = await linksOf(page)
    await admin('sql', twiceAtHalfPastOne(/int_\w+/.exec(home)?.[0] ?? ''))
    const [first, ...others] = zones
    // Resizing a page takes as long as loading it, so each starts as the one before ended.
    const onBoth = async () => {
      if (page.viewportSize()?.width === phone.width) {
        await judge(page, blocked, linkHeightMin)
        await page.setViewportSize(desktop)
        await fits(page, blocked, linkHeightMin)
      } else {
        await fits(page, blocked, linkHeightMin)
        await page.setViewportSize(phone)
        await judge(page, blocked, linkHeightMin)
      }
    }
    const { faults, withTimes } = await faultsIn(page, first, links, onBoth)
    expect(faults, first).toEqual([])
    await page.setViewportSize(desktop)
    await page.emulateMedia({ colorScheme: 'light' })
    const nothing = () => Promise.resolve()
    for (const zone of others)
      expect((await faultsIn(page, zone, withTimes, nothing)).faults, zone).toEqual([])
  })
})
