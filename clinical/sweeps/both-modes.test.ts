// Runs one scenario in both modes. The results differ only in the ways that the documentation
// lists.

import { expect, test } from 'bun:test'
import { readFileSync } from 'node:fs'
import path from 'node:path'
import type { CallableId } from '#contract/callable.ts'
import { type CallOptions, invoke, invokeOk, rivera, semaglutide } from '../testing/call.ts'
import { attachFile, putFile, reserveFile } from '../testing/files.ts'
import { useFixtures } from '../testing/fixtures.ts'

const fixtures = useFixtures()

/** Replaces the parts of a response that differ in every run: IDs, timestamps and signed URLs. */
const alike = (text: string): string =>
  text
    .replaceAll(/\b([a-z]+)_[0-7][0-9a-z]{25}\b/g, '$1_')
    .replaceAll(/\d{4}-\d\d-\d\dT[\d:.]+Z/g, 'a moment')
    .replaceAll(/"(upload_url|url)":"[^"]*"/g, '"$1":"an address"')

type Step = { name: string; seen: string }

async function scenario(as: string): Promise<Step[]> {
  const steps: Step[] = []
  const see = (name: string, seen: unknown) =>
    steps.push({ name, seen: alike(JSON.stringify(seen)) })
  const call = async (name: string, operation: CallableId, options: CallOptions = {}) => {
    const { status, code, body, problem } = await invoke(fixtures, operation, { as, ...options })
    see(name, { status, code, body: problem ? null : body })
    return body
  }
  await call('organization', 'getOrganization')
  const { id: patient } = await call('patient', 'createPatient', { body: rivera })
  const consent_ids: string[] = []
  for (const kind of ['telehealth', 'privacy']) {
    const body = { kind, version: '2026-09-01' }
    consent_ids.push((await call(`consent ${kind}`, 'recordConsent', { id: patient, body })).id)
  }
  const filing = { patient, consent_ids, requested_medications: [{ medication_id: semaglutide }] }
  await call('without consents', 'createCase', { body: { ...filing, consent_ids: [] } })
  await call('case', 'createCase', { body: filing })
  const held = await call('held case', 'createCase', { body: { ...filing, hold: true } })
  const reserved = await reserveFile(fixtures, { as, case: held.id })
  expect((await putFile(fixtures, reserved)).ok).toBe(true)
  const body = { patient, kind: 'other', filename: 'a.png' }
  const filed = await invokeOk(fixtures, 'confirmFile', { as, id: reserved.id, body })
  see('confirmed under the same id', filed.id === reserved.id)
  await call('file by the id of its reservation', 'getFile', { id: reserved.id })
  await call('file', 'getFile', { id: filed.id })
  const exported = await call('export', 'createExport', { id: patient })
  see('export is ready', exported.status)
  await call('sandbox', 'getAutopilot')
  await call('released', 'releaseCase', { id: held.id })
  await call('withdrawn', 'withdrawCase', { id: held.id })
  await call('withdrawn again', 'withdrawCase', { id: held.id })
  await call('file removed', 'deleteFile', { id: filed.id })
  await call('usage', 'getUsage')
  const { data } = await invokeOk(fixtures, 'listEvents', { as, query: { limit: '100' } })
  see(
    'events',
    data.map((event: { type: string }) => event.type),
  )
  const more = await attachFile(fixtures, { as, patient })
  await call('case with files', 'createCase', { body: { ...filing, files: [more.id] } })
  return steps
}

/** The specification's six differences, in its order, with the steps that show them. */
const published = [
  ['A live credential reaches the clinic.', ['organization']],
  [
    'The id of a file changes with its confirmation.',
    ['confirmed under the same id', 'file by the id of its reservation'],
  ],
  ['Only the clinic removes a file.', ['file removed']],
  ['A live case takes no files when it is filed.', ['case with files']],
  ['An export is completed at once.', ['export', 'export is ready']],
  ['The sandbox is refused.', ['sandbox']],
] as const

test('the same calls differ between modes in the six published ways, and in nothing else', async () => {
  const inTest = await scenario(fixtures.ada.test)
  const inLive = await scenario(fixtures.ada.live)
  expect(inLive.map(one => one.name)).toEqual(inTest.map(one => one.name))
  expect(inTest.length).toBeGreaterThan(18)
  const differing = inTest.filter((one, n) => one.seen !== inLive[n]?.seen).map(one => one.name)
  const expected: string[] = published.flatMap(([, names]) => names)
  expect(differing.toSorted()).toEqual(expected.toSorted())
})

test('the guide to live mode lists the same number of differences', () => {
  const guide = readFileSync(path.join(import.meta.dir, '../../content/docs/live.md'), 'utf8')
  const section = guide.split(/^## /m).find(part => part.startsWith('What differs\n')) ?? ''
  expect(section.match(/^\d+\. /gm)).toHaveLength(published.length)
})
