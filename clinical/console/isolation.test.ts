// A clinic sees all its patients, from every integration. It sees and changes nothing at another
// clinic, even if a console statement lacks a condition. An integration sees its own patients.

import { beforeAll, expect, test } from 'bun:test'
import { type ConsoleId, consoleOperations } from '#contract/console/operations.ts'
import { isWrite, pathNames } from '#contract/operation.ts'
import { grant, openOrganization } from '#auth/integrations.ts'
import type { ConnectionPool } from '#database/pool.ts'
import { sql, type Statement } from '#database/sql.ts'
import { queryAsOwner } from '../testing/assertions.ts'
import { invoke, invokeOk, rivera, semaglutide } from '../testing/call.ts'
import { bulkExported, endBulkExports } from '../testing/exports.ts'
import { bookedLiveVisit } from '../testing/clinicians.ts'
import { restoreFile, scannedFile } from '../testing/files.ts'
import { useFixtures } from '../testing/fixtures.ts'
import {
  bodyOf,
  clinicTables,
  queryOf,
  consoleBodies,
  versionIn,
} from '../testing/console-calls.ts'
import { connectionsOf, restoreTransmission, transmitted } from '../pharmacy/testing/transmitted.ts'
import { signedNote } from '../testing/notes.ts'
import { intercepted, type StaffMember, useConsole } from '../testing/staff.ts'

const fixtures = useFixtures()

/** The index of the condition to disable in a call's statements; null disables none. */
let omitted: number | null = null
let conditions = 0

/** Wraps a pool and disables the omitted condition in its statements. */
const withoutCondition = (pool: ConnectionPool): ConnectionPool =>
  intercepted(pool, async statement => {
    const { text, values } = statement.prepared
    const changed = text.replaceAll(/\bwhere\b/g, word =>
      conditions++ === omitted ? 'where true or' : word,
    )
    return { prepared: { text: changed, values } } as Statement
  })

const staff = useConsole(fixtures, withoutCondition)

type Kind = 'patient' | 'case' | 'order' | 'visit' | 'file' | 'hold' | 'note'
type Rows = Record<Kind | 'tenant' | 'marker', string> & { bulk: Record<string, string> }
/** The visit's start, and another free time. */
const times = { starts_at: '', free: '' }
let foreignClinic: string
let own: Rows
let ofOther: Rows
let foreign: Rows
let doctor: StaffMember
let foreignDoctor: StaffMember

/** Creates a patient with an approved case and an order, for one of a clinic's integrations. */
async function fill(as: string, by: StaffMember, marker: string): Promise<Rows> {
  const { organization } = by
  const call = { as, organization }
  const body = { ...rivera, last_name: marker }
  const { id: patient } = await invokeOk(fixtures, 'createPatient', { ...call, body })
  const consent_ids: string[] = []
  for (const kind of ['telehealth', 'privacy']) {
    const consent = { ...call, id: patient, body: { kind, version: '2026-09-01' } }
    consent_ids.push((await invokeOk(fixtures, 'recordConsent', consent)).id)
  }
  const filed = { patient, consent_ids, requested_medications: [{ medication_id: semaglutide }] }
  const { id, updated_at } = await invokeOk(fixtures, 'createCase', { ...call, body: filed })
  const signed = { as: by, id, body: { version: updated_at } }
  const { order_ids } = await staff.ok('approveCase', signed)
  await invokeOk(fixtures, 'createMessage', { ...call, id, body: { body: marker } })
  const [row] = await queryAsOwner<{ tenant: string }>(
    fixtures,
    sql`select tenant::text from live.patients where id = ${patient}`,
  )
  const visit = await bookedLiveVisit(fixtures, { ...call, patient, state: rivera.address.state })
  if (times.free === '') Object.assign(times, visit)
  const file = await scannedFile(fixtures, { ...call, patient, case: id })
  const tenant = row?.tenant ?? ''
  const record = { as: by, id: patient }
  await staff.ok('addDisclosure', { ...record, body: consoleBodies.addDisclosure })
  const { id: hold } = await staff.ok('placeHold', { ...record, body: consoleBodies.placeHold })
  await transmitted(fixtures, { ...by, tenant, order: order_ids[0], marker })
  const note = await signedNote(fixtures, { id, patient })
  const ids = { patient, case: id, order: order_ids[0], visit: visit.id, file, hold, note }
  const brand = as === fixtures.ben.live ? fixtures.ben.integration : fixtures.ada.integration
  const { ids: bulk } = await bulkExported(fixtures, staff, { as: by, id: brand })
  return { ...ids, bulk, tenant, marker }
}

