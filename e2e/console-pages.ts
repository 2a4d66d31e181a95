// Checks console pages without a mouse, on a phone in dark mode and on a wide screen in light mode.
import { expect, type Page } from '@playwright/test'
import { rulesOfDrawing } from './axe.ts'
import { blockedOn, judge } from './keyboard.ts'

/** The minimum height of links in tables. Navigation and buttons are taller. */
export const linkHeightMin = 23.5
export const phone = { width: 390, height: 844 }
export const wide = { width: 1280, height: 900 }

/** Checks the page as it is, then on a wide screen in light mode, by only `wideRules` if given. */
export async function judgeBoth(
  page: Page,
  blocked: Parameters<typeof judge>[1],
  wideRules?: readonly string[],
): Promise<void> {
  await judge(page, blocked, linkHeightMin)
  await page.setViewportSize(wide)
  await page.emulateMedia({ colorScheme: 'light' })
  await judge(page, blocked, linkHeightMin, wideRules)
  await page.setViewportSize(phone)
  await page.emulateMedia({ colorScheme: 'dark' })
}

/** Link paths in one part of the page. */
const pathsIn = (page: Page, selector: string): Promise<string[]> =>
  page
    .locator(selector)
    .evaluateAll(all =>
      all.flatMap(one => (one instanceof HTMLAnchorElement ? [one.pathname] : [])),
    )

/** Replaces the IDs in a path, so only one page of each kind is checked. */
const kindOf = (path: string) => path.replaceAll(/[a-z]{3,4}_[0-7][0-9a-z]{25}/g, 'id')

/** Checks every page in the navigation, and one page of each kind that those pages link to. */
export async function judgeEveryPage(page: Page, wanted: readonly string[]): Promise<void> {
  const blocked = blockedOn(page)
  const waiting = await pathsIn(page, 'nav[aria-label=Console] a')
  const kinds = new Set<string>()
  for (let path = waiting.shift(); path !== undefined; path = waiting.shift()) {
    const kind = kindOf(path)
    const isPage = path.startsWith('/org_') && !/\.csv$|\/files\/|\/join$/.test(path)
    if (kinds.has(kind) || !isPage) continue
    kinds.add(kind)
    const answer = await page.goto(new URL(path, page.url()).href)
    expect([path, answer?.status()]).toEqual([path, 200])
    // What only a wide screen shows is the same on every page.
    await judgeBoth(page, blocked, kinds.size === 1 ? undefined : rulesOfDrawing)
    waiting.push(...(await pathsIn(page, 'main a')))
  }
  for (const kind of wanted) expect([...kinds], kind).toContain(`/id${kind}`)
}
