// Measures when a page's first text appears on a phone with slow 4G, in the browser that the tests
// use. Lighthouse slows down the connection and the processor instead of simulating them. Its
// simulation counts fonts, which no browser waits for, if they load before the first paint.
import { once } from 'node:events'
import path from 'node:path'
import { openForLighthouse } from '#e2e/debugged-browser.ts'

const root = path.join(import.meta.dir, '../..')

/** The first paint in milliseconds. Other work on the machine can only delay it, so the earliest
 *  counts. */
export async function firstPaint(url: string, cookie: string, times = 3): Promise<number> {
  const browser = await openForLighthouse()
  const paints: number[] = []
  try {
    await setCookie(browser.port, url, cookie)
    for (let at = 0; at < times; at++) paints.push(await paintOnce(browser.port, url))
  } finally {
    await browser.stop()
  }
  return Math.min(...paints)
}

/** Sets the cookie in the browser, which ignores a cookie in Lighthouse's extra headers. */
async function setCookie(port: string, url: string, cookie: string): Promise<void> {
  const version = await fetch(`http://127.0.0.1:${port}/json/version`)
  const { webSocketDebuggerUrl } = await version.json()
  const socket = new WebSocket(webSocketDebuggerUrl)
  const [name, value] = cookie.split('=')
  const params = { cookies: [{ name, value, url }] }
  await once(socket, 'open')
  socket.send(JSON.stringify({ id: 1, method: 'Storage.setCookies', params }))
  await once(socket, 'message')
  socket.close()
}

async function paintOnce(port: string, url: string): Promise<number> {
  const child = Bun.spawn({
    cmd: [
      'node',
      path.join(root, 'node_modules/lighthouse/cli/index.js'),
      url,
      `--port=${port}`,
      '--throttling-method=devtools',
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
