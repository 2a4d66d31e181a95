// Measures when a page's first text appears on a phone with slow 4G, both simulated by Lighthouse.
// Requires Chromium, either installed or at CHROME_PATH.
import path from 'node:path'

const root = path.join(import.meta.dir, '../..')

/** The first paint in milliseconds. Other work on the machine can only delay it, so the earliest
 *  counts. */
export async function firstPaint(url: string, cookie: string, times = 3): Promise<number> {
  const paints: number[] = []
  for (let at = 0; at < times; at++) paints.push(await paintOnce(url, cookie))
  return Math.min(...paints)
}

async function paintOnce(url: string, cookie: string): Promise<number> {
  const child = Bun.spawn({
    cmd: [
      'node',
      path.join(root, 'node_modules/lighthouse/cli/index.js'),
      url,
      '--chrome-flags=--headless=new --no-sandbox --disable-background-networking',
      `--extra-headers=${JSON.stringify({ cookie })}`,
      '--only-audits=first-contentful-paint',
      '--output=json',
      '--quiet',
    ],
    stdout: 'pipe',
    stderr: 'pipe',
  })
  const [out, error] = await Promise.all([
    new Response(child.stdout).text(),
    new Response(child.stderr).text(),
  ])
  if ((await child.exited) !== 0) throw new Error(`Lighthouse couldn’t open ${url}:\n${error}`)
  const { finalDisplayedUrl, audits } = JSON.parse(out)
  if (finalDisplayedUrl !== url) throw new Error(`${url} leads to ${finalDisplayedUrl}.`)
  return audits['first-contentful-paint'].numericValue
}
