// Both versions of the protocol's conformance suite, against both servers. Every applicable check
// must pass. Inapplicable checks are listed with a reason and must fail.
import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { readsOnly } from '#contract/mcp/content-tools.ts'
import { toolServers } from '#contract/mcp/servers.ts'
import type { ToolDefinition } from '#contract/mcp/tool.ts'
import { closed } from '#contract/shapes.ts'
import { fixedTools } from './fixed-tools.ts'
import { openServer } from './server.ts'
import { refusal } from './result.ts'
import { tool } from './tool.ts'
import { openServers, type Servers } from '#gateway/testing/tool-servers.ts'
import { failed, inapplicable, reasonsOf, runSuite, suiteRuns } from '../testing/conformance.ts'

/** Tools with the names that scenarios call. */
const fixtures = [
  tool(fixture('test_simple_text'), () => ({
    content: [{ type: 'text', text: 'This is a simple text response for testing.' }],
  })),
  tool(fixture('test_error_handling'), () =>
    refusal({ code: 'intended', detail: 'Fails on purpose.', hint: 'Expect it.' }),
  ),
]

function fixture(name: string): ToolDefinition {
  const [title, description] = [name, 'For the conformance suite.']
  return { name, title, description, input: closed({}), output: closed({}), hints: readsOnly }
}

let servers: Servers
beforeAll(async () => {
  const { docs } = toolServers({ name: 'Fixture', site: 'https://example.com', say: each => each })
  const answer = openServer(docs, fixedTools(fixtures))
  const endpoint = {
    path: '/fixture/mcp',
    methods: ['POST'],
    errorFormat: 'jsonrpc',
    answer,
  } as const
  servers = await openServers(3, [endpoint])
})
afterAll(async () => servers.close())

/** Scenarios whose tools exist only on the fixture. */
const onFixture = new Set(['tools-call-simple-text', 'tools-call-error'])

const seen = new Set<string>()

describe('mcp conformance: the product server', () => {
  for (const [name, version, args] of suiteRuns) {
    test(`${name}: every applicable check passes`, async () => {
      const checks = await runSuite(version, servers.url('/mcp'), ...args)
      expect(checks.filter(({ status }) => status === 'SUCCESS').length).toBeGreaterThan(4)
      const applying = checks.filter(({ scenario }) => !onFixture.has(scenario))
      for (const reason of reasonsOf(applying, inapplicable)) seen.add(reason)
    }, 60_000)
  }

  test('every check listed as inapplicable fails', () => {
    expect(Object.keys(inapplicable).filter(name => !seen.has(name))).toEqual([])
  })
})

describe('mcp conformance: the documentation server and single scenarios', () => {
  const few: [at: string, scenario: string, revision: string][] = [
    ['/docs/mcp', 'tools-list', '2026-07-28'],
    ['/fixture/mcp', 'tools-call-simple-text', '2025-11-25'],
    ['/fixture/mcp', 'tools-call-simple-text', '2026-07-28'],
    ['/fixture/mcp', 'tools-call-error', '2026-07-28'],
  ]
  for (const [at, scenario, revision] of few) {
    test(`${at}: ${scenario} in ${revision}`, async () => {
      const args = ['--scenario', scenario, '--spec-version', revision]
      const checks = await runSuite('0.2.0-alpha.12', servers.url(at), ...args)
      expect(checks.length).toBeGreaterThan(0)
      expect(failed(checks)).toEqual([])
    }, 60_000)
  }
})
