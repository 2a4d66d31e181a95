// Thousands of malformed requests for every operation of the table: each gets a response that the
// row declares, none causes a server error, and a refused one leaves only its audit row.
// FUZZ_CASES sets how many of each are sent; the default fits the time of the suite.

import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import * as fc from 'fast-check'
import { type OperationId, operationIds, table } from '#contract/api.ts'
import { refusalsOf } from '#contract/operation.ts'
import type { FaultCode } from '#contract/problems.ts'
import { sql } from '#database/sql.ts'
import { ask, type Asked, type Replied } from '../testing/call.ts'
import { type Fixtures, openFixtures } from '../testing/fixtures.ts'
import { drawn } from '../testing/fuzz/draw.ts'
import { type Broken, breakRequest } from '../testing/fuzz/requests.ts'
import { canary } from '../testing/fuzz/values.ts'
import { validCalls } from '../testing/valid-calls.ts'
import { wrongWith } from '../testing/sweep.ts'
import { contents, queryAsOwner } from '../testing/assertions.ts'

/** The same seed makes the same requests on every machine. */
const seed = 20_261_120
const casesOfEach = Number(process.env['FUZZ_CASES'] ?? 200)
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

/** Values of requests and of the database, which no refusal may repeat. */
const secrets = [canary, 'Rivera', 'Stockton', 'ada.rivera@example.com', '+14155550142']
/** A source location, a stack frame or an SQL statement. */
const internals = /\.ts:\d|node_modules|\bat \w+ \(|\b(select|insert|update) .* (from|into|set) /i

/** Faults decided by the schema alone, which another validator must find as well. */
const ofSchema = new Set<FaultCode>([
  'wrong_type',
  'unknown_field',
  'too_short',
  'too_long',
  'too_few',
  'not_in_enum',
  'invalid_cursor',
])

/** What is wrong with a reply, naming the request; null when nothing is. */
function wrong(id: OperationId, { asked, sure }: Broken, replied: Replied): string | null {
  const row = table[id]
  const say = (what: string) => `${id} ${what}: ${JSON.stringify(asked).slice(0, 1000)}`
  if (replied.status >= 500) return say(`answered ${replied.code}`)
  if (!replied.problem) {
    if (sure) return say('accepted what its schema refuses')
    if (replied.status !== row.status) return say(`answered ${replied.status}`)
    const faults = wrongWith(id, replied.body)
    return faults.length > 0 ? say(`answered what its schema refuses, ${faults[0]}`) : null
  }
  if (!refusalsOf(row).includes(replied.problem.code)) return say(`refused by ${replied.code}`)
  const judged = replied.problem.said.errors?.find(fault => ofSchema.has(fault.code))
  if (judged && !sure) return say(`refused what its schema accepts, ${JSON.stringify(judged)}`)
  const text = JSON.stringify(replied.problem.said)
  if (text.length > 60_000) return say(`refused in ${text.length} characters`)
  const echoed = secrets.find(value => text.includes(value))
  if (echoed) return say(`echoed ${echoed} in ${text.slice(0, 500)}`)
  return internals.test(text) ? say(`exposed internals in ${text.slice(0, 500)}`) : null
}

/** Sends the requests, some concurrently, and returns what was wrong with the replies. */
async function send(id: OperationId, all: readonly Broken[]): Promise<string[]> {
  const found: string[] = []
  const rest = all.values()
  const one = async () => {
    for (const broken of rest) {
      const replied = await ask(fixtures, id, broken.asked)
      tally.requests++
      if (replied.problem) tally.refused++
      else tally.valid++
      const what = wrong(id, broken, replied)
      if (what) found.push(what)
    }
  }
  await Promise.all(Array.from({ length: concurrency }, one))
  return found
}

/** Broken requests about a few records, so that one which is used up does not hide the rest. */
async function requestsOf(id: OperationId): Promise<fc.Arbitrary<Broken>> {
  const records: Asked[] = []
  while (records.length < recordsOfEach)
    records.push(await validCalls[id](fixtures, fixtures.ada.test))
  return drawn(draw => breakRequest(draw, id, draw.pick(records), fixtures.ada))
}

/** Sends them; after a fault it looks for the smallest request of that seed with a fault. */
async function expectNoFaults(
  id: OperationId,
  all: readonly Broken[],
  requests: fc.Arbitrary<Broken>,
  settings: fc.Parameters<[Broken]>,
): Promise<void> {
  const faults = await send(id, all)
  if (faults.length === 0) return
  const property = fc.asyncProperty(requests, async one =>
    expect(await send(id, [one])).toEqual([]),
  )
  await fc.assert(property, { ...settings, interruptAfterTimeLimit: 20_000 })
  expect(faults).toEqual([])
}

const audits = async (id: OperationId): Promise<number> => {
  await fixtures.context.anonymous.flush()
  const [row] = await queryAsOwner<{ count: number }>(
    fixtures,
    sql`select count(*)::int as count from audit.entries where action = ${id}`,
  )
  return row?.count ?? 0
}

describe('fuzzing', () => {
  for (const [at, id] of operationIds.entries()) {
    test(
      `${id}: refuses malformed requests as its row declares; each leaves one audit row`,
      async () => {
        const settings = { seed: seed + at, numRuns: casesOfEach }
        const requests = await requestsOf(id)
        const all = fc.sample(requests, settings)
        const certain = all.filter(one => one.sure)
        const uncertain = all.filter(one => !one.sure)
        expect(certain.length).toBeGreaterThan(casesOfEach / 2)
        const [before, audited] = [await contents(fixtures), await audits(id)]
        await expectNoFaults(id, certain, requests, settings)
        expect(await contents(fixtures)).toEqual(before)
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
