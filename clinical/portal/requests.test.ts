import { expect, test } from 'bun:test'
import type { Release } from '#contract/releases/releases.ts'
import { ask } from '../deliveries/portal/testing/ask.ts'
import { portalHandlers } from '../portal-handlers.ts'
import { invokeOk, rivera } from '../testing/call.ts'
import { useFixtures } from '../testing/fixtures.ts'
import { projectAll } from '../testing/requests.ts'
import { countChangedBy } from './requests.ts'

const fixtures = useFixtures()

test('a deprecated body field counts only the requests that sent it', async () => {
  const of = { change: 'deprecated', in: 'request', operations: ['createPatient'] } as const
  const changes = ['middle_name', 'address/line2', 'external_id'].map(name => ({
    ...of,
    name: `#/${name}`,
  }))
  const release: Release = { date: '2026-12-01', changes }
  const { external_id: _, address, ...person } = rivera
  const { line2, ...plain } = address
  for (const body of [
    { ...person, address: plain },
    { ...person, address: plain, middle_name: 'May' },
    { ...person, address: { ...plain, line2 }, middle_name: 'May' },
  ])
    await invokeOk(fixtures, 'createPatient', { body })
  await projectAll(fixtures)
  const reads = { ...portalHandlers, countChanged: countChangedBy([release]) }
  const { data } = await ask(fixtures, 'countChanged', { reads })
  const count = (field: string | null, requests: number) => ({
    operation: 'createPatient',
    field,
    requests,
  })
  expect(data).toEqual([
    count(null, 3),
    count('#/address/line2', 1),
    count('#/external_id', 0),
    count('#/middle_name', 2),
  ])
})