beforeAll(async () => {
  const { owner, ada, ben, clinic } = fixtures
  foreignClinic = await owner.use(connection =>
    openOrganization(connection, 'Another Clinic', 'another-clinic'),
  )
  const { integration } = ada
  await owner.use(connection =>
    grant(connection, { integration, organization: foreignClinic, mode: 'live' }),
  )
  const states = [rivera.address.state]
  const roles = ['clinician', 'pharmacy', 'records', 'admin', 'auditor'] as const
  doctor = await staff.hire(roles, { organization: clinic, states })
  foreignDoctor = await staff.hire(roles, { organization: foreignClinic, states })
  // Makes visits free, because the test completes the same visit many times, and a visit can be
  // charged only once.
  await queryAsOwner(
    fixtures,
    sql`insert into billing.prices (kind, amount, currency, integration, valid_from)
        values ('video_visit', 0, 'USD', ${integration}, '2020-01-01')`,
  )
  own = await fill(ada.live, doctor, 'Owned')
  ofOther = await fill(ben.live, doctor, 'Shared')
  foreign = await fill(ada.live, foreignDoctor, 'Foreign')
  // Ada's brand is at both clinics.
  delete foreign.bulk['integrations']
}, 60_000)

const idIn = (
  operation: ConsoleId,
  { patient, case: id, order, visit, file, note, bulk }: Rows,
): string | undefined => {
  const [, , kind = ''] = consoleOperations[operation].path.split('/')
  const ids: Record<string, string> = {
    patients: patient,
    cases: id,
    orders: order,
    visits: visit,
    files: file,
    notes: note,
    ...bulk,
  }
  return pathNames(consoleOperations[operation].path).length > 0 ? ids[kind] : undefined
}

/** Operations that require a requested removal. */
const removals = new Set<ConsoleId>(['cancelRemoval', 'confirmRemoval'])

/** Documents with the version that a removal requires. */
const files = sql`(
  select id, coalesce(removed_at, removal_asked_at, attached_at) as updated_at from live.files) f`

const everyDay = { from: '2020-01-01T00:00:00Z', to: '2090-01-01T00:00:00Z' }

/** Makes a call that the rows' current state allows. */
async function callOn(operation: ConsoleId, rows: Rows, as: StaffMember) {
  const id = idIn(operation, rows)
  const kinds = { ord_: sql`live.orders`, vis_: sql`live.visits`, file: files } as const
  const table = kinds[id?.slice(0, 4) as keyof typeof kinds] ?? sql`live.cases`
  const [row] = await queryAsOwner<{ version: string }>(
    fixtures,
    sql`select iso(updated_at) as version from ${table} where id = ${id ?? ''}`,
  )
  const version = row?.version ?? '2026-01-01T00:00:00.000Z'
  conditions = 0
  return staff.call(operation, {
    as,
    ...(id === undefined ? queryOf(operation, everyDay) : { id }),
    ...(isWrite(consoleOperations[operation])
      ? {
          body: {
            ...versionIn(operation, version),
            ...bodyOf(operation),
            ...(operation === 'liftHold' ? { hold: rows.hold } : {}),
            ...(operation === 'moveClinicVisit' ? { starts_at: times.free } : {}),
          },
        }
      : {}),
  })
}

/** Puts the case and its order back into states that allow every operation. */
async function restore(operation: ConsoleId, { tenant }: Rows): Promise<void> {
  const statuses: Partial<Record<ConsoleId, string>> = {
    listPastOrders: 'delivered',
    deliverOrder: 'shipped',
    unblockOrder: 'blocked',
  }
  const status = statuses[operation] ?? 'created'
  await queryAsOwner(
    fixtures,
    sql`update live.cases set status = 'queued', question_message = null, question_target = null,
               question_body = null, question_asked_at = null, claimed_by = null,
               claimed_by_name = null, claimed_until = null where tenant = ${tenant}::bigint`,
  )
  await queryAsOwner(
    fixtures,
    sql`update live.orders set status = ${status} where tenant = ${tenant}::bigint`,
  )
  await restoreTransmission(fixtures, tenant, operation)
  await queryAsOwner(
    fixtures,
    sql`update live.visits set starts_at = ${times.starts_at}::timestamptz,
               ends_at = ${times.starts_at}::timestamptz + interval '30 minutes', ended_at = null,
               ${
                 operation === 'completeClinicVisit'
                   ? sql`status = 'started', started_at = now()`
                   : sql`status = 'scheduled', started_at = null`
               }
         where tenant = ${tenant}::bigint and ${tenant} = ${own.tenant}`,
  )
  await endBulkExports(fixtures)
  if (operation !== 'liftHold') return
  await queryAsOwner(
    fixtures,
    sql`update records.holds set lifted_reason = null, lifted_by = null, lifted_by_name = null,
               lifted_at = null where tenant = ${tenant}::bigint`,
  )
}

