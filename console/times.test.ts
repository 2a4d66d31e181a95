// Tests every console page for people in three time zones, on the night when daylight saving time
// ends in New York. No page asks for UTC or shows it, and a timestamp reads the same on every page.
import { beforeAll, expect, test } from 'bun:test'
import type { ConsolePage } from '#contract/console/page.ts'
import { staffRoles } from '#contract/console/row.ts'
import { consolePageIds, consolePages } from '#contract/console/table.ts'
import { newId } from '#auth/ids.ts'
import { queryAsOwner } from '#clinical/testing/assertions.ts'
import { invokeOk, queuedCase, rivera } from '#clinical/testing/call.ts'
import { bookedLiveVisit } from '#clinical/testing/clinicians.ts'
import { sql } from '#database/sql.ts'
import { timeIn } from '#http/html/zone.tsx'
import { useConsolePages } from './testing/console.ts'

const pages = useConsolePages()

/** The same local time in New York, before and after the change. */
const [early, late] = ['2026-11-01T05:30:00.000Z', '2026-11-01T06:30:00.000Z'] as const

/** Each zone with its possible time zone names. */
const zones = [
  ['America/New_York', /^(ET|EDT|EST)$/],
  ['America/Los_Angeles', /^(PT|PDT|PST)$/],
  ['Asia/Kolkata', /^GMT\+5:30$/],
] as const

const ids: Record<string, string> = {}

beforeAll(async () => {
  const { fixtures } = pages
  const as = fixtures.ada.live
  const { id, patient } = await queuedCase(fixtures, as)
  const visit = await bookedLiveVisit(fixtures, { as, patient, state: rivera.address.state })
  await invokeOk(fixtures, 'createMessage', { as, id, body: { body: 'Hello.', author: 'patient' } })
  Object.assign(ids, { cases: id, patients: patient, visits: visit.id })
  for (const statement of [
    sql`update live.cases set created_at = ${early}::timestamptz, updated_at = ${late}::timestamptz`,
    sql`update live.patients set created_at = ${early}::timestamptz`,
    sql`update live.messages set created_at = ${late}::timestamptz`,
    sql`update live.visits set starts_at = ${late}::timestamptz,
               ends_at = ${late}::timestamptz + interval '30 minutes'`,
  ]) {
    await queryAsOwner(fixtures, statement)
  }
})

const pathOf = (path: string, organization: string) =>
  path
    .replace('{organization}', organization)
    .replaceAll(/\/(\w+)\/\{id\}/g, (_, kind: string) => `/${kind}/${ids[kind] ?? newId('grant')}`)
    .replaceAll(/\{\w+\}/g, '1')

/** The visible text, without the weekly hours' rules, which use their own zone. */
const shownIn = (html: string) =>
  html
    .replaceAll(/<(script|style|datalist)[^>]*>.*?<\/\1>/gs, '')
    .replaceAll(/<[^>]*>/g, ' ')
    .replaceAll(/\u00a0/g, ' ')

test.each(zones)('%s: every time is in this zone and names it', async (zone, names) => {
  const { browser, person, organization } = await pages.signIn({
    roles: staffRoles,
    states: [rivera.address.state],
  })
  await queryAsOwner(
    pages.fixtures,
    sql`update auth.persons set time_zone = ${zone} where id = ${person}`,
  )
  await queryAsOwner(
    pages.fixtures,
    sql`insert into auth.calendar_exceptions (id, organization, person, kind, starts_at, ends_at)
        values (${newId('calendar')}, ${organization}, ${person}, 'off', now(), now() + interval '3 hours')`,
  )
  const faults: string[] = []
  let opened = 0
  let times = 0
  for (const id of consolePageIds) {
    const { method, path } = consolePages[id] as ConsolePage
    if (method !== 'GET' || /\.csv$|join|original|\{page\}/.test(path)) continue
    const day = id === 'visits' ? '?day=2026-11-01' : ''
    const { status, text } = await browser.get(pathOf(path, organization) + day)
    if (status === 200) opened++
    const shown = shownIn(text)
    for (const [found] of shown.matchAll(/\bUTC\b|\d{4}-\d\d-\d\dT[\d:.]+Z?/g)) {
      faults.push(`${id}: ${found}`)
    }
    for (const [found, name = ''] of shown.matchAll(
      /\d{1,2}:\d\d(?::\d\d)? [AP]M ([A-Z][\w+:]*)/g,
    )) {
      times++
      if (!names.test(name)) faults.push(`${id}: ${found}`)
    }
    for (const [tag, at = '', given = ''] of text.matchAll(
      /<time datetime="([^"]+)"[^>]*>([^<]*)/g,
    )) {
      if (tag.includes('data-format="ago"')) continue
      if (given !== timeIn(at, zone)) faults.push(`${id}: ${at} as ${given}`)
    }
  }
  expect(faults).toEqual([])
  expect(opened).toBeGreaterThan(20)
  expect(times).toBeGreaterThan(20)
  expect(pages.failures).toEqual([])
})

test('two instants in the repeated hour never read the same', () => {
  const [zone] = zones[0]
  expect(timeIn(early, zone)).not.toBe(timeIn(late, zone))
})

test('a person sets their own zone, or returns to the clinic’s', async () => {
  const { browser, home } = await pages.signIn({ roles: ['nurse'] })
  const address = `${home}/preferences`
  await browser.get(address)
  const wrong = await browser.submit(address, { time_zone: 'Mars/Base', digest: 'none' })
  expect([wrong.status, wrong.text.includes('value="Mars/Base"')]).toEqual([422, true])
  await browser.submit(address, { time_zone: 'Asia/Kolkata', digest: 'none' })
  expect((await browser.get(address)).text).toContain(
    'name="time_zone" type="text" value="Asia/Kolkata"',
  )
  await browser.submit(address, { time_zone: '', digest: 'none' })
  expect((await browser.get(address)).text).not.toContain(
    'name="time_zone" type="text" value="Asia/Kolkata"',
  )
})
