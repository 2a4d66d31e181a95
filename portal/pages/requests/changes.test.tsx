import { afterEach, expect, test } from 'bun:test'
import { renderToString } from 'preact-render-to-string'
import type { Release } from '#contract/releases/releases.ts'
import { invoke, invokeOk, rivera } from '#clinical/testing/call.ts'
import { projectAll } from '#clinical/testing/requests.ts'
import { unknownId } from '#clinical/testing/assertions.ts'
import { usePortal } from '../../testing/portal.ts'
import { ReleasePart } from './changes.tsx'

const portal = usePortal()
afterEach(() => expect(portal.failures).toEqual([]))

test('a release names its changes, with this integration’s affected requests', async () => {
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

test('a deprecated body field shows its own requests, and an added field its operation’s', () => {
  const operations = ['createPatient']
  const release: Release = {
    date: '2026-12-01',
    changes: [
      { change: 'deprecated', in: 'request', name: '#/middle_name', operations },
      { change: 'removed', in: 'request', name: '#/external_id', operations },
      { change: 'added', in: 'request', name: '#/nickname', operations },
    ],
  }
  const counts = [
    { operation: 'createPatient', field: null, requests: 3 },
    { operation: 'createPatient', field: '#/middle_name', requests: 2 },
    { operation: 'createPatient', field: '#/external_id', requests: 0 },
  ]
  const html = renderToString(
    <ReleasePart {...{ call: { pathOf: () => '/requests' }, release, counts }} />,
  )
  const rows = html.split('<tr>').slice(2)
  expect(rows.map(row => />(\d+|None)</.exec(row)?.[1])).toEqual(['2', 'None', '3'])
})
