// Compares two builds' pages: `node deploy/run.mjs e2e/screenshots.ts <before> <after> <into>`
// captures the pages whose words changed and a few of each kind, at phone and desktop width. The
// program writes pages that differ side by side, and prints the differences as a Markdown table.
import { mkdirSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { type Browser, chromium } from '@playwright/test'
import { browserFlags, findBrowser } from './browser.ts'
import { compare } from './pixels.ts'
import { openPreview } from './preview.ts'

const [before = '', after = '', into = ''] = process.argv.slice(2)
if (into === '') throw new Error('Pass the previous build, the new build and the output folder.')

const always = ['/', '/pricing', '/docs', '/blog']
const pagesMax = 16
const widths = [390, 1280]
/** Browsers can't capture more than about sixteen thousand rows of pixels. */
const heightMax = 12_000

/** The pages that changed since the previous build, as listed in `changes.json`. */
async function changedPages(): Promise<string[]> {
  const file = Bun.file(path.join(after, 'changes.json'))
  const { changes }: { changes: { page: string; old_hash: string | null }[] } = await file.json()
  const changed = changes.filter(({ old_hash }) => old_hash !== null)
  return changed.map(({ page }) => new URL(page).pathname)
}

async function screenshotOf(browser: Browser, url: string, width: number): Promise<Buffer> {
  const page = await browser.newPage({
    viewport: { width, height: 900 },
    reducedMotion: 'reduce',
    colorScheme: 'light',
  })
  const answer = await page.goto(url)
  if (answer?.ok() !== true) throw new Error(`${url} returned ${answer?.status()}`)
  await page.evaluate(() => document.fonts.ready)
  const whole = await page.evaluate(() => document.documentElement.scrollHeight)
  const clip = { x: 0, y: 0, width, height: Math.min(whole, heightMax) }
  const picture = await page.screenshot({ fullPage: true, clip, animations: 'disabled' })
  await page.close()
  return picture
}

const all = [...new Set([...always, ...(await changedPages())])]
const pages = all.slice(0, pagesMax)
mkdirSync(into, { recursive: true })
const previews = await Promise.all([before, after].map(build => openPreview(path.resolve(build))))
const browser = await chromium.launch({ executablePath: await findBrowser(), args: browserFlags })
console.log(
  `#### Looks\n\n| page | ${widths.join(' px | ')} px |\n| --- | ${widths.map(() => '---').join(' | ')} |`,
)
for (const address of pages) {
  const cells: string[] = []
  for (const width of widths) {
    const pictures = []
    for (const { url } of previews) pictures.push(await screenshotOf(browser, url + address, width))
    const [one, two] = pictures
    if (one === undefined || two === undefined) continue
    const { percent, beside } = await compare(one, two)
    const name = `${address.slice(1).replaceAll('/', '-') || 'home'}-${width}.png`
    if (beside !== undefined) writeFileSync(path.join(into, name), beside)
    cells.push(beside === undefined ? 'as before' : `${percent} % (${name})`)
  }
  console.log(`| ${address} | ${cells.join(' | ')} |`)
}
if (all.length > pages.length) console.log(`\nand ${all.length - pages.length} more pages`)
await browser.close()
for (const preview of previews) preview.stop()
