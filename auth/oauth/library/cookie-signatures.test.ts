// Tests that authorization cookies are signed, without deprecated functions.

import { expect, test } from 'bun:test'
import { authorizeUrl, newVerifier, openBrowser } from '../testing/agent.ts'
import { newAgent } from '../testing/requests.ts'
import { CookieSignatures } from './cookie-signatures.ts'
import { useFixture } from '../testing/use-fixture.ts'

const fixture = await useFixture()

test('the newest key signs, and each key verifies its own signature of the same cookie', () => {
  const [before, between, after] = [['old'], ['new', 'old'], ['new']].map(
    keys => new CookieSignatures(keys),
  )
  const signed = before?.sign('name=value') ?? ''
  expect(between?.index('name=value', signed)).toBe(1)
  expect(between?.sign('name=value')).not.toBe(signed)
  expect(after?.verify('name=value', signed)).toBe(false)
  expect(after?.verify('name=value', between?.sign('name=value') ?? '')).toBe(true)
  for (const forged of ['', 'x', `${signed}x`, signed.slice(1), 'é'.repeat(43)]) {
    expect(before?.index('name=value', forged)).toBe(-1)
  }
  expect(before?.verify('name=other', signed)).toBe(false)
})

test('a forged cookie opens no agent request, and no deprecated function is called', async () => {
  const warnings: string[] = []
  const keep = (warning: Error) => void warnings.push(String(warning))
  process.on('warning', keep)
  const browser = openBrowser(fixture)
  const started = await browser.get(authorizeUrl(await newAgent(fixture), newVerifier()))
  const page = started.headers.get('location') ?? ''
  const read = async () => (await browser.get(page)).json() as Promise<unknown>
  expect(await read()).toMatchObject({ redirectHost: 'agent.example.com' })
  for (const [name, cookie] of browser.cookies) {
    if (name.endsWith('.sig')) browser.cookies.set(name, { ...cookie, value: 'A'.repeat(43) })
  }
  expect(await read()).toBeNull()
  process.off('warning', keep)
  expect(warnings).toEqual([])
})
