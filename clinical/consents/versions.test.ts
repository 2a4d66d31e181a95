// Consent renewal in a sandbox: the consents a case needs after a new document version takes
// effect.

import { beforeEach, expect, test } from 'bun:test'
import { invokeOk, queuedCase, rivera } from '../testing/call.ts'
import { useFixtures } from '../testing/fixtures.ts'
import { eventsOf, expectRefused } from '../testing/assertions.ts'
import { medication } from '#contract/examples/resources.ts'

const fixtures = useFixtures()
const publish = (kind: string, version: string | null, as = fixtures.ada.test) =>
  invokeOk(fixtures, 'publishConsentVersion', { as, body: { kind, version } })
const inForce = (as = fixtures.ada.test) => invokeOk(fixtures, 'getConsentVersions', { as })
let id: string
const record = (kind: string, version: string) =>
  invokeOk(fixtures, 'recordConsent', { id, body: { kind, version } })
const consents = async () => {
  const { data } = await invokeOk(fixtures, 'listConsents', { id })
  return data.map((one: Record<string, string>) =>
    [one['kind'], one['version'], one['status'], one['version_in_force']].join(' '),
  )
}
const caseWith = (...consent_ids: string[]) => ({
  body: {
    patient: id,
    consent_ids,
    requested_medications: [{ medication_id: medication.medication_id }],
  },
})

beforeEach(async () => {
  await invokeOk(fixtures, 'resetSandbox', {})
  id = (await invokeOk(fixtures, 'createPatient', { body: rivera })).id
})

test('no version is in effect until one is published, and a reset removes it', async () => {
  expect(await inForce()).toEqual({ telehealth: null, privacy: null })
  expect(await publish('privacy', '2')).toEqual({ telehealth: null, privacy: '2' })
  expect(await publish('telehealth', '1')).toEqual({ telehealth: '1', privacy: '2' })
  expect(await publish('privacy', '3')).toEqual({ telehealth: '1', privacy: '3' })
  expect(await inForce()).toEqual({ telehealth: '1', privacy: '3' })
  expect(await inForce(fixtures.ben.test)).toEqual({ telehealth: null, privacy: null })
  await invokeOk(fixtures, 'resetSandbox', {})
  expect(await inForce()).toEqual({ telehealth: null, privacy: null })
})

test('a new version supersedes the consents to the old one, until the patient accepts it', async () => {
  const telehealth = await record('telehealth', '1')
  const old = await record('privacy', '1')
  await publish('privacy', '2')
  expect(await consents()).toEqual(['telehealth 1 current ', 'privacy 1 superseded 2'])
  const refused = await expectRefused(
    fixtures,
    'createCase',
    'consent_required',
    caseWith(telehealth.id, old.id),
  )
  expect(refused.body.members.missing).toEqual(['privacy'])
  const renewed = await record('privacy', '2')
  expect(renewed).toMatchObject({ status: 'current', version_in_force: '2' })
  const filed = await invokeOk(fixtures, 'createCase', caseWith(telehealth.id, renewed.id))
  expect(filed.status).toBe('queued')
})

test('a withdrawn version is no longer required', async () => {
  await record('privacy', '1')
  await publish('telehealth', '5')
  await publish('privacy', '2')
  expect(await publish('privacy', null)).toEqual({ telehealth: '5', privacy: null })
  expect(await consents()).toEqual(['privacy 1 current '])
})

test('a consent to a version not in effect is recorded as superseded, and its event says so', async () => {
  await publish('telehealth', '2')
  const { answer, lines } = await eventsOf(fixtures, () => record('telehealth', '1'))
  expect(answer).toMatchObject({ status: 'superseded', version_in_force: '2' })
  expect(lines).toEqual([`consent.recorded.v1 null → superseded ${answer.id}`])
  expect(await consents()).toEqual(['telehealth 1 superseded 2'])
})

test('publishing doesn’t change filed cases and writes no event', async () => {
  const { id: filed } = await queuedCase(fixtures)
  const before = await invokeOk(fixtures, 'getCase', { id: filed })
  const { lines } = await eventsOf(fixtures, () => publish('privacy', '9'))
  expect(lines).toEqual([])
  expect(await invokeOk(fixtures, 'getCase', { id: filed })).toEqual(before)
})
