// Thousands of malformed requests for every operation in the table: each request gets a response
// the row declares, none causes a server error, and a refused request leaves only its audit row.
// FUZZ_CASES sets how many requests each operation gets; the default fits the suite's time.

import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import * as fc from 'fast-check'
import { type CallableId, callableIds, callable } from '#contract/callable.ts'
import { refusalsOf } from '#contract/operation.ts'
import type { FaultCode } from '#contract/faults.ts'
import type { ProblemCode } from '#contract/problems.ts'
import { sql } from '#database/sql.ts'
import { invoke, type CallOptions, type CallResult } from '../testing/call.ts'
import { type Fixtures, openFixtures } from '../testing/fixtures.ts'
import { drawn } from '../testing/fuzz/draw.ts'
import { type MalformedCall, breakRequest } from '../testing/fuzz/requests.ts'
import { canary } from '../testing/fuzz/values.ts'
import { validCalls } from '../testing/valid-calls.ts'
import { schemaErrors } from '../testing/sweep.ts'
import { tableContents, queryAsOwner } from '../testing/assertions.ts'

/** The same seed generates the same requests on every machine. */
const seed = 20_261_120
const casesOfEach = Number(process.env['FUZZ_CASES'] ?? 50)
const concurrency = 16
const recordsOfEach = 4

let fixtures: Fixtures
const tally = { requests: 0, refused: 0, valid: 0 }
beforeAll(async () => {
  fixtures = await openFixtures({ poolSize: 8 })
  console.log(`fuzz: seed ${seed}`)
})
afterAll(async () => {
  await fixtures.close()
  console.log(
    `fuzz: ${tally.requests} requests, ${tally.refused} refused, ${tally.valid} valid by chance`,
  )
})

/** Values from requests and the database, which no refusal may repeat. */
const secrets = [canary, 'Rivera', 'Stockton', 'ada.rivera@example.com', '+14155550142']
/** A source location, a stack frame or an SQL statement. */
const internals = /\.ts:\d|node_modules|\bat \w+ \(|\b(select|insert|update) .* (from|into|set) /i

/** Faults decided by the schema alone, which another validator must also find. */
const ofSchema = new Set<FaultCode>([
  'wrong_type',
  'unknown_field',
  'too_short',
  'too_long',
  'too_few',
  'not_in_enum',
  'invalid_cursor',
])

/** Describes what's wrong with a result, with its request; null if nothing is wrong. */
function faultOf(
  id: CallableId,
  { options, mustBeRefused }: MalformedCall,
  result: CallResult,
): string | null {
  const row = callable[id]
  const report = (what: string) => `${id} ${what}: ${JSON.stringify(options).slice(0, 1000)}`
  if (result.status >= 500) return report(`answered ${result.code}`)
  if (!result.problem) {
    if (mustBeRefused) return report('accepted what its schema refuses')
    if (result.status !== row.status) return report(`answered ${result.status}`)
    const faults = schemaErrors(id, result.body)
    return faults.length > 0 ? report(`answered what its schema refuses, ${faults[0]}`) : null
  }
  const codes: readonly ProblemCode[] = refusalsOf(row)
  if (!codes.includes(result.problem.code)) return report(`refused by ${result.code}`)
  const judged = result.problem.content.errors?.find(fault => ofSchema.has(fault.code))
  if (judged && !mustBeRefused)
    return report(`refused what its schema accepts, ${JSON.stringify(judged)}`)
  const text = JSON.stringify(result.problem.content)
  if (text.length > 60_000) return report(`refused in ${text.length} characters`)
  const echoed = secrets.find(value => text.includes(value))
  if (echoed) return report(`echoed ${echoed} in ${text.slice(0, 500)}`)
  return internals.test(text) ? report(`exposed internals in ${text.slice(0, 500)}`) : null
}

/** Sends the requests, some concurrently, and returns what was wrong with the responses. */
async function send(id: CallableId, all: readonly MalformedCall[]): Promise<string[]> {
  const found: string[] = []
  const rest = all.values()
  const one = async () => {
    for (const broken of rest) {
      const result = await invoke(fixtures, id, broken.options)
      tally.requests++
      if (result.problem) tally.refused++
      else tally.valid++
      const what = faultOf(id, broken, result)
      if (what) found.push(what)
    }
  }
  await Promise.all(Array.from({ length: concurrency }, one))
  return found
}

/** Generates malformed requests for a few records, so faults still show after one record is used
 *  up. */
async function requestsOf(id: CallableId): Promise<fc.Arbitrary<MalformedCall>> {
  const records: CallOptions[] = []
  while (records.length < recordsOfEach)
    records.push(await validCalls[id](fixtures, fixtures.ada.test))
  return drawn(draw => breakRequest(draw, id, draw.pick(records), fixtures.ada))
}

/** Sends the requests. After a fault, looks for that seed's smallest faulty request. */
async function expectNoFaults(
  id: CallableId,
  all: readonly MalformedCall[],
  requests: fc.Arbitrary<MalformedCall>,
  settings: fc.Parameters<[MalformedCall]>,
): Promise<void> {
  const faults = await send(id, all)
  if (faults.length === 0) return
  const property = fc.asyncProperty(requests, async one =>
    expect(await send(id, [one])).toEqual([]),
  )
  await fc.assert(property, { ...settings, interruptAfterTimeLimit: 20_000 })
  expect(faults).toEqual([])
}

const audits = async (id: CallableId): Promise<number> => {
  await fixtures.context.auditWriter.flush()
  const [row] = await queryAsOwner<{ count: number }>(
    fixtures,
    sql`select count(*)::int as count from audit.entries where action = ${id}`,
  )
  return row?.count ?? 0
}

describe('fuzzing', () => {
  for (const [at, id] of callableIds.entries()) {
    test(
      `${id}: refuses malformed requests as its row declares; each leaves one audit row`,
      async () => {
        const settings = { seed: seed + at, numRuns: casesOfEach }
        const requests = await requestsOf(id)
        const all = fc.sample(requests, settings)
        const certain = all.filter(one => one.mustBeRefused)
        const uncertain = all.filter(one => !one.mustBeRefused)
        expect(certain.length).toBeGreaterThan(casesOfEach / 2)
        const [before, audited] = [await tableContents(fixtures), await audits(id)]
        await expectNoFaults(id, certain, requests, settings)
        expect(await tableContents(fixtures)).toEqual(before)
        await expectNoFaults(id, uncertain, requests, settings)
        expect(await audits(id)).toBe(audited + all.length)
        expect(fixtures.errors).toEqual([])
      },
      { timeout: 60_000 * Math.ceil(casesOfEach / 800) },
    )
  }

  test('malformed requests change no prototype', () => {
    expect(Object.keys(Object.prototype)).toEqual([])
    expect({}).not.toHaveProperty('polluted')
  })
})
