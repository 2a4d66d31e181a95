// Pages of the console as a person without a mouse meets them, on a phone in the dark and on a wide
// screen in the light.
import { expect, type Page } from '@playwright/test'
import { blockedOn, judge } from './keyboard.ts'

/** Links in tables. Navigation and buttons are taller. */
export const linkHeightMin = 23.5
export const phone = { width: 390, height: 844 }
export const wide = { width: 1280, height: 900 }

/** The page as it is, then on a wide screen in the light. */
export async function judgeBoth(page: Page, blocked: Parameters<typeof judge>[1]): Promise<void> {
  await judge(page, blocked, linkHeightMin)
  await page.setViewportSize(wide)
  await page.emulateMedia({ colorScheme: 'light' })
  await judge(page, blocked, linkHeightMin)
  await page.setViewportSize(phone)
  await page.emulateMedia({ colorScheme: 'dark' })
}

/** The paths of the links of a part of the page. */
const pathsIn = (page: Page, selector: string): Promise<string[]> =>
  page
    .locator(selector)
    .evaluateAll(all =>
      all.flatMap(one => (one instanceof HTMLAnchorElement ? [one.pathname] : [])),
    )

/** `/org_…/staff/per_…` of any person: one of each kind of page is judged. */
const kindOf = (path: string) => path.replaceAll(/[a-z]{3,4}_[0-7][0-9a-z]{25}/g, 'id')

/** Every page of the navigation, and one of each kind that they lead to. */
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
    await judgeBoth(page, blocked)
    waiting.push(...(await pathsIn(page, 'main a')))
  }
  for (const kind of wanted) expect([...kinds], kind).toContain(`/id${kind}`)
}
