// Every id that Ben's integration has, in both modes, presented with every credential that is not
// the one it belongs to: Ada's in both modes, Ben's own in the other mode, and Ben's for another
// clinic (contract/18, tests 1, 2, 4, 5 and 15). What it costs to be told is in same-cost.test.ts.

import { afterEach, beforeAll, expect, test } from 'bun:test'
import { grant, openOrganization } from '#auth/integrations.ts'
import { type OperationId, operationIds, table } from '#contract/api.ts'
import { type Mode, modes } from '#contract/operation.ts'
import { sql, type Statement } from '#database/sql.ts'
import { invoke, type CallOptions } from '../testing/call.ts'
import { useFixtures } from '../testing/fixtures.ts'
import { validCalls } from '../testing/valid-calls.ts'
import { liveOperations, listOperations, tenantOperations } from '../testing/sweep.ts'
import { tableContents, unknownId, queryAsOwner } from '../testing/assertions.ts'

type Theirs = { id: string; mode: Mode }
type Credential = { name: string; as: string; mode: Mode }

const fixtures = useFixtures()
let bensInLive = ''
let elsewhere = ''
const worlds: Record<Mode, Map<OperationId, CallOptions>> = { test: new Map(), live: new Map() }
let every: Theirs[] = []

/** A clinician decides in the clinic's own console, so what follows a decision is not in live. */
const followsDecision = new Set<OperationId>([
  'answerCase',
  'getPrescription',
  'listPrescriptions',
  'getOrder',
  'listOrders',
])
const madeIn = (mode: Mode) =>
  mode === 'test'
    ? operationIds.filter(id => id !== 'resetSandbox')
    : liveOperations.filter(id => !followsDecision.has(id))

const literal = (text: string): Statement => sql([text] as unknown as TemplateStringsArray)
const prefixOf = (id: string) => id.split('_')[0] ?? ''

/** The ids in every table of both planes, as the owner finds them. */
async function idsOf(integration: string): Promise<Theirs[]> {
  const tables = await queryAsOwner<{ mode: Mode; name: string }>(
    fixtures,
    sql`select table_schema as mode, table_name as name from information_schema.columns
         where table_schema in ('test', 'live') and column_name in ('id', 'tenant')
           and data_type in ('text', 'bigint')
         group by 1, 2 having count(*) = 2 order by 1, 2`,
  )
  const found = await Promise.all(
    tables.map(({ mode, name }) =>
      queryAsOwner<Theirs>(
        fixtures,
        sql`select id::text as id, ${mode} as mode from ${literal(`${mode}.${name}`)} t
             where tenant in (select id from ${literal(mode)}.tenants
                               where integration = ${integration})`,
      ),
    ),
  )
  return found.flat().filter(({ id }) => /^[a-z]+_/.test(id))
}

beforeAll(async () => {
  const { ben } = fixtures
  for (const mode of modes) {
    for (const id of madeIn(mode)) worlds[mode].set(id, await validCalls[id](fixtures, ben[mode]))
  }
  every = await idsOf(ben.integration)
  const { integration } = ben
  const other = await fixtures.owner.use(connection =>
    openOrganization(connection, 'Other Clinic', 'other'),
  )
  await fixtures.owner.use(connection =>
    grant(connection, { integration, organization: other, mode: 'live' }),
  )
  const pinned = (organization: string) =>
    fixtures.key({ integration, mode: 'live', name: 'pinned', organization })
  bensInLive = await pinned(fixtures.clinic)
  elsewhere = await pinned(other)
})
afterEach(() => expect(fixtures.errors).toEqual([]))

/** Every credential of the cast but the one that the mode's rows belong to. */
const othersOf = (mode: Mode): Credential[] => [
  { name: "Ada's in test", as: fixtures.ada.test, mode: 'test' },
  { name: "Ada's in live", as: fixtures.ada.live, mode: 'live' },
  mode === 'test'
    ? { name: "Ben's in live", as: bensInLive, mode: 'live' }
    : { name: "Ben's in test", as: fixtures.ben.test, mode: 'test' },
]
const knows = (operation: OperationId, mode: Mode) =>
  mode === 'test' || liveOperations.includes(operation)

/** What two calls say of themselves, each to be the same as the other's. */
const said = async (operation: OperationId, asked: CallOptions) => {
  const { status, code, headers, body } = await invoke(fixtures, operation, asked)
  return { status, code, headers, body }
}