/** Returns all of the other clinic's rows as text. */
async function foreignRows(): Promise<string> {
  const texts: string[] = []
  for (const name of clinicTables) {
    const table = {
      prepared: {
        text: `select * from ${name} r where tenant = $1::bigint order by r::text`,
        values: [foreign.tenant],
      },
    }
    texts.push(JSON.stringify(await queryAsOwner(fixtures, table as unknown as Statement)))
  }
  return texts.join('\n')
}

const operationIds = Object.keys(consoleOperations) as ConsoleId[]

test('a clinic sees every integration’s patients with their integration, and no other clinic’s', async () => {
  await restore('listQueue', own)
  await restore('listQueue', ofOther)
  const { data } = await staff.ok('listQueue', { as: doctor })
  expect(
    data.map((one: { id: string; integration: { id: string } }) => [one.id, one.integration.id]),
  ).toEqual([
    [own.case, fixtures.ada.integration],
    [ofOther.case, fixtures.ben.integration],
  ])
  const elsewhere = await staff.ok('listPharmacyOrders', { as: foreignDoctor })
  expect(elsewhere.data.map((one: { id: string }) => one.id)).toEqual([foreign.order])
})

test('every operation on another clinic’s rows: 404, and nothing changes', async () => {
  const before = await foreignRows()
  let refused = 0
  for (const operation of operationIds) {
    if (idIn(operation, foreign) === undefined) continue
    const { code } = await callOn(operation, foreign, doctor)
    expect([operation, code]).toEqual([operation, 'not_found'])
    refused++
  }
  expect(refused).toBe(44)
  const unknown = { as: foreignDoctor, id: fixtures.ben.integration }
  expect((await staff.call('startBulkExport', unknown)).code).toBe('not_found')
  expect(await foreignRows()).toBe(before)
})

test('an integration can’t read another one’s data at the same clinic, whatever the clinic does', async () => {
  const call = { as: fixtures.ada.live, organization: fixtures.clinic }
  for (const [operation, id] of [
    ['getPatient', ofOther.patient],
    ['getCase', ofOther.case],
    ['getOrder', ofOther.order],
    ['listMessages', ofOther.case],
  ] as const) {
    expect((await invoke(fixtures, operation, { ...call, id })).code).toBe('not_found')
  }
  const { text } = await invoke(fixtures, 'listEvents', { ...call, query: { limit: '100' } })
  expect(text).toContain(own.case)
  for (const id of [ofOther.case, ofOther.order, foreign.case]) expect(text).not.toContain(id)
})

test('a statement that lacks a condition shows and changes nothing at another clinic', async () => {
  const before = await foreignRows()
  let calls = 0
  let wider = 0
  for (const operation of operationIds) {
    for (let at = 0; ; at++) {
      // A read changes nothing.
      if (at === 0 || isWrite(consoleOperations[operation])) {
        await restore(operation, own)
        await restoreFile(fixtures, own, removals.has(operation) ? doctor.person : null)
      }
      omitted = at
      const { text, body } = await callOn(operation, own, doctor).finally(() => (omitted = null))
      if (conditions <= at) break
      calls++
      const shown = text + JSON.stringify(body)
      const { tenant: _, bulk, ...ids } = foreign
      for (const value of Object.values({ ...ids, ...bulk })) {
        expect([operation, at, shown.includes(value)]).toEqual([operation, at, false])
      }
      if (text.includes(ofOther.patient)) wider++
    }
  }
  expect(await foreignRows()).toBe(before)
  // Rows from the clinic's other integration prove that conditions really were left out.
  expect(await connectionsOf(fixtures)).toEqual([`phm_${fixtures.clinic}`])
  expect(calls).toBeGreaterThan(150)
  expect(wider).toBeGreaterThan(5)
}, 240_000)
