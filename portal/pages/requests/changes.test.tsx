import { afterEach, expect, test } from 'bun:test'
import { invoke, invokeOk, rivera } from '#clinical/testing/call.ts'
import { projectAll } from '#clinical/testing/requests.ts'
import { unknownId } from '#clinical/testing/assertions.ts'
import { usePortal } from '../../testing/portal.ts'

const portal = usePortal()
afterEach(() => expect(portal.failures).toEqual([]))

test('a release names what it changed, with the requests of this integration that it touches', async () => {
  const { fixtures } = portal
  const { browser, home } = await portal.signIn({ role: 'viewer' })
  const before = await browser.get(`${home}/test/changes`)
  expect(before.text).toContain('<code>Consent.version_in_force</code>')
  expect(before.text).toMatch(/href="http[^"]+\/changelog"/)
  expect(before.text).not.toContain('operation=recordConsent')
  const { id } = await invokeOk(fixtures, 'createPatient', { body: rivera })
  await invokeOk(fixtures, 'recordConsent', { id, body: { kind: 'privacy', version: '1' } })
  await invoke(fixtures, 'recordConsent', { id: unknownId('pat'), body: { kind: 'privacy' } })
  await invoke(fixtures, 'recordConsent', { as: fixtures.ben.test, id, body: { kind: 'privacy' } })
  await projectAll(fixtures)
  const after = await browser.get(`${home}/test/changes`)
  expect(after.text).toMatch(/operation=recordConsent">2<\/a>/)
  expect(after.text).not.toContain('operation=listConsents')
  const live = await browser.get(`${home}/live/changes`)
  expect(live.text).not.toContain('operation=recordConsent')
})
