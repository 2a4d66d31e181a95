// Checks that a server of the built site supports range requests.
import { expect } from 'bun:test'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'

type Ask = (path: string, init: RequestInit) => Promise<Response>

/** A range returns the file's own bytes, and a range out of bounds is refused. */
export async function sendsParts(folder: string, ask: Ask): Promise<void> {
  const headers = { range: 'bytes=2-9', 'accept-encoding': 'identity' }
  const part = await ask('/llms-full.txt', { headers })
  const whole = readFileSync(join(folder, 'llms-full.txt'))
  const named = `bytes 2-9/${whole.length}`
  expect([part.status, part.headers.get('content-range')]).toEqual([206, named])
  expect(await part.text()).toBe(whole.subarray(2, 10).toString())
  const beyond = { headers: { ...headers, range: `bytes=${whole.length}-` } }
  expect((await ask('/llms-full.txt', beyond)).status).toBe(416)
}
