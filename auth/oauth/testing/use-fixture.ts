// The set-up of the tests of the authorization server.
import { afterAll, afterEach, expect } from 'bun:test'
import type { Outgoing } from '#http/outgoing/get.ts'
import { brokenRules } from './consistency.ts'
import { type Fixture, openFixture } from './fixture.ts'

/** Opened for all tests of a file, and closed after them; by then nothing may have failed. */
export async function useFixture(outgoing?: Outgoing): Promise<Fixture> {
  const fixture = await openFixture(outgoing)
  afterAll(async () => {
    await fixture.close()
    expect(fixture.failures).toEqual([])
  })
  return fixture
}

/** The same for tests that kill servers: after each one, what is stored must be consistent. */
export async function useConsistentFixture(): Promise<Fixture> {
  const fixture = await useFixture()
  afterEach(async () => {
    expect(await brokenRules(fixture)).toEqual([])
    expect(fixture.failures).toEqual([])
  })
  return fixture
}
