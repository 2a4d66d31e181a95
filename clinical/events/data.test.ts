// With include_resource, `data` is the resource in its current state, and is included only if the
// credential could read the resource directly.

import { beforeAll, describe, expect, test } from 'bun:test'
import type { Scope } from '#contract/scopes.ts'
import { type ConsentedPatient, invoke, queuedCase, invokeOk } from '../testing/call.ts'
import { useFixtures } from '../testing/fixtures.ts'
import { queryAsOwner } from '../testing/assertions.ts'
import { sql } from '#database/sql.ts'
import { withScopes } from '../testing/with-scopes.ts'

const fixtures = useFixtures()
let filed: ConsentedPatient & { id: string }
beforeAll(async () => {
  filed = await queuedCase(fixtures)
  await invokeOk(fixtures, 'decideCase', { id: filed.id, body: { decision: 'approve' } })
})

type Embedded = { type: string; resource: { type: string; id: string }; data?: unknown }
const query = { include_resource: 'true', limit: '100' }
const withData = async (as?: string): Promise<Embedded[]> =>
  (await invokeOk(fixtures, 'listEvents', as === undefined ? { query } : { as, query })).data

const scoped = (scopes: Scope[]) =>
  fixtures.key({ integration: fixtures.ada.integration, mode: 'test', name: 'scoped', scopes })

const reads = {
  patient: 'getPatient',
  case: 'getCase',
  prescription: 'getPrescription',
  order: 'getOrder',
} as const

describe('listEvents with include_resource 200', () => {
  test('data is the last field and equals the resource’s current response', async () => {
    const { text, body } = await invoke(fixtures, 'listEvents', { query })
    const plain = await invokeOk(fixtures, 'listEvents', { query: { limit: '100' } })
    for (const [at, event] of body.data.entries()) {
      const { data, ...rest } = event
      expect(JSON.stringify(rest)).toBe(JSON.stringify(plain.data[at]))
      const read = reads[event.resource.type as keyof typeof reads]
      if (!read) continue
      const own = await invoke(fixtures, read, { id: event.resource.id })
      expect(text).toContain(`,"data":${own.text}}`)
      expect(JSON.stringify(data)).toBe(own.text)
    }
    const { data: consents } = await invokeOk(fixtures, 'listConsents', { id: filed.patient })
    const embedded = body.data.filter((one: Embedded) => one.type === 'consent.recorded.v1')
    expect(embedded.map((one: Embedded) => one.data)).toEqual(consents)
  })

  test('data may have a later status than the event', async () => {
    const queued = (await withData()).find(one => one.type === 'case.queued.v1')
    expect(queued).toMatchObject({ status: 'queued', data: { status: 'approved' } })
  })

  test.each<[Scope[], string[]]>([
    [[], []],
    [['patients:read'], ['patient', 'consent']],
    [['cases:read'], ['case', 'prescription', 'order']],
    [['patients:write', 'cases:write', 'visits:read', 'webhooks:manage'], []],
  ])('a key with %j gets data of %j', async (scopes, kinds) => {
    const as = await scoped(['events:read', ...scopes])
    for (const event of await withData(as)) {
      expect([event.resource.type, Object.hasOwn(event, 'data')]).toEqual([
        event.resource.type,
        kinds.includes(event.resource.type),
      ])
    }
  })

  test('data outside the clinic’s grant is omitted starting with the next call', async () => {
    const scopes = ['events:read', 'cases:read']
    const events = await withScopes(fixtures, fixtures.ada.integration, scopes, () => withData())
    for (const event of events) {
      const isOfPatient = ['patient', 'consent'].includes(event.resource.type)
      expect(Object.hasOwn(event, 'data')).toBe(!isOfPatient)
    }
  })

  test('every event about a deleted patient shows the patient as deleted', async () => {
    const gone = await queuedCase(fixtures)
    await invokeOk(fixtures, 'updatePatient', { id: gone.patient, body: { first_name: 'Bea' } })
    await invokeOk(fixtures, 'deletePatient', { id: gone.patient })
    const about = (await withData()).filter(one => one.resource.id === gone.patient)
    expect(about.map(one => one.type)).toEqual([
      'patient.created.v1',
      'patient.updated.v1',
      'patient.deleted.v1',
    ])
    for (const event of about) expect(event.data).toEqual({ id: gone.patient, deleted: true })
    const narrow = await withData(await scoped(['events:read', 'cases:read']))
    for (const event of narrow.filter(one => one.resource.id === gone.patient)) {
      expect(Object.hasOwn(event, 'data')).toBe(false)
    }
  })

  test('no patient value is stored in an event', async () => {
    const rows = await queryAsOwner<{ row: string }>(
      fixtures,
      sql`select e::text as row from test.events e`,
    )
    for (const { row } of rows) expect(row).not.toMatch(/Rivera|ada\.rivera|Stockton|4155550142/)
  })
})

describe('listEvents 403', () => {
  test('events:read is required in addition to the resources’ scopes', async () => {
    const as = await scoped(['patients:read', 'cases:read'])
    for (const options of [{ as }, { as, query }]) {
      const replied = await invoke(fixtures, 'listEvents', options)
      expect([replied.status, replied.code]).toEqual([403, 'insufficient_scope'])
    }
    const caseEvents = await invoke(fixtures, 'listCaseEvents', { as, id: filed.id })
    expect(caseEvents.status).toBe(200)
  })
})
