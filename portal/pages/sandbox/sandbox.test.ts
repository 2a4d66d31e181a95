import { afterEach, expect, test } from 'bun:test'
import { queryAsOwner } from '#clinical/testing/assertions.ts'
import { invokeOk } from '#clinical/testing/call.ts'
import { bookedVisit } from '#clinical/testing/visits.ts'
import { sql } from '#database/sql.ts'
import { statusText } from '#http/html/status-text.ts'
import { usePortal } from '../../testing/portal.ts'

const portal = usePortal()
afterEach(() => expect(portal.failures).toEqual([]))

const reset = () => invokeOk(portal.fixtures, 'resetSandbox', { body: {} })
const cases = async () => (await invokeOk(portal.fixtures, 'listCases')).data

async function open(role: 'owner' | 'viewer' = 'owner') {
  const { browser, home } = await portal.signIn({ role })
  const path = `${home}/test/sandbox`
  await browser.get(path)
  return { browser, path }
}

test('one button files the case of a synthetic patient, once', async () => {
  await reset()
  const { browser, path } = await open()
  expect(browser.page.text).toContain('No cases yet')
  const [, once = ''] =
    /\/sandbox\/loop".*?name="once" value="([^"]+)"/s.exec(browser.page.text) ?? []
  const filed = await browser.submit(`${path}/loop`)
  expect(filed.url).toMatch(/\/sandbox\/cases\/case_\w{26}$/)
  expect(filed.text).toContain('case.queued.v1')
  expect(filed.text).not.toContain('Rivera')
  const [{ id }] = await cases()
  expect(filed.url).toEndWith(id)

  const list = await browser.get(path)
  expect(list.text).toContain(id)
  const again = await browser.submit(`${path}/loop`, { once })
  expect(again.url).toBe(filed.url)
  expect(await cases()).toHaveLength(1)
  const [audited] = await queryAsOwner(
    portal.fixtures,
    sql`select surface, count(*)::int as count from audit.entries
         where action = 'createCase' group by surface`,
  )
  expect(audited).toEqual({ surface: 'portal', count: 2 })
})

test('the usual move is a button in the list, and cases are filtered by status', async () => {
  await reset()
  const { browser, path } = await open()
  const { url } = await browser.submit(`${path}/loop`)
  await browser.get(path)
  for (const state of ['approved', 'shipped', 'delivered']) {
    expect((await browser.submit(url, {})).text).toContain(`>${statusText(state)}</span>`)
    await browser.get(path)
  }
  const id = url.split('/').at(-1) ?? ''
  expect((await browser.get(`${path}?status=approved`)).text).toContain(id)
  const none = await browser.get(`${path}?status=declined`)
  expect(none.text).not.toContain(id)
  expect(none.text).toContain('No cases with this status')
})

test('an open question is answered on its case’s page, not skipped', async () => {
  await reset()
  const { browser, path } = await open()
  const { url } = await browser.submit(`${path}/loop`)
  await browser.submit(url, { move: 'ask', target: 'patient', question: 'Since when?' })
  const list = await browser.get(path)
  expect(list.text).toContain('Waiting on patient')
  expect(list.text).not.toContain('name="move"')
})

test('the autopilot form saves timers, shows the next step, and marks an invalid timer', async () => {
  await reset()
  const { browser, path } = await open()
  await browser.submit(`${path}/loop`)
  await browser.get(path)
  expect(browser.page.text).not.toContain('Next step:')
  const set = await browser.submit(`${path}/autopilot`, { approve_after_s: '30', ship_after_s: '' })
  expect(await invokeOk(portal.fixtures, 'getAutopilot')).toEqual({
    approve_after_s: 30,
    ship_after_s: null,
  })
  const [{ id, updated_at }] = await cases()
  expect(set.text).toContain('Next step: approve')
  expect(set.text).toContain(id)
  const due = new Date(Date.parse(updated_at) + 30_000).toISOString()
  expect(set.text).toContain(`datetime="${due}"`)
  for (const given of ['soon', '3601', '-1']) {
    const wrong = await browser.submit(`${path}/autopilot`, { approve_after_s: given })
    expect(wrong.status).toBe(400)
    expect(wrong.text).toContain('id="approve_after_s-fault"')
    expect(wrong.text).toContain(`value="${given}"`)
  }
})

test('the clock is advanced with a button, and shows its target', async () => {
  const { browser, path } = await open()
  expect(browser.page.text).toContain('the same as real time')
  const advancing = await browser.submit(`${path}/clock`, { advance_by_s: '86400' })
  expect(advancing.text).toContain('Advancing to')
  expect(advancing.text).toContain('hx-trigger="every 1s"')
  const stopped = await browser.submit(`${path}/clock`, { resume: 'true' })
  expect(stopped.text).not.toContain('Advancing to')
  const wrong = await browser.submit(`${path}/clock`, { advance_by_s: 'long' })
  expect(wrong.status).toBe(400)
  expect(wrong.text).toContain('role="alert"')
  for (let year = 0; year < 11; year++) {
    await browser.submit(`${path}/clock`, { advance_by_s: String(365 * 86_400) })
  }
  expect(browser.page.status).toBe(400)
  expect(browser.page.text).toContain('The clock can’t go further ahead.')
})

test('a reset requires its confirmation word', async () => {
  const { browser, path } = await open()
  await browser.submit(`${path}/loop`)
  await browser.get(path)
  const refused = await browser.submit(`${path}/reset`, { confirm: 'yes' })
  expect(refused.text).toContain('Nothing was deleted')
  expect((await cases()).length).toBeGreaterThan(0)
  const done = await browser.submit(`${path}/reset`, { confirm: 'reset' })
  expect(done.text).toContain('No cases yet')
  expect(await cases()).toEqual([])
})

test('a visit is started, completed or missed', async () => {
  await reset()
  const visit = await bookedVisit(portal.fixtures)
  const { browser, path } = await open()
  expect(browser.page.text).toContain(visit.id)
  const moves = `${path}/visits/${visit.id}`
  expect((await browser.submit(moves, { move: 'start' })).text).toContain('>Started</span>')
  expect((await browser.submit(moves, { move: 'complete' })).text).toContain('>Completed</span>')
})

test('live mode has no sandbox, so its switch leads home', async () => {
  const { browser, path } = await open()
  const live = path.replace(/test\/sandbox$/, 'live')
  expect(browser.page.text).toContain(`href="${live}"`)
  const { text, url } = await browser.get(`${live}/sandbox`)
  expect(url).toBe(live)
  expect(text).not.toContain('>Sandbox<')
})

test('a viewer sees the cases, but no forms', async () => {
  const { browser } = await open('viewer')
  expect(browser.page.status).toBe(200)
  expect(browser.page.text).not.toContain('/sandbox/reset')
  expect(browser.page.text).not.toContain('/sandbox/autopilot')
})
