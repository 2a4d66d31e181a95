// A worker dies after the pharmacy has responded, but before recording the response.

import path from 'node:path'
import { afterAll, beforeAll, expect, test } from 'bun:test'
import { workerUrls } from '#database/roles.ts'
import { useFixtures } from '../testing/fixtures.ts'
import { leaseSeconds } from './claim.ts'
import { openPharmacyClinic, type PharmacyClinic } from './testing/clinic.ts'
import type { PharmacyCrash } from './testing/crash-worker.ts'

const fixtures = useFixtures()
const workers: Bun.Subprocess[] = []
let clinic: PharmacyClinic
beforeAll(async () => {
  clinic = await openPharmacyClinic(fixtures)
})
afterAll(async () => {
  for (const worker of workers) worker.kill('SIGKILL')
  await clinic.close()
})

function launch(): Bun.Subprocess {
  const { urls } = fixtures.database
  const settings: PharmacyCrash = {
    urls: workerUrls(urls),
    pharmacy: urls.pharmacy,
    pepper: fixtures.context.pepper,
  }
  const script = path.join(import.meta.dir, 'testing/crash-worker.ts')
  const worker = Bun.spawn([process.execPath, script, JSON.stringify(settings)], {
    stdout: 'ignore',
    stderr: 'inherit',
  })
  workers.push(worker)
  return worker
}

test('a worker killed before it records a response leaves the pharmacy with one order', async () => {
  await clinic.connect()
  const { order, prescription } = await clinic.approve()
  const worker = launch()
  await worker.exited
  expect(worker.signalCode).toBe('SIGKILL')
  expect(clinic.double.orders.get(prescription)?.transmissions).toBe(1)
  expect(await clinic.transmission(order)).toMatchObject({ status: 'due', attempts: 1 })
  expect(await clinic.statusOf(order)).toBe('created')
  // The dead worker's lease hasn't expired.
  expect(await clinic.transmit()).toEqual({})

  await clinic.wait(leaseSeconds)
  expect(await clinic.transmit()).toEqual({ accepted: 1 })
  expect([...clinic.double.orders.keys()]).toEqual([prescription])
  expect(clinic.double.orders.get(prescription)?.transmissions).toBe(2)
  expect(clinic.double.faults).toEqual([])
  expect(await clinic.transmission(order)).toMatchObject({
    status: 'accepted',
    attempts: 2,
    reference: 'RX-1',
  })
  expect(await clinic.eventsOf(order)).toEqual(['order.created.v1', 'order.at_pharmacy.v1'])
})
