// Malformed requests by the thousand, for every operation of the table: whatever is sent, the
// answer is one that the row declares, nothing of ours fails, and what is refused leaves no trace
// but its audit row. FUZZ_CASES asks for more of each than a run of the whole suite has time for.

import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { type OperationId, operationIds, table } from '#contract/api.ts'
import { refusalsOf } from '#contract/operation.ts'
import type { FaultCode } from '#contract/problems.ts'
import { sql } from '#database/sql.ts'
import { ask, type Asked, type Replied } from '../testing/call.ts'
import { type Fixtures, openFixtures } from '../testing/fixtures.ts'
import { type Chance, chanceOf } from '../testing/fuzz/chance.ts'
import { type Broken, breakRequest } from '../testing/fuzz/requests.ts'
import { canary } from '../testing/fuzz/values.ts'
import { validCalls } from '../testing/valid-calls.ts'
import { wrongWith } from '../testing/sweep.ts'
import { contents, queryAsOwner } from '../testing/assertions.ts'

/** Another seed makes other requests; the same one makes the same on every machine. */
const seed = 20_261_120
const casesOfEach = Number(process.env['FUZZ_CASES'] ?? 200)
const atOnce = 16
const worldsOfEach = 4

let fixtures: Fixtures
const tally = { requests: 0, refused: 0, valid: 0 }
beforeAll(async () => {
  fixtures = await openFixtures({ poolSize: 8 })
  console.log(`fuzz: seed ${seed}`)
})
afterAll(async () => {
  await fixtures.close()
  console.log(
    `fuzz: ${tally.requests} requests, ${tally.refused} refused, ${tally.valid} valid by luck`,
  )
})

const told = [canary, 'Rivera', 'Stockton', 'ada.rivera@example.com', '+14155550142']
/** A place in a program, a statement or a server's own words. */
const inside = /\.ts:\d|node_modules|\bat \w+ \(|\b(select|insert|update) .* (from|into|set) /i

/** Faults that the schema alone decides, so that another validator must find them too. */
const ofSchema = new Set<FaultCode>([
  'wrong_type',
  'unknown_field',
  'too_short',
  'too_long',
  'too_few',
  'not_in_enum',
  'invalid_cursor',
])

/** What a reply must never be, in words that name the request; null when all is well. */
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
  const echoed = told.find(value => text.includes(value))
  if (echoed) return say(`echoed ${echoed} in ${text.slice(0, 500)}`)
  return inside.test(text) ? say(`told of its inside in ${text.slice(0, 500)}`) : null
}

/** Makes the requests, some at once, and answers what was wrong with the replies. */
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
  await Promise.all(Array.from({ length: atOnce }, one))
  return found
}

/** Broken requests about a few worlds, so that one that is spent by luck does not hide the rest. */
async function requestsOf(chance: Chance, id: OperationId): Promise<Broken[]> {
  const worlds: Asked[] = []
  while (worlds.length < worldsOfEach)
    worlds.push(await validCalls[id](fixtures, fixtures.ada.test))
  return Array.from({ length: casesOfEach }, () =>
    breakRequest(chance, id, chance.pick(worlds), fixtures.ada),
  )
}

const audits = async (id: OperationId): Promise<number> => {
  await fixtures.context.auditWriter.flush()
  const [row] = await queryAsOwner<{ count: number }>(
    fixtures,
    sql`select count(*)::int as count from audit.entries where action = ${id}`,
  )
  return row?.count ?? 0
}

describe('thousands of broken requests', () => {
  for (const [at, id] of operationIds.entries()) {
    test(
      `${id} refuses them as its row declares, and what is refused leaves one audit row`,
      async () => {
        const all = await requestsOf(chanceOf(seed + at), id)
        const certain = all.filter(one => one.sure)
        expect(certain.length).toBeGreaterThan(casesOfEach / 2)
        const [before, audited] = [await contents(fixtures), await audits(id)]
        expect(await send(id, certain)).toEqual([])
        expect(await contents(fixtures)).toEqual(before)
        expect(
          await send(
            id,
            all.filter(one => !one.sure),
          ),
        ).toEqual([])
        expect(await audits(id)).toBe(audited + all.length)
        expect(fixtures.errors).toEqual([])
      },
      { timeout: 60_000 * Math.ceil(casesOfEach / 800) },
    )
  }

  test('no prototype was changed on the way', () => {
    expect(Object.keys(Object.prototype)).toEqual([])
    expect({}).not.toHaveProperty('polluted')
  })
})
