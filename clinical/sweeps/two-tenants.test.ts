// Presents every ID from Ben's integration, in both modes, with every credential that must not see
// it: Ada's in both modes, Ben's own in the other mode, and Ben's for another clinic.
// same-cost.test.ts compares the work these refusals take.

import { afterEach, beforeAll, expect, test } from 'bun:test'
import { grant, openOrganization } from '#auth/integrations.ts'
import { type CallableId, callableIds, callable } from '#contract/callable.ts'
import { type Mode, modes } from '#contract/operation.ts'
import { sql, type Statement } from '#database/sql.ts'
import { invoke, invokeOk, rivera, type CallOptions } from '../testing/call.ts'
import { useFixtures } from '../testing/fixtures.ts'
import { validCalls } from '../testing/valid-calls.ts'
import { liveOperations, listOperations, tenantOperations } from '../testing/sweep.ts'
import { tableContents, unknownId, queryAsOwner } from '../testing/assertions.ts'

type ForeignId = { id: string; mode: Mode }
type Credential = { name: string; as: string; mode: Mode }

const fixtures = useFixtures()
let benLiveKey = ''
let otherClinicKey = ''
const callsByMode: Record<Mode, Map<CallableId, CallOptions>> = {
  test: new Map(),
  live: new Map(),
}
let foreignIds: ForeignId[] = []

/** In live mode the clinic's console decides, so these operations have no rows to act on. */
const followsDecision = new Set<CallableId>([
  'answerCase',
  'getPrescription',
  'listPrescriptions',
  'getOrder',
  'listOrders',
])
const operationsIn = (mode: Mode) =>
  mode === 'test'
    ? callableIds.filter(id => id !== 'resetSandbox')
    : liveOperations.filter(id => !followsDecision.has(id))

const literal = (text: string): Statement => sql([text] as unknown as TemplateStringsArray)
const prefixOf = (id: string) => id.split('_')[0] ?? ''

