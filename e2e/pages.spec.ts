// Each page in every way that people use it: phone and desktop width, light and dark mode, without
// a mouse, without scripts, and printed.
import { expect, type Page, test } from '@playwright/test'
import { brokenRules, everyRule, rulesOfColor, rulesOfDrawing } from './axe.ts'
import { article, missingPage, pathOf } from './servers.ts'
import { watch } from './watch.ts'

const operation = '/docs/api/create-case'
const pages = { home: '/', blog: '/blog', article, operation, 'what is not there': missingPage }
const widths = [390, 1440]
/** These have everything that only a desktop shows: the header's links, a sidebar and columns. */
const fullOnDesktop = new Set([pages.home, pages.operation])

async function fits(page: Page): Promise<void> {
  const [content, window] = await page.evaluate(() => {
    const { scrollWidth, clientWidth } = document.documentElement
    return [scrollWidth, clientWidth]
  })
  expect(content, 'nothing scrolls sideways').toBeLessThanOrEqual(window ?? 0)
}

const targets = 'a[href]:not(.skip), button, summary, select, .form-choice + label'

/** Touch targets that are too small: anything outside a sentence that is under 44 px. */
const missed = (page: Page) =>
  page.locator(targets).evaluateAll(all =>
    all
      .filter(one => {
        const words = one.textContent.trim()
        const isInline = getComputedStyle(one).display === 'inline'
        const around = one.parentElement?.textContent.trim() ?? ''
        const { height, width: across } = one.getBoundingClientRect()
        return across > 0 && height < 43.5 && !(isInline && around.length > words.length + 3)
      })
      .map(one => `${one.tagName} ${one.className} ${one.textContent.trim()}`),
  )

for (const [name, path] of Object.entries(pages)) {
  for (const width of widths) {
    test.describe(`${name} at ${width} px`, () => {
      test.use({ viewport: { width, height: 900 }, colorScheme: 'light', hasTouch: width < 500 })

      test('has no errors, fits, and passes axe in light and dark mode', async ({
        page,
        baseURL,
      }) => {
        const faults = watch(page, baseURL ?? '', path)
        await page.goto(path, { waitUntil: 'networkidle' })
        expect(await page.locator('h1').count()).toBe(1)
        await page.locator('main details').evaluateAll((all: HTMLDetailsElement[]) => {
          for (const details of all) details.open = true
        })
        await fits(page)
        if (width < 500) {
          expect(await missed(page), 'a finger hits each').toEqual([])
          await expect(page.locator('.nav-link:visible'), 'the links are in the menu').toHaveCount(
            0,
          )
        }
        const isFull = width < 500 || fullOnDesktop.has(path)
        const rules = isFull ? everyRule : rulesOfDrawing
        expect(await brokenRules(page, rules), 'axe by day').toEqual([])
        await page.emulateMedia({ colorScheme: 'dark' })
        // Waits while buttons fade between modes, because half-faded colors fail without a real
        // problem.
        await page.evaluate(() =>
          Promise.allSettled(document.getAnimations().map(one => one.finished)),
        )
        await page.waitForLoadState('networkidle')
        await fits(page)
        expect(await brokenRules(page, rulesOfColor), 'axe by night').toEqual([])
        expect(faults).toEqual([])
      })
    })
  }

  test(`${name}: works by keyboard alone`, async ({ page }) => {
    await page.goto(path)
    await page.keyboard.press('Tab')
    const skip = page.getByRole('link', { name: 'Skip to content' })
    await expect(skip).toBeFocused()
    await expect(skip).toBeInViewport({ ratio: 1 })
    await page.keyboard.press('Enter')
    await expect(page.locator('main')).toBeFocused()
    expect(await hiddenFocus(page)).toEqual([])
  })

  test(`${name}: is complete without scripts`, async ({ browser, baseURL, request }) => {
    const context = await browser.newContext({
      javaScriptEnabled: false,
      ...(baseURL === undefined ? {} : { baseURL }),
    })
    const page = await context.newPage()
    await page.goto(path)
    // Includes content that opens without a script.
    const shown = (await page.locator('main').textContent()) ?? ''
    await context.close()
    const markdown = await (
      await request.get(path, { headers: { accept: 'text/markdown' } })
    ).text()
    // Markdown spells out link URLs; a page shows only the link text.
    const prose = markdown.replace(/^---[^]*?^---$/m, '').replace(/\]\([^)]*\)/g, ']')
    const headings = [...prose.matchAll(/^#{1,3} (?:\d+\. )?(.+)$/gm)].map(found => found[1] ?? '')
    expect(headings.length).toBeGreaterThan(1)
    for (const heading of headings) expect(plain(shown)).toContain(plain(heading))
    expect(plain(shown).length, 'no empty shell').toBeGreaterThan(plain(prose).length / 2)
  })

  test(`${name}: prints well`, async ({ page }) => {
    await page.goto(path)
    await page.emulateMedia({ media: 'print', colorScheme: 'dark' })
    await expect(page.locator('h1')).toBeVisible()
    await expect(page.locator('.site-header')).toBeHidden()
    await expect(page.locator('.site-footer nav').first()).toBeHidden()
    const background = await page.evaluate(
      () => getComputedStyle(document.documentElement).backgroundColor,
    )
    expect(background).toBe('rgb(255, 255, 255)')
    expect(await brokenRules(page, ['color-contrast']), 'ink, at night too').toEqual([])
    const paper = await page.pdf({ format: 'A4' })
    expect(paper.subarray(0, 5).toString()).toBe('%PDF-')
    expect(paper.length).toBeGreaterThan(10_000)
  })
}

