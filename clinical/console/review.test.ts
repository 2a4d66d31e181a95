// Reviewing a case in the console: what staff see, and what each decision writes.

import { beforeAll, expect, test } from 'bun:test'
import { sql } from '#database/sql.ts'
import { eventsOf, queryAsOwner } from '../testing/assertions.ts'
import { invoke, invokeOk, minoxidil, queuedCase, rivera, semaglutide } from '../testing/call.ts'
import { useFixtures } from '../testing/fixtures.ts'
import { intercepted, type StaffMember, useConsole } from '../testing/staff.ts'

const fixtures = useFixtures()
/** Runs once, after a claim is decided and before the claim's statement. */
let meanwhile: (() => Promise<unknown>) | null = null
const staff = useConsole(fixtures, pool =>
  intercepted(pool, async statement => {
    const act = statement.text.includes('claimed_until = now()') ? meanwhile : null
    if (act) meanwhile = null
    await act?.()
    return statement
  }),
)
const { state } = rivera.address

let doctor: StaffMember
let nurse: StaffMember
let pharmacist: StaffMember
beforeAll(async () => {
  doctor = await staff.hire(['clinician'], { states: [state] })
  nurse = await staff.hire(['nurse'])
  pharmacist = await staff.hire(['pharmacy'])
})

const live = () => fixtures.ada.live
const versionOf = async (id: string): Promise<string> =>
  (await invokeOk(fixtures, 'getCase', { as: live(), id })).updated_at
const liveCase = async () => queuedCase(fixtures, live())
const eventsIn = <T>(work: () => Promise<T>) => eventsOf(fixtures, work, live())

test('a case is claimed, asked about, answered, approved, shipped and delivered', async () => {
  const { id, patient } = await liveCase()
  const queue = await staff.ok('listQueue', { as: doctor })
  const entry = queue.data.find((one: { id: string }) => one.id === id)
  expect(entry).toMatchObject({
    status: 'queued',
    integration: { id: fixtures.ada.integration, name: "Ada's brand" },
    patient: { id: patient, first_name: rivera.first_name, state },
    medications: [semaglutide],
    claim: null,
  })
  const first = await eventsIn(() =>
    staff.ok('claimCase', { as: nurse, id, body: { version: entry.updated_at } }),
  )
  expect(first.lines).toEqual([`case.in_review.v1 queued → in_review ${id}`])
  const [began] = first.events
  expect(Date.parse(began?.created_at ?? '')).toBe(Date.parse(first.answer.updated_at) + 1)
  expect(first.answer.claim).toMatchObject({ person: nurse.person, name: nurse.name })
  const asking = await eventsIn(() =>
    staff.ok('askQuestion', {
      as: nurse,
      id,
      body: { version: first.answer.updated_at, target: 'patient', question: 'Since when?' },
    }),
  )
  expect(asking.lines).toEqual([
    `case.waiting_on_patient.v1 in_review → waiting_on_patient ${id}`,
    `case.question_asked.v1 waiting_on_patient → waiting_on_patient ${id}`,
  ])
  await invokeOk(fixtures, 'answerCase', {
    as: live(),
    id,
    body: { answers: [{ answer: 'In May.' }] },
  })
  await staff.ok('unclaimCase', { as: nurse, id, body: { version: await versionOf(id) } })
  const plan = [
    { medication_id: semaglutide, quantity: 2 },
    { medication_id: minoxidil, dispensable: false },
  ]
  const signing = await eventsIn(async () =>
    staff.ok('approveCase', { as: doctor, id, body: { version: await versionOf(id), plan } }),
  )
  const [rx] = signing.answer.prescription_ids
  const [order] = signing.answer.order_ids
  expect(signing.lines).toEqual([
    `case.approved.v1 in_review → approved ${id}`,
    `prescription.created.v1 null → active ${rx}`,
    `order.created.v1 null → created ${order}`,
  ])
  expect(signing.answer.decided_by).toEqual({ person: doctor.person, name: doctor.name })
  const prescribed = await invokeOk(fixtures, 'getPrescription', { as: live(), id: rx })
  expect([prescribed.prescriber_name, prescribed.quantity]).toEqual([doctor.name, 2])

  const chart = await staff.ok('readChart', { as: doctor, id })
  expect(chart.plan.map((line: { dispensable: boolean }) => line.dispensable)).toEqual([
    true,
    false,
  ])
  expect(chart.requested_medications).toHaveLength(1)
  expect(chart.chart.patient).toMatchObject({ id: patient, status: 'active', deleted_at: null })
  expect(chart.chart.consents.map((one: { version: string }) => one.version)).toEqual([
    '2026-09-01',
    '2026-09-01',
  ])
  expect(
    chart.chart.messages.map((one: { kind: string; by: unknown }) => [one.kind, one.by]),
  ).toEqual([
    ['question', { person: nurse.person, name: nurse.name }],
    ['answer', null],
  ])
  expect(chart.chart.history.map((one: { type: string }) => one.type)).toEqual([
    'case.queued.v1',
    'case.in_review.v1',
    'case.waiting_on_patient.v1',
    'case.question_asked.v1',
    'case.in_review.v1',
    'case.message_created.v1',
    'case.approved.v1',
    'prescription.created.v1',
    'order.created.v1',
  ])

  const { data } = await staff.ok('listPharmacyOrders', { as: pharmacist })
  expect(data.map((one: { id: string }) => one.id)).toEqual([order])
  const tracking = { carrier: 'ups', number: '1Z' }
  const shipping = await eventsIn(() =>
    staff.ok('shipOrder', {
      as: pharmacist,
      id: order,
      body: { version: data[0].updated_at, tracking },
    }),
  )
  expect(shipping.lines).toEqual([
    `order.at_pharmacy.v1 created → at_pharmacy ${order}`,
    `order.shipped.v1 at_pharmacy → shipped ${order}`,
    `prescription.updated.v1 active → filled ${rx}`,
  ])
  expect(shipping.answer).toEqual(await invokeOk(fixtures, 'getOrder', { as: live(), id: order }))
  const delivered = await staff.ok('deliverOrder', {
    as: pharmacist,
    id: order,
    body: { version: shipping.answer.updated_at },
  })
  expect([delivered.status, delivered.tracking.number]).toEqual(['delivered', '1Z'])
  const moved = await queryAsOwner(
    fixtures,
    sql`select moved_by, moved_by_name from live.orders where id = ${order}`,
  )
  expect(moved).toEqual([{ moved_by: pharmacist.person, moved_by_name: pharmacist.name }])
})

