// A browser for Lighthouse, which connects to it by its debugging port.
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { browserFlags, findBrowser } from './browser.ts'

/** A page that isn't in front paints late or not at all, and no window is ever in front here. */
const alwaysInFront = [
  '--disable-backgrounding-occluded-windows',
  '--disable-renderer-backgrounding',
  '--disable-background-timer-throttling',
]

/** Opens its own browser, so no one's extensions or cache affect the measurement. */
export async function openForLighthouse(): Promise<{ port: string; stop(): Promise<void> }> {
  const profile = mkdtempSync(path.join(tmpdir(), 'lighthouse-'))
  const flags = ['--headless=new', '--remote-debugging-port=0', `--user-data-dir=${profile}`]
  const command = [await findBrowser(), ...browserFlags, ...alwaysInFront, ...flags, 'about:blank']
  const child = Bun.spawn(command, { stdin: 'ignore', stdout: 'ignore', stderr: 'pipe' })
  const stop = async () => {
    child.kill('SIGKILL')
    await child.exited
    rmSync(profile, { recursive: true, force: true })
  }
  let output = ''
  const reader = child.stderr.getReader()
  for (;;) {
    const { done, value } = await reader.read()
    output += new TextDecoder().decode(value)
    const port = /DevTools listening on ws:\/\/[^:]+:(\d+)/.exec(output)?.[1]
    if (port !== undefined) return { port, stop }
    if (done) break
  }
  await stop()
  throw new Error(`The browser did not start:\n${output}`)
}
