// The parts around a page's text: search, menus, theme, copying, the table of contents and the "was
// this page helpful" question; by keyboard, by touch, and without scripts.
import { type Browser, expect, type Page, type Route, test } from '@playwright/test'
import { brokenRules } from './axe.ts'

const guide = '/docs/webhooks'
const phone = { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true }

/** A page in a browser that runs no scripts. */
async function withoutScripts(browser: Browser, baseURL: string | undefined, more = {}) {
  const context = await browser.newContext({
    javaScriptEnabled: false,
    ...(baseURL && { baseURL }),
    ...more,
  })
  return context.newPage()
}

const results = (page: Page) => page.getByRole('option')
const chosen = (page: Page) => page.locator('[role=option][aria-selected=true]')

/** A link to the page, or to the section with the answer once typing pauses. */
const leadingTo = (path: string) => new RegExp(`^${path}(#|$)`)

/** Words on this page that a search highlighted. */
const highlighted = (page: Page) =>
  page.evaluate(() => [...(CSS.highlights.get('found') ?? [])].map(String))

test.describe('search', () => {
  test('by keyboard: opens, finds while typing, moves, closes, and returns the focus', async ({
    page,
  }) => {
    await page.goto(guide)
    const start = page.getByRole('link', { name: 'Pricing' }).first()
    await start.focus()
    await page.keyboard.press('/')
    const input = page.getByRole('combobox')
    await expect(input).toBeFocused()
    await page.keyboard.type('idempotenc')
    await expect(chosen(page)).toHaveAttribute('href', leadingTo('/docs/idempotency-and-retries'))
    await expect(page.getByRole('group', { name: 'Guides' })).toBeVisible()
    await expect(page.getByRole('group', { name: 'Errors' })).toBeVisible()
    expect(await brokenRules(page, undefined, 'dialog')).toEqual([])
    const first = await chosen(page).getAttribute('id')
    await expect(input).toHaveAttribute('aria-activedescendant', first ?? '')
    await page.keyboard.press('ArrowDown')
    await expect(chosen(page)).not.toHaveAttribute('id', first ?? '')
    await page.keyboard.press('ArrowUp')
    await page.keyboard.press('ArrowUp')
    await expect(chosen(page), 'above the first is the last').toContainText('All results')
    await page.keyboard.press('Escape')
    await expect(input).toBeHidden()
    await expect(start).toBeFocused()
    await page.keyboard.press('Control+k')
    await page.keyboard.type('createPat')
    await expect(chosen(page)).toHaveAttribute('href', leadingTo('/docs/api/create-patient'))
    await page.keyboard.press('Enter')
    await expect(page).toHaveURL(/\/docs\/api\/create-patient(#|$)/)
  })

  test('keeps what is typed while it loads', async ({ page }) => {
    const held: Route[] = []
    await page.route(/search-dialog[^/]*\.js$/, route => void held.push(route))
    await page.goto('/')
    await page.keyboard.press('/')
    await page.keyboard.type('web')
    await expect.poll(() => held.length).toBe(1)
    await held[0]?.continue()
    await page.keyboard.type('hooks')
    await expect(page.getByRole('combobox')).toHaveValue('webhooks')
    await expect(chosen(page)).toHaveAttribute('href', leadingTo('/docs/webhooks'))
  })

  test('leads to the section with the answer', async ({ page }) => {
    await page.goto('/')
    await page.keyboard.press('/')
    await page.getByRole('combobox').fill('replay a webhook outage ')
    const found = results(page).filter({ hasText: 'In “Replay an outage”' })
    await expect(found).toHaveAttribute('href', '/docs/webhooks#replay-an-outage')
    await found.click()
    await expect(page).toHaveURL('/docs/webhooks#replay-an-outage')
    await expect(page.locator('#replay-an-outage')).toBeInViewport()
    await expect.poll(() => highlighted(page)).toContain('outage')
  })

  test('marks the words on a result’s page until another page is opened', async ({ page }) => {
    await page.goto('/search?q=replay+outages')
    await page.locator('.found a[href^="/docs/webhooks"]').first().click()
    await expect.poll(() => highlighted(page)).toContain('outage')
    await page.getByRole('link', { name: 'Pricing' }).first().click()
    await expect(page).toHaveURL('/pricing')
    await page.goto('/docs/webhooks')
    await page.waitForLoadState('networkidle')
    expect(await highlighted(page)).toEqual([])
  })

  test('reports what it found, and what to do without a result', async ({ page }) => {
    await page.goto('/')
    await page.keyboard.press('Control+k')
    const status = page.getByRole('dialog').getByRole('status')
    await expect(status).toContainText('Type a question')
    await page.keyboard.type('webhooks')
    await expect(status).toHaveText(/^\d+ results$/)
    await page.getByRole('combobox').fill('zzzzqqqq')
    await expect(status).toContainText('No results')
    await expect(results(page)).toHaveCount(0)
  })

  test('a failed index load is reported, and retried with the next letter', async ({ page }) => {
    await page.route('**/catalog/search.json', route => route.abort())
    await page.goto('/')
    await page.keyboard.press('/')
    // Fills the field immediately, so no load is in progress when the next load may succeed.
    await page.getByRole('combobox').fill('file')
    await expect(page.getByRole('dialog').getByRole('status')).toContainText('load search')
    await page.unroute('**/catalog/search.json')
    await page.getByRole('combobox').fill('files')
    await expect(chosen(page)).toHaveAttribute('href', leadingTo('/docs/files'))
  })

  test('a slash typed in a field stays a slash', async ({ page }) => {
    await page.goto('/docs/webhooks/check-a-signature')
    await page.getByLabel('Raw body').press('/')
    await expect(page.getByLabel('Raw body')).toHaveValue('/')
    await expect(page.getByRole('dialog')).toHaveCount(0)
  })

  test('without scripts, search is a page with a topic’s guide first', async ({
    browser,
    baseURL,
  }) => {
    const page = await withoutScripts(browser, baseURL)
    await page.goto(guide)
    await page.getByRole('link', { name: 'Search' }).first().click()
    await page.getByLabel(/^Search/).fill('webhooks')
    await page.getByRole('button', { name: 'Search' }).click()
    await expect(page).toHaveURL('/search?q=webhooks')
    await expect(page.locator('.found a').first()).toHaveAttribute('href', guide)
    await page.context().close()
  })
})

test.describe('on a phone', () => {
  test.use(phone)

  test('search by touch', async ({ page }) => {
    await page.goto('/')
    await page.getByRole('link', { name: 'Search' }).first().tap()
    await page.getByRole('combobox').fill('errors')
    await results(page).first().tap()
    await expect(page).toHaveURL(/\/docs\/errors(#|$)/)
  })

  test('the menus open without scripts, and lead to other pages', async ({ browser, baseURL }) => {
    const page = await withoutScripts(browser, baseURL, phone)
    await page.goto(guide)
    await expect(page.locator('#site-menu')).toBeHidden()
    await page.getByRole('button', { name: 'Menu' }).tap()
    await page.getByRole('navigation', { name: 'Site' }).getByRole('link', { name: 'Docs' }).tap()
    await expect(page).toHaveURL('/docs')
    await page.getByRole('button', { name: 'Guides' }).tap()
    await page.getByRole('navigation', { name: 'Documentation' }).getByText('Sandbox').tap()
    await expect(page).toHaveURL('/docs/sandbox')
    await page.getByRole('button', { name: 'On this page' }).tap()
    const contents = page.getByRole('navigation', { name: 'On this page' })
    await contents.getByRole('link').last().tap()
    await expect(page).toHaveURL(/\/docs\/sandbox#/)
    await page.context().close()
  })

  test('Escape and links within the page close a menu', async ({ page }) => {
    await page.goto(guide)
    const contents = page.getByRole('navigation', { name: 'On this page' })
    await page.getByRole('button', { name: 'On this page' }).tap()
    await expect(contents).toBeVisible()
    await page.keyboard.press('Escape')
    await expect(contents).toBeHidden()
    await page.getByRole('button', { name: 'On this page' }).tap()
    await contents.getByRole('link').last().tap()
    await expect(contents).toBeHidden()
  })
})

const ground = (page: Page) =>
  page.evaluate(() => getComputedStyle(document.documentElement).backgroundColor)
const [byDay, byNight] = ['rgb(251, 250, 246)', 'rgb(18, 21, 15)']

test('theme: follows the system, then the choice, which is remembered before the first paint', async ({
  page,
}) => {
  await page.emulateMedia({ colorScheme: 'dark' })
  await page.goto(guide)
  expect(await ground(page)).toBe(byNight)
  await page.getByRole('radio', { name: 'System' }).focus()
  await page.keyboard.press('ArrowRight')
  await expect(page.getByRole('radio', { name: 'Light' })).toBeChecked()
  expect(await ground(page)).toBe(byDay)
  // Blocks the page's scripts, so only the head sets the theme.
  await page.route('**/assets/*.js', route => route.abort())
  await page.goto('/pricing')
  expect(await ground(page)).toBe(byDay)
  await page.unroute('**/assets/*.js')
  await page.goto('/pricing')
  await expect(page.getByRole('radio', { name: 'Light' })).toBeChecked()
  await page.getByRole('radio', { name: 'System' }).check()
  expect(await ground(page)).toBe(byNight)
})

test('theme: without scripts it follows the system, without a switch', async ({
  browser,
  baseURL,
}) => {
  const page = await withoutScripts(browser, baseURL, { colorScheme: 'dark' })
  await page.goto(guide)
  await expect(page.locator('.theme')).toBeHidden()
  await expect(page.locator('html')).toHaveCSS('background-color', byNight)
  await page.context().close()
})

test('copying: the page’s Markdown version, and a heading’s URL', async ({
  page,
  context,
  request,
}) => {
  await context.grantPermissions(['clipboard-read', 'clipboard-write'])
  // The button's label changes back after two seconds, so this test controls the clock.
  await page.clock.install()
  await page.goto(guide)
  const copied = () => page.evaluate(() => navigator.clipboard.readText())
  await page.getByRole('button', { name: 'Copy as Markdown' }).click()
  await expect(page.getByRole('button', { name: 'Copied' })).toBeVisible()
  await page.clock.runFor(2000)
  await expect(page.getByRole('button', { name: 'Copy as Markdown' })).toBeVisible()
  expect(await copied()).toBe(await (await request.get(`${guide}.md`)).text())
  const heading = page.locator('.prose h2').first()
  await heading.hover()
  await heading.getByRole('link', { name: /^Link to/ }).click()
  await expect.poll(copied).toBe(page.url())
  expect(page.url()).toContain('#')
})

test('page actions: open by keyboard, and lead to assistants with the page’s URL', async ({
  page,
}) => {
  await page.goto(guide)
  await page.getByRole('button', { name: 'More page actions' }).press('Enter')
  for (const [name, host] of [
    ['Open in ChatGPT', 'chatgpt.com'],
    ['Open in Claude', 'claude.ai'],
  ] as const) {
    const link = page.getByRole('link', { name })
    await expect(link).toBeVisible()
    const { hostname, searchParams } = new URL((await link.getAttribute('href')) ?? '')
    expect(hostname).toBe(host)
    expect(searchParams.get('q')).toContain(`${guide}.md`)
  }
  await page.keyboard.press('Escape')
  await expect(page.getByRole('link', { name: 'Open in Claude' })).toBeHidden()
})

test('contents: the current section is marked, and the sidebar shows the page', async ({
  page,
}) => {
  await page.goto('/problems/service_unavailable')
  const sidebar = page.getByRole('navigation', { name: 'Documentation' })
  await expect(sidebar.locator('[aria-current=page]')).toBeInViewport()
  await page.goto(guide)
  const contents = page.getByRole('navigation', { name: 'On this page' })
  const links = contents.getByRole('link')
  await links.nth(3).click()
  await expect(links.nth(3)).toHaveAttribute('aria-current', 'true')
  await expect(page.locator('.prose h2').nth(3), 'not under the header').toBeInViewport({
    ratio: 1,
  })
  await expect(page.getByRole('link', { name: 'Search' }).first()).toBeInViewport()
  await page.keyboard.press('End')
  await expect(links.last()).toHaveAttribute('aria-current', 'true')
})

test('feedback: works by keyboard, and as a form without scripts', async ({
  page,
  browser,
  baseURL,
}) => {
  await page.goto(guide)
  const form = page.getByRole('form', { name: 'Was this page helpful?' })
  await form.getByText('No', { exact: true }).press('Enter')
  await form.getByRole('button', { name: 'It’s hard to follow' }).press('Enter')
  await expect(form.getByRole('status')).toHaveText('Thanks. Your answer was counted.')
  await expect(form.getByRole('status')).toBeFocused()
  const plain = await withoutScripts(browser, baseURL)
  await plain.goto(guide)
  await plain.getByRole('button', { name: 'Yes' }).click()
  await expect(plain).toHaveURL(`${guide}#thanks`)
  await expect(plain.getByText('Your answer was counted.')).toBeVisible()
  await plain.context().close()
})
