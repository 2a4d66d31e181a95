// A request log with enough calls, for the tests of every list.

import { momentText, now } from '#database/clock.ts'
import { unknownId } from './assertions.ts'
import { invoke, invokeOk } from './call.ts'
import type { Fixtures } from './fixtures.ts'
import type { Listing } from './pages.suite.ts'
import { projectAll } from './requests.ts'

// oxlint-disable-next-line typescript/no-explicit-any -- tests read bodies field by field
type Item = Record<string, any>

const rowsOfEach = 25

/** Lists only calls from now on, because other tests may have made some before. */
export async function requestListing(fixtures: Fixtures): Promise<Listing> {
  const as = fixtures.ada.live
  const { integration } = fixtures.ada
  const name = 'second'
  const since = momentText(now())
  const second = await fixtures.key({ integration, mode: 'live', name })
  const call = async (at = 0) => {
    const who = at % 3 === 0 ? second : as
    await (at % 2 === 0
      ? invoke(fixtures, 'getPatient', { as: who, id: unknownId('pat') })
      : invoke(fixtures, 'listPatients', { as: who }))
    await projectAll(fixtures)
  }
  for (let at = 0; at < rowsOfEach; at++) await call(at)
  await invokeOk(fixtures, 'listPatients', { as: fixtures.ben.live })
  await projectAll(fixtures)
  const idOf = (item: Item) => (item['credential'] as { id: string }).id
  const { data } = await invokeOk(fixtures, 'listRequests', { as, query: { since, limit: '100' } })
  const mark: string = data[12].created_at
  const id: string = data.find((item: Item) => item['credential'].name === name).credential.id
  const moment = (item: Item) => String(item['created_at'])
  return {
    options: { as, query: { since } },
    more: call,
    empty: { as, query: { until: '2020-01-01' } },
    filters: [
      { query: { since: mark }, holds: item => moment(item) >= mark },
      { query: { until: mark }, holds: item => moment(item) < mark },
      { query: { operation: 'getPatient' }, holds: item => item['operation'] === 'getPatient' },
      { query: { status: '200' }, holds: item => item['status'] === 200 },
      { query: { code: 'not_found' }, holds: item => item['code'] === 'not_found' },
      {
        query: { credential: id },
        holds: item => idOf(item) === id,
      },
    ],
    theirs: { as: fixtures.ben.live },
  }
}