test('each of them is not there, and is told as one that never was', async () => {
  const kinds = new Set(every.map(({ id }) => prefixOf(id)))
  expect([...kinds].sort().join(' ')).toBe(
    'case chg cons dlv evt exp file inv msg ord pat rx vis we',
  )
  expect(every.length).toBeGreaterThan(400)
  const before = await tableContents(fixtures)
  const reads = tenantOperations.filter(id => table[id].method === 'GET')
  const readerOf = (id: string) =>
    reads.find(read => prefixOf(worlds.test.get(read)?.id ?? '') === prefixOf(id))
  const asked = new Set<string>()
  for (const mode of modes) {
    for (const { as, mode: seen } of othersOf(mode)) {
      const absent = new Map<OperationId, unknown>()
      const judge = async ({ id }: Theirs) => {
        const read = readerOf(id)
        if (read === undefined || !knows(read, seen)) return
        const hidden = await said(read, { as, id })
        expect([id, hidden.code]).toEqual([id, 'not_found'])
        const never = { as, id: unknownId(prefixOf(id)) }
        if (!absent.has(read)) absent.set(read, await said(read, never))
        expect(hidden).toEqual(absent.get(read) as typeof hidden)
        asked.add(prefixOf(id))
      }
      await Promise.all(every.filter(one => one.mode === mode).map(judge))
    }
  }
  expect([...asked].sort().join(' ')).toBe('case evt exp file inv ord pat rx vis we')
  expect(await tableContents(fixtures)).toEqual(before)
})

test('no operation does anything for such an id, nor says that there is one', async () => {
  const before = await tableContents(fixtures)
  for (const mode of modes) {
    for (const operation of tenantOperations) {
      const validCall = worlds[mode].get(operation)
      if (validCall?.id === undefined) continue
      for (const credential of othersOf(mode).filter(one => knows(operation, one.mode))) {
        const { as, name } = credential
        const hidden = await said(operation, { ...validCall, as })
        const never = { ...validCall, as, id: unknownId(prefixOf(validCall.id)) }
        expect([operation, name, hidden.code]).toEqual([operation, name, 'not_found'])
        expect([operation, name, hidden]).toEqual([operation, name, await said(operation, never)])
      }
    }
  }
  expect(await tableContents(fixtures)).toEqual(before)
})

test('as a cursor it is a position, and in a filter it matches nothing', async () => {
  const ids = new Set(every.map(({ id }) => id))
  const whole = listOperations.filter(
    list => !table[list].path.includes('{') && list !== 'listMedications',
  )
  for (const mode of modes) {
    for (const { as, mode: seen } of othersOf(mode)) {
      for (const list of whole.filter(one => knows(one, seen) && one !== 'listSlots')) {
        const prefix = { listPatients: 'pat', listCases: 'case', listEvents: 'evt' }[list as string]
        const first = every.find(one => one.mode === mode && prefixOf(one.id) === prefix)
        if (first === undefined) continue
        const { status, body } = await invoke(fixtures, list, {
          as,
          query: { starting_after: first.id },
        })
        expect([list, status]).toEqual([list, 200])
        const own = seen !== mode && (as === fixtures.ben.test || as === bensInLive)
        const shown: string[] = body.data.map((one: { id: string }) => one.id)
        if (!own) expect(shown.filter(id => ids.has(id))).toEqual([])
        expect(shown.filter(id => every.some(one => one.id === id && one.mode === mode))).toEqual(
          [],
        )
      }
      const patient = every.find(one => one.mode === mode && prefixOf(one.id) === 'pat')
      const { body } = await invoke(fixtures, 'listCases', {
        as,
        query: { patient: patient?.id ?? '' },
      })
      expect(body).toEqual({ data: [], has_more: false })
    }
  }
})

test('what one clinic granted is not seen through the grant of another', async () => {
  const reads = tenantOperations.filter(
    id => table[id].method === 'GET' && liveOperations.includes(id),
  )
  const seen: OperationId[] = []
  for (const operation of reads) {
    const validCall = worlds.live.get(operation)
    if (validCall?.id === undefined) continue
    const hidden = await said(operation, { ...validCall, as: elsewhere })
    if (hidden.status === 200) seen.push(operation)
    else expect([operation, hidden.code]).toEqual([operation, 'not_found'])
  }
  // Endpoints are the integration's own, whichever clinic is named.
  expect(seen).toEqual(['getWebhookEndpoint', 'listDeliveries'])
})
