// Tests which request bodies are read. A client that keeps sending wrong credentials must not make
// the platform read its bodies.

import { afterEach, expect, test } from 'bun:test'
import { mintKey } from '#auth/tokens.ts'
import { randomBytes } from '#database/clock.ts'
import { fixturesBase, useFixtures } from '../testing/fixtures.ts'
import { restSurface } from '../rest/surface.ts'
import { perform } from './perform.ts'

const fixtures = useFixtures()
afterEach(() => expect(fixtures.errors.splice(0)).toEqual([]))

const surface = restSurface(fixturesBase)
/** Well formed, but not stored. */
const wrong = mintKey('test', randomBytes(32))

/** Returns whether the body was read, and how the call ended. */
async function call(token: string, address: string): Promise<[boolean, string]> {
  let isRead = false
  const outcome = await perform(
    fixtures.context,
    surface,
    {
      operation: 'listMedications',
      path: '/v1/medications',
      names: {},
      query: new URLSearchParams(),
      token,
      organization: null,
      version: null,
      idempotencyKey: null,
      body: undefined,
      refusedBody: null,
      request: 'req_01m7wqryjrscqnw9bcr5fpqt88',
      address,
      agent: 'a test',
    },
    async () => {
      isRead = true
      return { body: undefined, refusedBody: null }
    },
  )
  return [isRead, 'problem' in outcome ? outcome.problem.code : 'ok']
}

test('perform: from an address refused too often, only a valid credential has its body read', async () => {
  const address = '198.51.100.77'
  expect(await call(wrong, address)).toEqual([true, 'unauthorized'])
  for (let time = 1; time < 60; time++) await call(wrong, address)
  expect(await call(wrong, address)).toEqual([false, 'rate_limited'])
  expect(await call(fixtures.ben.test, address)).toEqual([true, 'ok'])
  expect(await call(wrong, '198.51.100.78')).toEqual([true, 'unauthorized'])
})
