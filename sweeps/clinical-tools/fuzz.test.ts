// Generated calls to every tool, the same in each run. Each call gets a protocol response, and no
// call causes a server error, exposes internals or repeats its input.
import { afterAll, beforeAll, expect, test } from 'bun:test'
import * as fc from 'fast-check'
import { clinicalTools } from '#contract/tools/tools.ts'
import { queuedCase } from '#clinical/testing/call.ts'
import { type ClinicalTools, openClinicalTools } from '../testing/clinical-tools.ts'

let server: ClinicalTools
let ids: string[] = []
beforeAll(async () => {
  server = await openClinicalTools()
  const { id, patient, telehealth } = await queuedCase(server.fixtures)
  ids = [id, patient, telehealth]
})
afterAll(() => server.close())

const internals = /\bat (?:async )?[\w.<>]+ \(|node_modules|\/clinical\/|\.ts:\d|PostgresError/
const mark = 'Rumpelstiltskin'

const argumentNames = [
  ...new Set(clinicalTools.flatMap(({ input }) => [...input.places.keys()])),
  '__proto__',
  'constructor',
  'organization',
]
const value = fc.oneof(
  fc.jsonValue({ maxDepth: 2 }),
  fc.string({ unit: 'binary', maxLength: 40 }),
  fc.constantFrom(mark, '2026-11-20', 'CA', true, 5, -0, 1e300, '\0', '\ud800'),
  fc.nat(2).map(at => ids[at] ?? ''),
  fc.array(fc.record({ medication_id: fc.constant(mark), answer: fc.constant(mark) })),
)

let keys = 0

test('tool server: arguments of any kind get a protocol response', async () => {
  const calls = fc.asyncProperty(
    fc.constantFrom(...clinicalTools),
    fc.dictionary(fc.constantFrom(...argumentNames), value, { maxKeys: 8 }),
    fc.boolean(),
    async ({ name, verb }, given, withKey) => {
      if (verb === 'reset') return
      const key = withKey ? { idempotency_key: `fuzz-${++keys}` } : {}
      const params = { name, arguments: { ...given, ...key } }
      const { status, body } = await server.ask('tools/call', params)
      const text = JSON.stringify(body)
      expect([name, status]).toEqual([name, 200])
      expect(text).not.toMatch(internals)
      const { isError, content } = body.result
      if (isError === true) {
        const { status: refused, errors = [] } = JSON.parse(content[0].text)
        expect(refused).toBeLessThan(500)
        expect(JSON.stringify(errors)).not.toContain(mark)
      }
      expect(server.errors).toEqual([])
    },
  )
  await fc.assert(calls, { seed: 20_261_122, numRuns: 300 })
})
