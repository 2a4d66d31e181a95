// Tests the metrics page, full and empty, and its CSV.

import { expect, test } from 'bun:test'
import { invokeOk, queuedCase } from '#clinical/testing/call.ts'
import { metricNames, metrics } from '#contract/preview/metrics.ts'
import { usePortal } from '../../testing/portal.ts'

const portal = usePortal()

test('metrics: each has a chart with its numbers and a CSV', async () => {
  const { id } = await queuedCase(portal.fixtures)
  await invokeOk(portal.fixtures, 'decideCase', { id, body: { decision: 'approve' } })
  const { browser, integration } = await portal.signIn()
  const path = `/${integration}/test/metrics`
  const page = await (await browser.send(path)).text()
  for (const name of metricNames) {
    expect(page).toContain(metrics[name].title)
    const file = await browser.send(`${path}/${name}/csv`)
    expect(file.headers.get('content-type')).toBe('text/csv; charset=utf-8')
    expect((await file.text()).split('\r\n')[0]).toBe(metrics[name].columns.join(','))
  }
  expect(page).toContain('No orders are blocked.')
  expect(await (await browser.send(`${path}/approval_share/csv`)).text()).toMatch(/,1,1,100\r\n$/)
  expect((await browser.send(`${path}/patients/csv`)).status).toBe(404)
  const none = await portal.signIn({ integration: portal.fixtures.ben.integration })
  const empty = await none.browser.send(`/${none.integration}/test/metrics`)
  expect(await empty.text()).toContain('No cases in the last 12 weeks.')
})
