// A page as a keyboard-only user sees it.
import { expect, type Page } from '@playwright/test'
import { brokenRules } from './axe.ts'

/** Console messages that report no fault: a refused form's status, and a test that filled a field
 *  before the browser gave it the focus. */
const harmless = /status of (403|404|422)|^Autofocus processing was blocked/

/** Records everything that the browser blocks on the page from now on. */
export function blockedOn(page: Page): string[] {
  const blocked: string[] = []
  page.on('console', message => {
    if (!harmless.test(message.text())) blocked.push(message.text())
  })
  return blocked
}

/** Checks that nothing is cut off or too small to tap, and that the browser blocked nothing. */
export async function fits(page: Page, blocked: string[], heightMin = 43.5): Promise<void> {
  const where = new URL(page.url()).pathname
  const [content, window] = await page.evaluate(() => {
    const { scrollWidth, clientWidth } = document.documentElement
    return [scrollWidth, clientWidth]
  })
  expect(content, `${where}: nothing scrolls sideways`).toBeLessThanOrEqual(window ?? 0)
  const small = await page
    .locator('a[href], button, summary, input:not([type=hidden], [type=radio])')
    .evaluateAll(
      (all, min) =>
        all
          .filter(one => one.checkVisibility() && one.getBoundingClientRect().height < min)
          .filter(one => one.parentElement?.textContent.trim() === one.textContent.trim())
          .map(one => one.outerHTML),
      heightMin,
    )
  expect(small, `${where}: targets that are too small`).toEqual([])
  const cutOff = await page.locator('details.switch').evaluateAll(menus =>
    menus.flatMap(menu => {
      menu.setAttribute('open', '')
      const { left, right } = (menu.querySelector('ul') ?? menu).getBoundingClientRect()
      menu.removeAttribute('open')
      return left < 0 || right > document.documentElement.clientWidth ? [menu.outerHTML] : []
    }),
  )
  expect(cutOff, `${where}: menus that are cut off`).toEqual([])
  expect(blocked, where).toEqual([])
}

/** Checks that the page fits and follows the accessibility rules, or only `rules` if given. */
export async function judge(
  page: Page,
  blocked: string[],
  heightMin?: number,
  rules?: readonly string[],
): Promise<void> {
  await fits(page, blocked, heightMin)
  expect(await brokenRules(page, rules), new URL(page.url()).pathname).toEqual([])
}

/** Presses Tab until the element has the focus. */
export async function tabTo(page: Page, selector: string): Promise<void> {
  const wanted = page.locator(selector)
  for (let count = 0; count < 40; count++) {
    if (await wanted.evaluate(one => one === document.activeElement)) return
    await page.keyboard.press('Tab')
  }
  throw new Error(`The keyboard does not reach ${selector}.`)
}

export async function press(page: Page, selector: string): Promise<void> {
  await tabTo(page, selector)
  await page.keyboard.press('Enter')
}
