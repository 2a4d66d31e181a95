// Quick checks of every page in the sitemap at phone width, and of most also at desktop width.
import { expect, type Page, test } from '@playwright/test'
import { pathOf } from './servers.ts'
import { watch } from './watch.ts'

/** The order alternates, so each page first renders at the previous page's width. Resizing a
 *  page takes as long as loading it. */
const widths = [
  [390, 1440],
  [1440, 390],
] as const
/** Pages of one template, filled from the contract: a quarter of them shows what a desktop does. */
const generated = /^\/(docs\/api|problems)\//
const isOnPhoneOnly = (address: string, at: number) => generated.test(address) && at % 4 !== 0
const height = 900
/** The pages are divided among several tests, which run in parallel. */
const shares = 8

// Turns off the transition between pages.
test.use({ contextOptions: { reducedMotion: 'reduce' } })

async function everyAddress(baseURL: string): Promise<string[]> {
  const sitemap = await (await fetch(`${baseURL}/sitemap.xml`)).text()
  const listed = [...sitemap.matchAll(/<loc>([^<]+)/g)].map(([, address = '']) => pathOf(address))
  expect(listed.length, 'the sitemap lists the site').toBeGreaterThan(200)
  return [...listed, '/search', '/search?q=webhooks', '/booking/times']
}

/** Visible problems at the page's current width. */
const flaws = (page: Page) =>
  page.evaluate(() => {
    const found: string[] = []
    const { scrollWidth, clientWidth } = document.documentElement
    if (scrollWidth > clientWidth) found.push(`scrolls sideways, ${scrollWidth} px wide`)

    /** A word split across two lines, unless it may break there: at a hyphen, or at a `<wbr>`. */
    const brokenWords = (element: Element): string[] => {
      const texts = document.createTreeWalker(element, NodeFilter.SHOW_TEXT)
      const broken: string[] = []
      while (texts.nextNode()) {
        const text = texts.currentNode.textContent ?? ''
        for (const { 0: word, index } of text.matchAll(/[^\s-]+/g)) {
          const range = document.createRange()
          range.setStart(texts.currentNode, index)
          range.setEnd(texts.currentNode, index + word.length)
          const lines = new Set([...range.getClientRects()].map(({ top }) => Math.round(top)))
          if (lines.size > 1) broken.push(word)
        }
      }
      return broken
    }

    let level = 0
    for (const heading of document.querySelectorAll('h1, h2, h3, h4')) {
      if (!heading.checkVisibility()) continue
      const own = Number(heading.tagName.slice(1))
      if (own > level + 1) found.push(`h${level} is followed by h${own}: ${heading.textContent}`)
      level = own
      for (const word of brokenWords(heading)) found.push(`a heading breaks within ${word}`)
    }
    if (document.querySelectorAll('h1').length !== 1) found.push('has not one h1')
    for (const head of document.querySelectorAll('th')) {
      if (head.textContent.trim() === '') found.push('a column or row of a table has no name')
    }
    for (const image of document.images) {
      if (!image.hasAttribute('width')) found.push(`${image.src} has no size`)
    }
    return found
  })

for (let share = 0; share < shares; share++) {
  test(`every page fits, without errors, part ${share + 1} of ${shares}`, async ({
    page,
    baseURL,
  }) => {
    const origin = baseURL ?? ''
    const addresses = await everyAddress(origin)
    const faults = watch(page, origin, '')
    const seen: string[] = []
    const mine = addresses.filter((_, at) => at % shares === share)
    const look = async (address: string, both: readonly number[]) => {
      await page.goto(address)
      for (const width of both) {
        if (page.viewportSize()?.width !== width) await page.setViewportSize({ width, height })
        seen.push(...(await flaws(page)).map(flaw => `${address} at ${width} px: ${flaw}`))
      }
      seen.push(...faults.splice(0).map(fault => `${address}: ${fault}`))
    }
    const onPhone = mine.filter(isOnPhoneOnly)
    await page.setViewportSize({ width: 390, height })
    for (const address of onPhone) await look(address, [390])
    const onBoth = mine.filter(address => !onPhone.includes(address))
    for (const [at, address] of onBoth.entries()) await look(address, widths[at % 2 === 0 ? 0 : 1])
    expect(seen).toEqual([])
  })
}
