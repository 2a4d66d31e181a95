// Runs every scenario over HTTP against the server that the browser tests started.
import { expect, test } from '@playwright/test'
import { admin, server } from './servers.ts'
import { readScenario, scenarioNames } from './scenarios/read.ts'
import { runThrough } from './scenarios/run.ts'

/**
 * A sandbox for one scenario. The scenario may empty the sandbox while other tests use their own.
 */
async function sandboxKey(name: string): Promise<string> {
  const printed = await admin('keys', 'open', '--name', name)
  return printed.split('\n', 1)[0] ?? ''
}

for (const name of scenarioNames()) {
  const scenario = readScenario(name)
  test(`${scenario.id}: ${scenario.title}`, async () => {
    test.setTimeout(180_000)
    const { url, liveKey: LIVE_KEY } = server()
    const key = scenario.needs.includes('KEY') ? { KEY: await sandboxKey(scenario.id) } : {}
    // This server writes its email to files, so scenarios with real bookings can run too.
    const MAILBOX = `ada-${Date.now()}@rivera-clinic.com`
    const OTHER_MAILBOX = MAILBOX.replace('ada', 'ben')
    const given = { BASE: url, SITE: url, LIVE_KEY, MAILBOX, OTHER_MAILBOX, ...key }
    const result = await runThrough(scenario, given)
    expect(result.filter(({ faults }) => faults.length > 0)).toEqual([])
    expect(result).toHaveLength(scenario.steps.length)
  })
}
