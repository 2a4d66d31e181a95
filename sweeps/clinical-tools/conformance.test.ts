// The protocol's conformance suite, in both versions, against the clinical tool server. Most
// scenarios call tools and read resources that only a server made for the suite has. The site's
// fixture runs those scenarios over the same protocol layer.
import { afterAll, beforeAll, expect, test } from 'bun:test'
import { type ClinicalTools, openClinicalTools } from '../testing/clinical-tools.ts'
import { inapplicable, reasonsOf, runSuite, suiteRuns } from '#mcp/testing/conformance.ts'

let server: ClinicalTools
beforeAll(async () => {
  // The suite can't send a credential.
  server = await openClinicalTools({ isSignedIn: true })
})
afterAll(() => server.close())

const onFixture = "it calls one of the suite's tools, which only the site's fixture has"
/** The suite has its own tool for client prompts; confirmation.test.ts covers ours. */
const reasons: Readonly<Record<string, string>> = {
  ...inapplicable,
  'tools-call-simple-text': onFixture,
  'tools-call-error': onFixture,
}

const seen = new Set<string>()

test.each(suiteRuns)(
  'mcp conformance: the clinical server, %s',
  async (_name, version, args) => {
    const checks = await runSuite(version, server.url, ...args)
    expect(checks.filter(({ status }) => status === 'SUCCESS').length).toBeGreaterThan(5)
    for (const name of reasonsOf(checks, reasons)) seen.add(name)
  },
  60_000,
)

test('mcp conformance: every check listed as inapplicable fails', () => {
  expect(Object.keys(reasons).filter(name => !seen.has(name))).toEqual([])
})