/** Returns the integration's IDs in every table of both modes, read as the owner. */
async function idsOf(integration: string): Promise<ForeignId[]> {
  const tables = await queryAsOwner<{ mode: Mode; name: string }>(
    fixtures,
    sql`select table_schema as mode, table_name as name from information_schema.columns
         where table_schema in ('test', 'live') and column_name in ('id', 'tenant')
           and data_type in ('text', 'bigint')
         group by 1, 2 having count(*) = 2 order by 1, 2`,
  )
  const found = await Promise.all(
    tables.map(({ mode, name }) =>
      queryAsOwner<ForeignId>(
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
    for (const id of operationsIn(mode))
      callsByMode[mode].set(id, await validCalls[id](fixtures, ben[mode]))
  }
  foreignIds = await idsOf(ben.integration)
  const { integration } = ben
  const other = await fixtures.owner.use(connection =>
    openOrganization(connection, 'Other Clinic', 'other'),
  )
  await fixtures.owner.use(connection =>
    grant(connection, { integration, organization: other, mode: 'live' }),
  )
  const pinned = (organization: string) =>
    fixtures.key({ integration, mode: 'live', name: 'pinned', organization })
  benLiveKey = await pinned(fixtures.clinic)
  otherClinicKey = await pinned(other)
})
afterEach(() => expect(fixtures.errors.splice(0)).toEqual([]))

/** Returns every credential except the credential that the mode's rows belong to. */
const othersOf = (mode: Mode): Credential[] => [
  { name: "Ada's in test", as: fixtures.ada.test, mode: 'test' },
  { name: "Ada's in live", as: fixtures.ada.live, mode: 'live' },
  mode === 'test'
    ? { name: "Ben's in live", as: benLiveKey, mode: 'live' }
    : { name: "Ben's in test", as: fixtures.ben.test, mode: 'test' },
]
const isAvailable = (operation: CallableId, mode: Mode) =>
  mode === 'test' || liveOperations.includes(operation)

/** Returns the parts of a response that two calls must have in common. */
const responseOf = async (operation: CallableId, options: CallOptions) => {
  const { status, code, headers, body } = await invoke(fixtures, operation, options)
  return { status, code, headers, body }
}

test('another tenant’s ID isn’t found, with the same response as an unknown ID', async () => {
  const kinds = new Set(foreignIds.map(({ id }) => prefixOf(id)))
  expect([...kinds].sort().join(' ')).toBe(
    'case chg cons dlv evt exp file inv msg ord pat req rpl rx vis we',
  )
  expect(foreignIds.length).toBeGreaterThan(400)
  const before = await tableContents(fixtures)
  const reads = tenantOperations.filter(id => callable[id].method === 'GET')
  const readerOf = (id: string) =>
    reads.find(read => prefixOf(callsByMode.test.get(read)?.id ?? '') === prefixOf(id))
  const checked = new Set<string>()
  for (const mode of modes) {
    for (const { as, mode: caller } of othersOf(mode)) {
      const absent = new Map<CallableId, unknown>()
      const judge = async ({ id }: ForeignId) => {
        const read = readerOf(id)
        if (read === undefined || !isAvailable(read, caller)) return
        const hidden = await responseOf(read, { as, id })
        expect([id, hidden.code]).toEqual([id, 'not_found'])
        const never = { as, id: unknownId(prefixOf(id)) }
        if (!absent.has(read)) absent.set(read, await responseOf(read, never))
        expect(hidden).toEqual(absent.get(read) as typeof hidden)
        checked.add(prefixOf(id))
      }
      // Sends a few at a time. On a busy machine, the rest would exceed a call's wait for a
      // connection.
      const ids = foreignIds.filter(one => one.mode === mode)
      for (let at = 0; at < ids.length; at += 10) {
        await Promise.all(ids.slice(at, at + 10).map(judge))
      }
    }
  }
  expect([...checked].sort().join(' ')).toBe('case evt exp file inv ord pat req rpl rx vis we')
  expect(await tableContents(fixtures)).toEqual(before)
})

test('no operation writes for another tenant’s ID, or reveals that it exists', async () => {
  const before = await tableContents(fixtures)
  for (const mode of modes) {
    for (const operation of tenantOperations) {
      const validCall = callsByMode[mode].get(operation)
      if (validCall?.id === undefined) continue
      for (const credential of othersOf(mode).filter(one => isAvailable(operation, one.mode))) {
        const { as, name } = credential
        const hidden = await responseOf(operation, { ...validCall, as })
        const never = { ...validCall, as, id: unknownId(prefixOf(validCall.id)) }
        expect([operation, name, hidden.code]).toEqual([operation, name, 'not_found'])
        expect([operation, name, hidden]).toEqual([
          operation,
          name,
          await responseOf(operation, never),
        ])
      }
    }
  }
  expect(await tableContents(fixtures)).toEqual(before)
})

test('another tenant’s ID is a position as a cursor, and matches nothing in a filter', async () => {
  const ids = new Set(foreignIds.map(({ id }) => id))
  const whole = listOperations.filter(
    list => !callable[list].path.includes('{') && list !== 'listMedications',
  )
  for (const mode of modes) {
    for (const { as, mode: caller } of othersOf(mode)) {
      for (const list of whole.filter(one => isAvailable(one, caller) && one !== 'listSlots')) {
        const prefix = { listPatients: 'pat', listCases: 'case', listEvents: 'evt' }[list as string]
        const first = foreignIds.find(one => one.mode === mode && prefixOf(one.id) === prefix)
        if (first === undefined) continue
        const { status, body } = await invoke(fixtures, list, {
          as,
          query: { starting_after: first.id },
        })
        expect([list, status]).toEqual([list, 200])
        const own = caller !== mode && (as === fixtures.ben.test || as === benLiveKey)
        const shown: string[] = body.data.map((one: { id: string }) => one.id)
        if (!own) expect(shown.filter(id => ids.has(id))).toEqual([])
        expect(
          shown.filter(id => foreignIds.some(one => one.id === id && one.mode === mode)),
        ).toEqual([])
      }
      const patient = foreignIds.find(one => one.mode === mode && prefixOf(one.id) === 'pat')
      const { body } = await invoke(fixtures, 'listCases', {
        as,
        query: { patient: patient?.id ?? '' },
      })
      expect(body).toEqual({ data: [], has_more: false })
    }
  }
})

test('rows under one clinic’s grant aren’t visible under another’s', async () => {
  const reads = tenantOperations.filter(
    id => callable[id].method === 'GET' && liveOperations.includes(id),
  )
  const visible: CallableId[] = []
  for (const operation of reads) {
    const validCall = callsByMode.live.get(operation)
    if (validCall?.id === undefined) continue
    const hidden = await responseOf(operation, { ...validCall, as: otherClinicKey })
    if (hidden.status === 200) visible.push(operation)
    else expect([operation, hidden.code]).toEqual([operation, 'not_found'])
  }
  // Invoices, endpoints and deliveries belong to the integration, no matter which clinic a call
  // names.
  expect(visible).toEqual([
    'getInvoice',
    'getWebhookEndpoint',
    'listDeliveries',
    'getReplay',
    'getDestination',
  ])
})

test('concurrent calls from four tenants on few connections each read only their own rows', async () => {
  const calls = Number(process.env['FUZZ_CASES'] ?? 400)
  const callers = [fixtures.ada, fixtures.ben].flatMap(({ test: inTest, live }) => [
    { as: inTest },
    { as: live, organization: fixtures.clinic },
  ])
  const patients: string[] = []
  for (const caller of callers) {
    patients.push((await invokeOk(fixtures, 'createPatient', { ...caller, body: rivera })).id)
  }
  for (let at = 0; at < calls; at += 80) {
    const answers = await Promise.all(
      Array.from({ length: 80 }, async (_, n) => {
        const [caller, owner] = [n % 4, Math.floor(n / 4) % 4]
        const call = { ...callers[caller], id: patients[owner] ?? '' }
        return [caller === owner, (await invoke(fixtures, 'getPatient', call)).status]
      }),
    )
    expect(answers).toEqual(answers.map(([isOwn]) => [isOwn ?? false, isOwn ? 200 : 404]))
  }
})
