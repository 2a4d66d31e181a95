// Staff find a patient by any detail they have, only in their own clinic, and an audit row names
// everyone shown.

import { beforeAll, describe, expect, test } from 'bun:test'
import { grant, openOrganization } from '#auth/integrations.ts'
import { staffRoles } from '#contract/console/row.ts'
import { sql } from '#database/sql.ts'
import { queryAsOwner } from '../testing/assertions.ts'
import { invokeOk, rivera, semaglutide } from '../testing/call.ts'
import { useFixtures } from '../testing/fixtures.ts'
import { type StaffMember, useConsole } from '../testing/staff.ts'

const fixtures = useFixtures()
const staff = useConsole(fixtures)

const details = {
  ...rivera,
  first_name: 'José María',
  middle_name: 'Łukasz',
  last_name: "O'Brien-Núñez",
  date_of_birth: '1979-06-02',
  email: 'Jose.Obrien+1@example.com',
  phone: '+15035550142',
  external_id: `it's \\ "4711"`,
}

let nurse: StaffMember
let foreignNurse: StaffMember
let patient: string
let other: string
let foreign: string
const ids = { case: '', order: '', prescription: '' }

async function fileCase(as: string, of: string): Promise<void> {
  const call = { as, organization: fixtures.clinic }
  const consent_ids: string[] = []
  for (const kind of ['telehealth', 'privacy']) {
    const body = { kind, version: '2026-09-01' }
    consent_ids.push((await invokeOk(fixtures, 'recordConsent', { ...call, id: of, body })).id)
  }
  const body = { patient: of, consent_ids, requested_medications: [{ medication_id: semaglutide }] }
  const filed = await invokeOk(fixtures, 'createCase', { ...call, body })
  const doctor = await staff.hire(['clinician'], { states: [rivera.address.state] })
  const version = filed.updated_at
  const signed = await staff.ok('approveCase', { as: doctor, id: filed.id, body: { version } })
  Object.assign(ids, {
    case: filed.id,
    order: signed.order_ids[0],
    prescription: signed.prescription_ids[0],
  })
}

beforeAll(async () => {
  const { owner, ada, ben, clinic: organization } = fixtures
  const another = await owner.use(one => openOrganization(one, 'Another Clinic', 'another'))
  const { integration } = ada
  await owner.use(one => grant(one, { integration, organization: another, mode: 'live' }))
  nurse = await staff.hire(['nurse'])
  foreignNurse = await staff.hire(['nurse'], { organization: another })
  const create = async (as: string, clinic: string, body: object) =>
    (await invokeOk(fixtures, 'createPatient', { as, organization: clinic, body })).id as string
  patient = await create(ada.live, organization, details)
  other = await create(ben.live, organization, {
    ...rivera,
    last_name: 'Nuñezworth',
    phone: '+15035550177',
  })
  foreign = await create(ada.live, another, details)
  await fileCase(ada.live, patient)
})

const find = async (q: string, as: StaffMember = nurse) =>
  (await staff.ok('findPatients', { as, query: { q } })).data.map(
    (one: { id: string }) => one.id,
  ) as string[]

describe('a patient is found by', () => {
  test.each([
    'jose',
    'JOSÉ',
    'jo nu',
    'jo o n',
    'm',
    'nun jos',
    'lukasz',
    'obrien',
    "o'brien",
    'o’brien',
    'obriennunez',
    'josemaria',
    'jose 06/02/1979',
    '6/2/79',
    '1979-06-02 obrien',
    '(503) 555-0142',
    '555-0142',
    'jose 503 555 0142',
    'jose.obrien+1@example.com',
    `it's \\ "4711"`,
  ])('%s', async q => {
    expect(await find(q)).toEqual([patient])
  })

  test.each([
    'jose 06/03/1979',
    'josex',
    '555-0143',
    '4711',
    'brien',
    '%',
    "'",
    '\\',
    ':*',
    '!jose & |',
  ])('but not by %s', async q => {
    expect(await find(q)).toEqual(q === '!jose & |' ? [patient] : [])
  })

  test('their ID, or the ID of their case, prescription or order, which the result names', async () => {
    expect(await find(patient)).toEqual([patient])
    for (const type of ['case', 'prescription', 'order'] as const) {
      const { data, found } = await staff.ok('findPatients', {
        as: nurse,
        query: { q: ids[type] },
      })
      expect(data).toMatchObject([
        { id: patient, case: { id: ids.case }, order: { id: ids.order, status: 'created' } },
      ])
      expect(found).toEqual({ type, id: ids[type] })
    }
  })
})

