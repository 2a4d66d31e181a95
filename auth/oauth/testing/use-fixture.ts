// Setup for the authorization server's tests.
import { afterAll, afterEach, expect } from 'bun:test'
import type { Outgoing } from '#http/outgoing/get.ts'
import { brokenRules } from './consistency.ts'
import { type Fixture, openFixture } from './fixture.ts'

/** Opens a fixture before a file's tests, and closes the fixture after them. Fails if a request
 *  logged a failure. */
export async function useFixture(outgoing?: Outgoing): Promise<Fixture> {
  const fixture = await openFixture(outgoing)
  afterAll(async () => {
    await fixture.close()
    expect(fixture.failures).toEqual([])
  })
  return fixture
}

/** Like `useFixture`, for tests that kill servers: stored data must be consistent after each
 *  test. */
export async function useConsistentFixture(): Promise<Fixture> {
  const fixture = await useFixture()
  afterEach(async () => {
    expect(await brokenRules(fixture)).toEqual([])
    expect(fixture.failures).toEqual([])
  })
  return fixture
}