test('the audit names each call’s person, clinic, integration and case', async () => {
  const { id } = await liveCase()
  await staff.ok('readChart', { as: nurse, id })
  await staff.call('approveCase', { as: nurse, id, body: { version: await versionOf(id) } })
  const rows = await queryAsOwner(
    fixtures,
    sql`select surface, action, person, organization, integration, outcome, code
          from audit.entries where target = ${id} and surface = 'console' order by seq`,
  )
  const who = {
    surface: 'console',
    person: nurse.person,
    organization: fixtures.clinic,
    integration: fixtures.ada.integration,
  }
  expect(rows).toEqual([
    { ...who, action: 'readChart', outcome: 'ok', code: null },
    { ...who, action: 'approveCase', outcome: 'refused', code: 'role_required' },
  ])
})

test('two clinicians sign concurrently: one succeeds, and the other must read the case again', async () => {
  const other = await staff.hire(['clinician'], { states: [state] })
  for (let round = 0; round < 5; round++) {
    const { id } = await liveCase()
    const body = { version: await versionOf(id) }
    const both = await Promise.all(
      [doctor, other].map(as => staff.call('approveCase', { as, id, body })),
    )
    expect(both.map(one => one.code ?? 'signed').sort()).toEqual(['signed', 'version_changed'])
    const [count] = await queryAsOwner<{ n: number }>(
      fixtures,
      sql`select count(*)::int as n from live.prescriptions where "case" = ${id}`,
    )
    expect(count?.n).toBe(1)
  }
})

test('a claim is visible to others, blocks their decisions, can be extended, and expires', async () => {
  const { id } = await liveCase()
  const claim = async (as: StaffMember) =>
    staff.call('claimCase', { as, id, body: { version: await versionOf(id) } })
  const both = await Promise.all([claim(doctor), claim(nurse)])
  const winner = both[0]?.code === null ? doctor : nurse
  const loser = winner === doctor ? nurse : doctor
  expect(both.filter(one => one.code === null)).toHaveLength(1)
  expect((await claim(loser)).code).toBe('case_claimed')
  expect((await claim(winner)).status).toBe(200)
  const { data } = await staff.ok('listQueue', { as: loser, query: { show: 'all' } })
  const shown = data.find((one: { id: string }) => one.id === id)
  expect(shown.claim.name).toBe(winner.name)
  const minutes = (Date.parse(shown.claim.until) - Date.now()) / 60_000
  expect(minutes).toBeGreaterThan(28)
  expect(minutes).toBeLessThan(31)
  const question = { target: 'integration', question: 'Which one?' }
  const refused = await staff.call('askQuestion', {
    as: loser,
    id,
    body: { version: await versionOf(id), ...question },
  })
  expect([refused.code, refused.body.members.claimed_by]).toEqual(['case_claimed', winner.name])
  await queryAsOwner(
    fixtures,
    sql`update live.cases set claimed_until = now() - interval '1 second' where id = ${id}`,
  )
  expect((await claim(loser)).body.claim.person).toBe(loser.person)
})