test('the number on a label finds its order or prescription, with or without the hyphen', async () => {
  for (const type of ['order', 'prescription'] as const) {
    const number = ids[type].slice(-8)
    for (const q of [number, `${number.slice(0, 4)}-${number.slice(4)}`.toUpperCase()]) {
      const { data, found } = await staff.ok('findPatients', { as: nurse, query: { q } })
      expect([data.map(({ id }: { id: string }) => id), found]).toEqual([
        [patient],
        { type, id: ids[type] },
      ])
      expect(await find(q, foreignNurse)).toEqual([])
    }
  }
})

test('whole words rank before longer ones, across all the clinic’s integrations', async () => {
  expect(await find('nunez')).toEqual([patient, other])
})

test('another clinic finds its own patients, and none of this one’s', async () => {
  for (const q of ['jose', '06/02/1979', '555-0142', details.external_id])
    expect(await find(q, foreignNurse)).toEqual([foreign])
  for (const id of [patient, ids.case, ids.order, ids.prescription]) {
    const { data, found } = await staff.ok('findPatients', { as: foreignNurse, query: { q: id } })
    expect([data, found]).toEqual([[], null])
  }
})

test.each(staffRoles)('%s: finds the patients that the role’s lists show', async role => {
  const as = await staff.hire([role])
  const { code, body } = await staff.call('findPatients', { as, query: { q: 'nunez' } })
  if (role === 'admin' || role === 'auditor') {
    expect(code).toBe('role_required')
    return
  }
  const found = body.data.map((one: { id: string; case: unknown; order: unknown }) => [
    one.id,
    one.case !== null,
    one.order !== null,
  ])
  // The pharmacy doesn't see a patient without an order, and sees no cases.
  expect(found).toEqual(
    role === 'pharmacy'
      ? [[patient, false, true]]
      : [
          [patient, true, true],
          [other, false, false],
        ],
  )
})

test('the audit records the search with everyone shown, and nothing that was typed', async () => {
  const as = await staff.hire(['nurse'])
  await find('nunez', as)
  await find('unheard-of', as)
  const rows = await queryAsOwner<{ action: string; patients: string[] | null; whole: string }>(
    fixtures,
    sql`select action, patients, row_to_json(e)::text as whole from audit.entries e
         where person = ${as.person} order by seq`,
  )
  expect(rows.map(({ action, patients }) => [action, patients?.toSorted() ?? null])).toEqual([
    ['findPatients', [patient, other].toSorted()],
    ['findPatients', null],
  ])
  expect(rows.map(({ whole }) => whole).join(' ')).not.toMatch(/nunez|unheard/)
})

test('the newest patients come first, across pages', async () => {
  const read = async (query: Record<string, string>) => {
    const { data, has_more } = await staff.ok('listClinicPatients', { as: nurse, query })
    return [data.map((one: { id: string }) => one.id), has_more]
  }
  const [newest = '', oldest = ''] = [patient, other].toSorted().toReversed()
  expect(await read({ limit: '1' })).toEqual([[newest], true])
  expect(await read({ limit: '1', before: newest })).toEqual([[oldest], false])
})

test('pharmacy: a search that matches too many patients says that more may match', async () => {
  await queryAsOwner(
    fixtures,
    sql`insert into live.patients
        select (jsonb_populate_record(p, jsonb_build_object(
                 'id', 'pat_' || lpad(n::text, 26, '0'), 'external_id', 'many ' || n,
                 'last_name', 'Manyfold'))).*
          from live.patients p, generate_series(1, 200) n where p.id = ${other}`,
  )
  const as = await staff.hire(['pharmacy'])
  const search = async (q: string) => {
    const { data, has_more } = await staff.ok('findPatients', { as, query: { q } })
    return [data.length, has_more]
  }
  expect(await search('manyfold')).toEqual([0, true])
  expect(await search('manyf')).toEqual([0, true])
  expect(await search('nunez')).toEqual([1, false])
})
