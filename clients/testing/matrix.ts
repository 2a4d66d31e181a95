// Runs the fault matrix against a platform: provides a client program's input and checks its
// output.

import { expect } from 'bun:test'
import { rivera } from '#clinical/testing/call.ts'
import { openPlatform } from '#gateway/testing/authorization.ts'
import { issueCredentials } from '#gateway/testing/authorizing.ts'
import { openControl } from './control.ts'
import { differences, type Outcome, rows } from './faults.ts'

export async function openMatrix() {
  const platform = await openPlatform()
  const running = await platform.start()
  const { integration, test: key } = platform.fixtures.ada
  const { client_id, client_secret } = (await issueCredentials(platform, integration)).mint
  const api = new URL((await running.call('/v1/organization')).url).origin
  const control = openControl(api)
  return {
    authority: control.authority,
    given: {
      rows,
      api,
      control: control.url,
      key,
      ada: rivera,
      client: { client_id, client_secret, auth_url: running.issuer },
    },
    async close() {
      await control.close()
      expect(control.failures()).toEqual([])
      await running.stop()
      await platform.close()
    },
  }
}

/** Checks a program's output, which has one outcome per row and way to call. */
export function expectOutcomes(printed: string, most: number, runtime = ''): void {
  const outcomes = JSON.parse(printed) as (Outcome & { name: string })[]
  const faults = outcomes.flatMap(({ name, ...got }) => {
    const row = rows.find(one => one.name === name)
    // Deno doesn't report what a proxy responded.
    if (row && 'unless' in row && row.unless === runtime) return []
    return differences(row?.expect ?? {}, got).map(fault => `${name}: ${fault}`)
  })
  expect(faults).toEqual([])
  expect(outcomes.length).toBeGreaterThan(most)
}
