// How a process handles a failure that nothing awaits.

import { expect, test } from 'bun:test'
import path from 'node:path'

const file = path.join(import.meta.dir, 'outlive.ts')

/** Runs a process that throws or rejects a failure, then reports whether it's still alive. */
async function processWith(failure: string) {
  const code = `
    const { outliveConnections } = await import(${JSON.stringify(file)})
    outliveConnections({ event: (...words) => console.log(JSON.stringify(words)) })
    const failure = Object.assign(new Error('it failed'), ${failure})
    void Promise.reject(failure)
    queueMicrotask(() => { throw failure })
    setImmediate(() => setImmediate(() => console.log('alive')))`
  const child = Bun.spawn([process.execPath, '-e', code], { stdout: 'pipe', stderr: 'pipe' })
  const [out, err] = await Promise.all([
    new Response(child.stdout).text(),
    new Response(child.stderr).text(),
  ])
  return { out, err, status: await child.exited }
}

const lost = ['CERT_HAS_EXPIRED', 'ERR_POSTGRES_CONNECTION_CLOSED', 'ECONNRESET']
test.each(lost)('a process survives a connection that fails with %s, and logs it', async code => {
  const { out, status } = await processWith(JSON.stringify({ code }))
  expect([status, out]).toEqual([0, expect.stringContaining('alive')])
  expect(out).toContain('"connection.failed"')
  expect(out).toContain(code)
})

test('any other unhandled failure is printed and stops the process', async () => {
  const { out, err, status } = await processWith('{}')
  expect([status, out]).toEqual([1, ''])
  expect(err).toContain('it failed')
})
