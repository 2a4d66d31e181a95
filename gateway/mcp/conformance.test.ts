// The protocol's conformance suite, in both of its versions, against both servers: every applicable
// check passes. Inapplicable checks are listed with a reason, and must fail.
import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { readsOnly } from '#contract/mcp/content-tools.ts'
import { toolServers } from '#contract/mcp/servers.ts'
import type { ToolDefinition } from '#contract/mcp/tool.ts'
import { closed } from '#contract/shapes.ts'
import { fixedTools } from '#mcp/protocol/fixed-tools.ts'
import { openServer } from '#mcp/protocol/server.ts'
import { refusal } from '#mcp/protocol/result.ts'
import { tool } from '#mcp/protocol/tool.ts'
import { openServers, type Servers } from '../testing/tool-servers.ts'

/** Tools that scenarios call by these names. */
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

const noResources = 'no resources are offered'
const noPrompts = 'no prompts are offered'
const noStream = 'every answer is one JSON document, without notifications'
const noFixture = 'it calls a tool that returns images, audio or files; these tools return text'
const noRequest = 'no tool sends requests to its client, because unattended clients would hang'
const noTasks = 'an optional extension that is not offered'
const noHeaders = 'no argument is sent as a header, because it may be personal data'

/** By scenario, or by one check of a scenario. */
const inapplicable: Record<string, string> = {
  'logging-set-level': noStream,
  'completion-complete': 'no prompts or templates whose arguments could be completed',
  'tools-call-image': noFixture,
  'tools-call-audio': noFixture,
  'tools-call-embedded-resource': noFixture,
  'tools-call-mixed-content': noFixture,
  'tools-call-with-logging': noStream,
  'tools-call-with-progress': noStream,
  'tools-call-sampling': noRequest,
  'tools-call-elicitation': noRequest,
  'elicitation-sep1034-defaults': noRequest,
  'elicitation-sep1330-enums': noRequest,
  'json-schema-2020-12': 'it requires a tool with schema keywords that older clients ignore',
  'resources-list': noResources,
  'resources-read-text': noResources,
  'resources-read-binary': noResources,
  'resources-templates-read': noResources,
  'resources-subscribe': noResources,
  'resources-unsubscribe': noResources,
  'prompts-list': noPrompts,
  'prompts-get-simple': noPrompts,
  'prompts-get-with-args': noPrompts,
  'prompts-get-embedded-resource': noPrompts,
  'prompts-get-with-image': noPrompts,
  'http-custom-header-server-validation': noHeaders,
  'input-required-result-basic-elicitation': noRequest,
  'input-required-result-basic-sampling': noRequest,
  'input-required-result-basic-list-roots': noRequest,
  'input-required-result-request-state': noRequest,
  'input-required-result-multiple-input-requests': noRequest,
  'input-required-result-multi-round': noRequest,
  'input-required-result-non-tool-request': noRequest,
  'input-required-result-result-type': noRequest,
  'input-required-result-tampered-state': noRequest,
  'input-required-result-capability-check': noRequest,
  'tasks-lifecycle': noTasks,
  'tasks-capability-negotiation': noTasks,
  'tasks-wire-fields': noTasks,
  'tasks-request-state-removal': noTasks,
  'tasks-mrtr-input': noTasks,
  'tasks-request-headers': noTasks,
  'tasks-dispatch-and-envelope': noTasks,
  'tasks-required-task-error': noTasks,
  'tasks-mrtr-composition': noTasks,
  'server-stateless sep-2575-server-rejects-undeclared-capability': noRequest,
  'server-stateless sep-2575-missing-capability-http-400': noRequest,
  'server-stateless sep-2575-http-server-no-independent-requests-on-stream': noStream,
  'server-stateless sep-2575-server-no-log-without-loglevel': noStream,
  'caching sep-2549-prompts-list-caching-hints': noPrompts,
  'caching sep-2549-resources-list-caching-hints': noResources,
  'caching sep-2549-resources-templates-list-caching-hints': noResources,
}

/** These call tools that only the fixture has. */
const onFixture = new Set(['tools-call-simple-text', 'tools-call-error'])

type Check = { scenario: string; id: string; status: string; errorMessage?: string }

const packages = {
  '0.1.16': '@modelcontextprotocol/conformance',
  '0.2.0-alpha.12': 'conformance-next',
} as const

async function run(version: keyof typeof packages, at: string, ...args: string[]) {
  const folder = mkdtempSync(path.join(tmpdir(), 'conformance-'))
  const main = path.join('node_modules', packages[version], 'dist', 'index.js')
  const command = [
    process.execPath,
    main,
    'server',
    '--url',
    servers.url(at),
    '-o',
    folder,
    ...args,
  ]
  const child = Bun.spawn(command, { stdout: 'ignore', stderr: 'ignore' })
  await child.exited
  const checks = readdirSync(folder).flatMap(name => {
    const scenario = name.replace(/^server-/, '').replace(/-\d{4}-\d\d-\d\dT.*$/, '')
    const text = readFileSync(path.join(folder, name, 'checks.json'), 'utf8')
    return (JSON.parse(text) as Omit<Check, 'scenario'>[]).map(check => ({ ...check, scenario }))
  })
  rmSync(folder, { recursive: true })
  return checks
}

const failed = (checks: Check[]) => checks.filter(({ status }) => status === 'FAILURE')
const inapplicableName = (check: Check): string | undefined =>
  [check.scenario, `${check.scenario} ${check.id}`].find(name => name in inapplicable)
/** Whether the messages match the official schema of their revision. */
const isWireSchemaCheck = ({ id }: Check) => id === 'wire-schema-valid'

const runs: [string, keyof typeof packages, string[]][] = [
  ['2025-11-25, by the released suite', '0.1.16', ['--suite', 'all']],
  ['2025-11-25, by the next suite', '0.2.0-alpha.12', ['--requirements', '2025-11-25']],
  ['2026-07-28', '0.2.0-alpha.12', ['--requirements', '2026-07-28']],
]

const seen = new Set<string>()

describe('mcp conformance: the product server', () => {
  for (const [name, version, args] of runs) {
    test(`${name}: every check that applies passes`, async () => {
      const checks = await run(version, '/mcp', ...args)
      expect(checks.filter(({ status }) => status === 'SUCCESS').length).toBeGreaterThan(4)
      const failures = failed(checks).filter(({ scenario }) => !onFixture.has(scenario))
      expect(failures.filter(check => inapplicableName(check) === undefined)).toEqual([])
      expect(failures.filter(isWireSchemaCheck)).toEqual([])
      for (const failure of failures) seen.add(inapplicableName(failure) ?? '')
    }, 60_000)
  }

  test('every check that is listed as inapplicable fails', () => {
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
      const checks = await run('0.2.0-alpha.12', at, ...args)
      expect(checks.length).toBeGreaterThan(0)
      expect(failed(checks)).toEqual([])
    }, 60_000)
  }
})
