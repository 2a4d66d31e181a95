// Checks console pages without a mouse, on a phone in dark mode and on a wide screen in light mode.
import { expect, type Page } from '@playwright/test'
import { everyRule, rulesOfDrawing } from './axe.ts'
import { blockedOn, judge } from './keyboard.ts'

/** The minimum height of links in tables. Navigation and buttons are taller. */
export const linkHeightMin = 23.5
export const phone = { width: 390, height: 844 }
export const wide = { width: 1280, height: 900 }

type Blocked = Parameters<typeof judge>[1]

const toPhone = async (page: Page) => {
  await page.setViewportSize(phone)
  await page.emulateMedia({ colorScheme: 'dark' })
}
const toWide = async (page: Page) => {
  await page.setViewportSize(wide)
  await page.emulateMedia({ colorScheme: 'light' })
}

/** Checks the page as it is, then what a wide screen in light mode changes. */
export async function judgeBoth(page: Page, blocked: Blocked): Promise<void> {
  await judge(page, blocked, linkHeightMin)
  await toWide(page)
  await judge(page, blocked, linkHeightMin, rulesOfDrawing)
  await toPhone(page)
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
    // Resizing a page takes as long as loading it, so each starts as the one before ended.
    const isOnPhone = kinds.size % 2 === 1
    if (isOnPhone) await judge(page, blocked, linkHeightMin)
    if (isOnPhone) await toWide(page)
    // What only a wide screen shows is the same on every page.
    await judge(page, blocked, linkHeightMin, kinds.size === 1 ? everyRule : rulesOfDrawing)
    if (!isOnPhone) await toPhone(page)
    if (!isOnPhone) await judge(page, blocked, linkHeightMin)
    waiting.push(...(await pathsIn(page, 'main a')))
  }
  await toPhone(page)
  for (const kind of wanted) expect([...kinds], kind).toContain(`/id${kind}`)
}
