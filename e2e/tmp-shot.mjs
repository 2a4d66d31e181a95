import { chromium } from '@playwright/test'
import { findBrowser, browserFlags } from './browser.ts'
const b = await chromium.launch({ executablePath: await findBrowser(), args: browserFlags })
const base = process.argv[2]
for (const [w, s] of [
  [390, 'light'],
  [390, 'dark'],
  [1280, 'light'],
  [1280, 'dark'],
]) {
  const c = await b.newContext({ viewport: { width: w, height: 760 }, colorScheme: s })
  const p = await c.newPage()
  for (const path of (process.argv[3] ?? '/blog/live-video-when').split(',')) {
    await p.goto(base + path)
    await p.screenshot({ path: `/tmp/judged/shot-${w}-${s}${path.replace(/\W+/g, '-')}.png` })
  }
}
await b.close()
