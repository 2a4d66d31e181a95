// The setup for realtime tests: two gateways that share only the database, and a worker.

import { afterAll, afterEach, beforeAll, expect } from 'bun:test'
import { invokeOk, rivera } from '#clinical/testing/call.ts'
import { type Fixtures, useFixtures } from '#clinical/testing/fixtures.ts'
import { openTestWorker, type TestWorker } from '#clinical/deliveries/engine/testing/worker.ts'
import { type Gateway, hangUp, openGateway } from '#gateway/testing/subscribers.ts'

export type TwoGateways = {
  readonly fixtures: Fixtures
  here: Gateway
  there: Gateway
  /** A test that stops the worker must replace it. */
  worker: TestWorker
}

/** Opens gateways and worker before a file's tests and closes them after. Fields other than
 *  `fixtures` are set when `beforeAll` hooks run. */
export function useTwoGateways(): TwoGateways {
  const fixtures = useFixtures()
  const opened = { fixtures } as TwoGateways
  beforeAll(async () => {
    ;[opened.here, opened.there, opened.worker] = await Promise.all([
      openGateway(fixtures),
      openGateway(fixtures),
      openTestWorker(fixtures),
    ])
  })
  afterAll(() =>
    Promise.all([opened.here.close(), opened.there.close(), opened.worker.stop()]).then(() => {}),
  )
  afterEach(() => {
    hangUp()
    // Emptied, so one test's failure isn't reported by the tests after it.
    expect(fixtures.errors.splice(0)).toEqual([])
  })
  return opened
}

/** Creates a patient, which writes one event. */
export const createPatient = (fixtures: Fixtures, as = fixtures.ada.test) =>
  invokeOk(fixtures, 'createPatient', { as, body: rivera })

/** Writes one event. */
export const triggerEvent = (fixtures: Fixtures, as = fixtures.ada.test) =>
  invokeOk(fixtures, 'triggerWebhook', { as, body: { type: 'order.shipped.v1' } })

export const idsOf = (messages: { id: string }[]) => messages.map(({ id }) => id)