/** Tabs through the whole page, and returns the elements that had focus without showing it. */
async function hiddenFocus(page: Page): Promise<string[]> {
  const hidden: string[] = []
  const seen = new Set<string>()
  const count = await page.locator('a[href], summary, [tabindex="0"]').count()
  for (let step = 0; step <= count; step++) {
    await page.keyboard.press('Tab')
    const focus = await page.evaluate(() => {
      const element = document.activeElement
      if (element === null || element === document.body) return undefined
      const { outlineStyle, outlineWidth } = getComputedStyle(element)
      const { width, height, bottom, top, x } = element.getBoundingClientRect()
      const name = `${element.tagName} ${element.textContent.trim().slice(0, 40)}`
      const isOutlined = outlineStyle !== 'none' && Number.parseFloat(outlineWidth) >= 2
      const isOnScreen = width > 0 && height > 0 && bottom > 0 && top < innerHeight
      return { id: `${name} ${x} ${top + scrollY}`, name, isShown: isOutlined && isOnScreen }
    })
    if (focus === undefined) continue
    seen.add(focus.id)
    if (!focus.isShown) hidden.push(focus.name)
  }
  expect(seen.size, 'the keyboard reaches the page').toBeGreaterThan(5)
  return hidden
}

const plain = (text: string) => text.replace(/[^\p{L}\p{N}]+/gu, ' ').toLowerCase()

test('links: every internal link on every page leads somewhere', async ({ page, baseURL }) => {
  // Uses plain fetch for hundreds of pages, because Playwright's own client records each response.
  const answers = new Map<string, { status: number; text: string }>()
  const headers = { accept: 'text/html, */*;q=0.5' }
  const read = async (address: string) => {
    const answer = await fetch(address, { headers })
    return { status: answer.status, text: await answer.text() }
  }
  for (const path of Object.values(pages)) {
    await page.goto(path)
    const links = await page
      .locator('a[href], link[href]')
      .evaluateAll(all => all.map(one => one.getAttribute('href') ?? ''))
    const inside = links.filter(href => /^(\/|#|https:\/\/example\.com)/.test(href))
    expect(inside.length).toBeGreaterThan(5)
    for (const href of inside) {
      const target = href.startsWith('#') ? path : pathOf(href)
      const answer = answers.get(target) ?? (await read(`${baseURL}${target}`))
      answers.set(target, answer)
      const expected = target === missingPage ? 404 : 200
      expect(answer.status, `${path} links to ${href}`).toBe(expected)
      const fragment = href.split('#')[1]
      if (fragment === undefined) continue
      expect(answer.text, `${path} links to ${href}`).toContain(`id="${fragment}"`)
    }
  }
  expect(answers.size).toBeGreaterThan(10)
})
