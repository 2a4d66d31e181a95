// The browser tests' server, from a fresh checkout. The server starts while other tests run,
// because most of its startup is waiting for packages.
import { spawn } from 'node:child_process'
import fs from 'node:fs'
import path from 'node:path'
import { setTimeout } from 'node:timers/promises'

const secondsMax = 300
const shown = /Site +(http:\/\/localhost:\d+)\/\s[^]*\/docs\/quickstart/

/** `children`: the processes to stop when this process gets a signal. */
export function openCheckout({ bun, root, results, children }) {
  const log = path.join(results, 'checkout.log')
  const output = fs.openSync(log, 'w')
  const child = spawn(bun, ['e2e/checkout.ts'], { cwd: root, stdio: ['ignore', output, output] })
  children.add(child)
  const ended = new Promise(resolve => {
    for (const event of ['error', 'close']) child.on(event, resolve)
  }).then(() => children.delete(child))
  const runs = () => child.exitCode === null && child.signalCode === null
  return {
    /**
     * Returns the server's address. If the server doesn't start, prints its output and returns
     * undefined.
     */
    async address() {
      for (let end = Date.now() + secondsMax * 1000; Date.now() < end && runs();) {
        const found = shown.exec(fs.readFileSync(log, 'utf8'))
        if (found) return found[1]
        await setTimeout(100)
      }
      process.stdout.write(fs.readFileSync(log))
      return undefined
    },
    async close() {
      if (runs()) child.kill('SIGTERM')
      await ended
    },
  }
}
