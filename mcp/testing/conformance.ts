// Runs either version of the protocol's conformance suite against a server.
import { expect } from 'bun:test'
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'

type Check = { scenario: string; id: string; status: string; errorMessage?: string }

const packages = {
  '0.1.16': '@modelcontextprotocol/conformance',
  '0.2.0-alpha.12': 'conformance-next',
} as const

type SuiteVersion = keyof typeof packages

/** Runs the suite against the server at `url`. */
export async function runSuite(version: SuiteVersion, url: string, ...args: string[]) {
  const folder = mkdtempSync(path.join(tmpdir(), 'conformance-'))
  const main = path.join('node_modules', packages[version], 'dist', 'index.js')
  const command = [process.execPath, main, 'server', '--url', url, '-o', folder, ...args]
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

export const failed = (checks: readonly Check[]) =>
  checks.filter(({ status }) => status === 'FAILURE')

/** Whether this check validates messages against their revision's official schema. */
const isWireSchemaCheck = ({ id }: Check) => id === 'wire-schema-valid'

export const suiteRuns: readonly [name: string, version: SuiteVersion, args: string[]][] = [
  ['2025-11-25, by the released suite', '0.1.16', ['--suite', 'all']],
  ['2025-11-25, by the next suite', '0.2.0-alpha.12', ['--requirements', '2025-11-25']],
  ['2026-07-28', '0.2.0-alpha.12', ['--requirements', '2026-07-28']],
]

const noResources = 'only skills, guides and the contract are resources'
const noPrompts = 'no prompts are offered'
const noStream = 'every response is one JSON document, without notifications'
const noFixture = 'it calls a tool that returns images, audio or files, and our tools return text'
const noRequest = 'no tool sends requests to its client, because unattended clients would hang'
const noTasks = 'an optional extension that is not offered'
const noHeaders = 'no argument is sent as a header, because it may be personal data'

/** The reason why a check applies to none of our servers, by scenario or by single check. */
export const inapplicable: Record<string, string> = {
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
}

/** The name under which a table of reasons lists a check. */
const nameIn = (reasons: Readonly<Record<string, string>>, check: Check): string | undefined =>
  [check.scenario, `${check.scenario} ${check.id}`].find(name => name in reasons)

/** Expects each failure to have a reason, and all messages to match their schema. Returns the names
 *  of the reasons. */
export function reasonsOf(
  checks: readonly Check[],
  reasons: Readonly<Record<string, string>>,
): string[] {
  const failures = failed(checks)
  expect(failures.filter(check => nameIn(reasons, check) === undefined)).toEqual([])
  expect(failures.filter(isWireSchemaCheck)).toEqual([])
  return failures.map(check => nameIn(reasons, check) ?? '')
}
