// A clinic's formulary, as an integration and clinic staff see it.

import { beforeAll, beforeEach, expect, test } from 'bun:test'
import { sql } from '#database/sql.ts'
import { queryAsOwner } from '../testing/assertions.ts'
import {
  caseBody,
  consentedPatient,
  invoke,
  invokeOk,
  minoxidil,
  queuedCase,
  rivera,
  semaglutide,
} from '../testing/call.ts'
import { useFixtures } from '../testing/fixtures.ts'
import { type StaffMember, useConsole } from '../testing/staff.ts'

const fixtures = useFixtures()
const staff = useConsole(fixtures)
let doctor: StaffMember
beforeAll(async () => {
  doctor = await staff.hire(['clinician'], { states: [rivera.address.state] })
})
beforeEach(() => dispense(null))

const as = () => fixtures.ada.live
const dispense = (medications: string[] | null) =>
  queryAsOwner(
    fixtures,
    sql`update auth.organizations set formulary = ${medications}::text[]
         where id = ${fixtures.clinic}`,
  )
const idsOf = async (key: string) => {
  const query = { limit: '100' }
  const { data } = await invokeOk(fixtures, 'listMedications', { as: key, query })
  return data.map((one: { medication_id: string }) => one.medication_id)
}

test('live: the catalog becomes the formulary at the next call; a sandbox has the whole catalog', async () => {
  expect(await idsOf(as())).toHaveLength(40)
  await dispense([minoxidil, semaglutide])
  expect(await idsOf(as())).toEqual([semaglutide, minoxidil].toSorted())
  const get = (key: string, id: string) => invoke(fixtures, 'getMedication', { as: key, id })
  expect((await get(as(), semaglutide)).status).toBe(200)
  await dispense([minoxidil])
  expect((await get(as(), semaglutide)).code).toBe('not_found')
  expect((await get(fixtures.ada.test, semaglutide)).status).toBe(200)
  expect(await idsOf(fixtures.ada.test)).toHaveLength(40)
})

test('live: the formulary is paged', async () => {
  await dispense([minoxidil, semaglutide])
  const [first, last] = [semaglutide, minoxidil].toSorted()
  const page = (query: Record<string, string>) =>
    invokeOk(fixtures, 'listMedications', { as: as(), query: { limit: '1', ...query } })
  expect(await page({})).toMatchObject({ data: [{ medication_id: first }], has_more: true })
  const next = await page({ starting_after: first ?? '' })
  expect(next).toMatchObject({ data: [{ medication_id: last }], has_more: false })
})

test('live: a case with a medication outside the formulary is refused with a hint, and not filed', async () => {
  await dispense([minoxidil])
  const body = caseBody(await consentedPatient(fixtures, as()))
  const refused = await invoke(fixtures, 'createCase', { as: as(), body })
  expect([refused.status, refused.code]).toEqual([400, 'invalid_request'])
  expect(refused.problem?.content.errors).toEqual([
    {
      pointer: '#/requested_medications/0/medication_id',
      code: 'unknown_reference',
      message:
        'medication_id must be an ID from GET /v1/medications. This clinic does not dispense this medication.',
    },
  ])
  expect(refused.problem?.content.hint).toContain('GET /v1/medications')
  const query = { patient: body.patient }
  expect((await invokeOk(fixtures, 'listCases', { as: as(), query })).data).toEqual([])
  await dispense([minoxidil, semaglutide])
  expect((await invoke(fixtures, 'createCase', { as: as(), body })).status).toBe(201)
})

test('test: a case may name any medication, whatever the clinic dispenses in live mode', async () => {
  await dispense([minoxidil])
  const body = caseBody(await consentedPatient(fixtures))
  expect((await invoke(fixtures, 'createCase', { body })).status).toBe(201)
})

test('a plan with a medication outside the formulary can’t be signed; other plans can', async () => {
  const { id } = await queuedCase(fixtures, as())
  await dispense([minoxidil])
  const { updated_at: version } = await invokeOk(fixtures, 'getCase', { as: as(), id })
  const sign = (plan?: object[]) =>
    staff.call('approveCase', { as: doctor, id, body: { version, ...(plan ? { plan } : {}) } })
  const never = [{ medication_id: semaglutide, dispensable: false }]
  for (const plan of [undefined, [{ medication_id: semaglutide }], never]) {
    const refused = await sign(plan)
    expect([refused.status, refused.code]).toEqual([400, 'invalid_request'])
    expect(refused.problem?.content.errors).toMatchObject([
      { pointer: '#/plan/0/medication_id', code: 'unknown_reference' },
    ])
    expect(refused.problem?.content.hint).toContain('dispense')
  }
  expect((await invokeOk(fixtures, 'getCase', { as: as(), id })).status).toBe('queued')
  expect((await sign([{ medication_id: minoxidil }])).status).toBe(200)
})
