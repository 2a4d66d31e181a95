// Metrics: their columns and counts, by the sandbox's clock.

import { afterEach, expect, test } from 'bun:test'
import { metricNames, metrics, type MetricName } from '#contract/preview/metrics.ts'
import { limits } from '#contract/limits.ts'
import { sql } from '#database/sql.ts'
import { queryAsOwner } from '../testing/assertions.ts'
import { invoke, invokeOk, queuedCase, semaglutide } from '../testing/call.ts'
import { useFixtures } from '../testing/fixtures.ts'

const fixtures = useFixtures()
afterEach(() => expect(fixtures.errors.splice(0)).toEqual([]))

const metric = (name: MetricName, as = fixtures.ada.test) =>
  invokeOk(fixtures, 'getMetrics', { as, query: { metric: name } })

const decide = async (decision: object) => {
  const { id } = await queuedCase(fixtures)
  await invokeOk(fixtures, 'decideCase', { id, body: decision })
  return id
}

test('metrics: cases, decisions and blocked orders are counted in the week they belong to', async () => {
  await queuedCase(fixtures)
  for (const hours of [1, 2, 3, 10]) {
    const id = await decide({ decision: 'approve' })
    await queryAsOwner(
      fixtures,
      sql`update test.cases set created_at = status_at - ${hours}::int * interval '1 hour'
           where id = ${id}`,
    )
    if (hours > 2) await invokeOk(fixtures, 'blockCase', { id, body: { reason: 'No stock.' } })
  }
  await decide({ decision: 'decline', reason: 'Not a fit.' })
  const last = async (name: MetricName) => (await metric(name)).rows.at(-1)
  expect((await metric('cases_by_status')).rows).toHaveLength(limits.metricWeeks)
  const { approved, declined, open } = (await metric('cases_by_status')).rows.reduce(
    (all: Record<string, number>, row: Record<string, number>) => ({
      approved: (all['approved'] ?? 0) + (row['approved'] ?? 0),
      declined: (all['declined'] ?? 0) + (row['declined'] ?? 0),
      open: (all['open'] ?? 0) + (row['open'] ?? 0),
    }),
    {},
  )
  expect([approved, declined, open]).toEqual([4, 1, 1])
  expect(await last('decision_time')).toMatchObject({ decided: 5, p50: 2 })
  expect(await last('blocked_orders')).toMatchObject({ blocked: 2 })
  expect((await metric('approval_share')).rows).toEqual([
    {
      medication: semaglutide,
      name: expect.stringContaining('Semaglutide'),
      decided: 5,
      approved: 4,
      share: 80,
    },
  ])
})

test('metrics: every row has exactly the columns listed in the table', async () => {
  for (const name of metricNames) {
    const { rows, ...head } = await metric(name)
    const { title, unit, columns } = metrics[name]
    expect(head).toEqual({ metric: name, title, unit, columns })
    for (const row of rows) expect(Object.keys(row)).toEqual([...columns])
  }
})

test('metrics: other integrations’ and the other mode’s rows don’t count, and an unknown metric is refused', async () => {
  for (const as of [fixtures.ben.test, fixtures.ada.live]) {
    expect((await metric('approval_share', as)).rows).toEqual([])
    expect((await metric('decision_time', as)).rows.at(-1)).toMatchObject({ decided: 0, p50: null })
  }
  const { code } = await invoke(fixtures, 'getMetrics', { query: { metric: 'patients' } })
  expect(code).toBe('invalid_request')
})