test('only one of two concurrent claims on a case in review succeeds', async () => {
  const { id } = await liveCase()
  for (let round = 0; round < 10; round++) await claimTwice(id)
})

async function claimTwice(id: string): Promise<void> {
  await staff.ok('claimCase', { as: nurse, id, body: { version: await versionOf(id) } })
  await staff.ok('unclaimCase', { as: nurse, id, body: { version: await versionOf(id) } })
  const body = { version: await versionOf(id) }
  const both = await Promise.all(
    [doctor, nurse].map(as => staff.call('claimCase', { as, id, body })),
  )
  expect(both.map(one => one.code ?? 'claimed').sort()).toEqual(['case_claimed', 'claimed'])
  await queryAsOwner(
    fixtures,
    sql`update live.cases set claimed_by = null, claimed_by_name = null, claimed_until = null
         where id = ${id}`,
  )
}

test('a case canceled during a claim stays canceled', async () => {
  const { id } = await liveCase()
  const body = { version: await versionOf(id) }
  meanwhile = () => invokeOk(fixtures, 'cancelCase', { as: live(), id })
  expect((await staff.call('claimCase', { as: nurse, id, body })).code).toBe('version_changed')
  expect(meanwhile).toBeNull()
  expect((await invokeOk(fixtures, 'getCase', { as: live(), id })).status).toBe('cancelled')
})

test('a decline reaches the patient with its reason, and a message with its author', async () => {
  const { id } = await liveCase()
  const written = await staff.ok('writeMessage', {
    as: doctor,
    id,
    body: { version: await versionOf(id), body: 'Hello.' },
  })
  expect([written.author, written.body]).toEqual(['clinician', 'Hello.'])
  await staff.ok('declineCase', {
    as: doctor,
    id,
    body: { version: await versionOf(id), reason: 'Not safe.' },
  })
  const found = await invokeOk(fixtures, 'getCase', { as: live(), id })
  expect([found.status, found.reason]).toEqual(['declined', 'Not safe.'])
})

test('a stale version is refused and changes nothing; a repeated key replays the first response', async () => {
  const { id } = await liveCase()
  const body = { version: await versionOf(id), reason: 'No.' }
  const stale = { ...body, version: '2026-01-01T00:00:00.000Z' }
  const refused = await staff.call('declineCase', { as: doctor, id, body: stale })
  expect([refused.status, refused.code, refused.body.members]).toEqual([
    409,
    'version_changed',
    { version: body.version },
  ])
  const first = await staff.call('declineCase', { as: doctor, id, body, key: 'once' })
  const again = await staff.call('declineCase', { as: doctor, id, body, key: 'once' })
  expect([again.text, again.headers['idempotent-replayed']]).toEqual([first.text, 'true'])
})

test('a clinic’s key never matches an integration’s key', async () => {
  const { id } = await liveCase()
  await invokeOk(fixtures, 'createMessage', { as: live(), id, body: { body: 'Hi' }, key: 'same' })
  const body = { version: await versionOf(id), body: 'Hello.' }
  expect((await staff.call('writeMessage', { as: doctor, id, body, key: 'same' })).status).toBe(201)
})

test('a patient the integration deleted stays readable for the clinic', async () => {
  const { id, patient } = await liveCase()
  await invokeOk(fixtures, 'deletePatient', { as: live(), id: patient })
  expect((await invoke(fixtures, 'getPatient', { as: live(), id: patient })).code).toBe('not_found')
  const found = await staff.ok('readPatient', { as: nurse, id: patient })
  expect(found).toMatchObject({
    status: 'deleted',
    last_name: rivera.last_name,
    cases: [{ id, status: 'withdrawn' }],
  })
  expect(found.deleted_at).not.toBeNull()
})
