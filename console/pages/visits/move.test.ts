// Tests rescheduling a visit.
import { expect, test } from 'bun:test'
import { queryAsOwner } from '#clinical/testing/assertions.ts'
import { sql } from '#database/sql.ts'
import { invokeOk } from '#clinical/testing/call.ts'
import { bookedLiveVisit, hireClinician } from '#clinical/testing/clinicians.ts'
import { patientIn } from '#clinical/testing/visits.ts'
import { useConsolePages } from '../../testing/console.ts'

const pages = useConsolePages()

/** A timestamp's day in the clinic's zone. */
const dayOf = (at: string) =>
  new Intl.DateTimeFormat('en-CA', { timeZone: 'America/New_York' }).format(new Date(at))

test('a nurse moves a visit to an offered time', async () => {
  const as = pages.fixtures.ada.live
  const patient = await patientIn(pages.fixtures, 'NV', as)
  const { id, free } = await bookedLiveVisit(pages.fixtures, { as, patient, state: 'NV' })
  const { browser, home } = await pages.signIn({ roles: ['nurse'] })
  const address = `${home}/visits/${id}/move`
  const { text } = await browser.get(address)
  expect(text).toContain(`value="${free}"`)
  const { starts_at } = await invokeOk(pages.fixtures, 'getVisit', { as, id })
  expect(text).toContain(`href="${home}/visits?day=${dayOf(starts_at)}">Cancel`)
  const refused = await browser.submit(address, { starts_at: '2040-01-01T00:00:00.000Z' })
  expect([refused.status, refused.text.includes('days ahead')]).toEqual([409, true])
  expect((await browser.submit(address, { starts_at: free })).text).toContain('Visit rescheduled.')
  expect((await invokeOk(pages.fixtures, 'getVisit', { as, id })).starts_at).toBe(free)
  expect(pages.failures).toEqual([])
})

test('the page says if a rescheduled visit goes to another clinician', async () => {
  const as = pages.fixtures.ada.live
  const patient = await patientIn(pages.fixtures, 'OR', as)
  const { id, free } = await bookedLiveVisit(pages.fixtures, { as, patient, state: 'OR' })
  const { browser, home, person } = await pages.signIn({ roles: ['clinician'] })
  const { starts_at, clinician_name } = await invokeOk(pages.fixtures, 'getVisit', { as, id })
  await queryAsOwner(
    pages.fixtures,
    sql`update live.visits set clinician = ${person}, clinician_name = 'Dr. Away' where id = ${id}`,
  )
  const mine = await browser.get(`${home}/visits?day=${dayOf(starts_at)}&mine=yes`)
  const address = `${home}/visits/${id}/move`
  expect(mine.text).toContain(`href="${address}?mine=yes"`)
  const page = await browser.get(`${address}?mine=yes`)
  expect(page.text).toContain('If you aren’t free at the new time, another clinician sees')
  expect(page.text).toContain(`href="${home}/visits?day=${dayOf(starts_at)}&amp;mine=yes">Cancel`)
  const moved = await browser.submit(address, { starts_at: free })
  expect(moved.url).toBe(`${home}/visits?day=${dayOf(free)}&done=reassigned`)
  expect(moved.text).toContain('Visit rescheduled with another clinician, listed below.')
  expect(moved.text).toContain(`${clinician_name}</td>`)

  const again = await browser.get(`${address}?mine=yes`)
  expect(again.text).toContain(`If ${clinician_name} isn’t free at the new time`)
  const same = await browser.submit(address, { starts_at })
  expect(same.url).toBe(`${home}/visits?day=${dayOf(starts_at)}&mine=yes&done=moved`)
  expect(same.text).toContain('Visit rescheduled.')
  expect(pages.failures).toEqual([])
})

test('a visit can be handed to a free colleague at its own time, which isn’t preselected', async () => {
  const { fixtures } = pages
  const as = fixtures.ada.live
  const patient = await patientIn(fixtures, 'ND', as)
  const { id } = await bookedLiveVisit(fixtures, { as, patient, state: 'ND' })
  const [{ starts_at = '' } = {}] = await queryAsOwner<{ starts_at: string }>(
    fixtures,
    sql`update live.visits set starts_at = now() + interval '10 minutes',
               ends_at = now() + interval '40 minutes' where id = ${id} returning iso(starts_at) as starts_at`,
  )
  const { browser, home } = await pages.signIn({ roles: ['nurse'] })
  const address = `${home}/visits/${id}/move`
  expect((await browser.get(address)).text).not.toContain(`value="${starts_at}"`)
  const colleague = await hireClinician(fixtures, { states: ['ND'], weekdays: [] })
  await queryAsOwner(
    fixtures,
    sql`insert into auth.calendar_exceptions (id, organization, person, kind, starts_at, ends_at)
        select ${colleague}, ${fixtures.clinic}, ${colleague}, 'extra', starts_at, ends_at
          from live.visits where id = ${id}`,
  )
  expect((await browser.get(address)).text).toMatch(
    new RegExp(
      `<option value="${starts_at}">[^<]*\\(same time, another clinician\\)</option><option value="[^"]*" selected>`,
    ),
  )
  const handed = await browser.submit(address, { starts_at })
  expect(handed.url).toBe(`${home}/visits?day=${dayOf(starts_at)}&done=reassigned`)
  expect(pages.failures).toEqual([])
})

test('a refused reschedule selects the same time again, or none', async () => {
  const as = pages.fixtures.ada.live
  const patient = await patientIn(pages.fixtures, 'UT', as)
  const { id } = await bookedLiveVisit(pages.fixtures, { as, patient, state: 'UT' })
  const { browser, home, person } = await pages.signIn({ roles: ['nurse'] })
  const address = `${home}/visits/${id}/move`
  const times = () => {
    const options = [...browser.page.text.matchAll(/<option([^>]*)>/g)].map(([, one = '']) => one)
    const valueOf = (option = '') => / value="([^"]*)"/.exec(option)?.[1] ?? ''
    return {
      selected: valueOf(options.find(one => / selected(?:[ =]|$)/.test(one)) ?? options[0]),
      all: options.map(valueOf),
    }
  }
  await browser.get(address)
  const { selected: first, all } = times()
  const chosen = all.at(-1) ?? ''
  expect([first === all[0], chosen === first]).toEqual([true, false])
  const stale = { version: '2026-01-01T00:00:00.000Z', starts_at: chosen }
  expect((await browser.submit(address, stale)).status).toBe(409)
  expect(times().selected).toBe(chosen)

  await queryAsOwner(
    pages.fixtures,
    sql`update auth.credentials set last_used_at = now() - interval '16 minutes'
         where person = ${person}`,
  )
  expect((await browser.submit(address, { starts_at: chosen })).status).toBe(403)
  browser.cookies.set('console_session', (await pages.signIn({ roles: ['nurse'] })).token)
  await browser.submit(address)
  expect([browser.page.status, times().selected]).toEqual([403, chosen])

  const taken = await browser.submit(address, { starts_at: '2040-01-01T00:00:00.000Z' })
  expect([taken.status, times().selected]).toEqual([409, ''])
  const empty = await browser.submit(address, { starts_at: '' })
  expect([empty.status, times().selected]).toEqual([422, ''])
  await browser.submit(address, { starts_at: chosen })
  expect((await invokeOk(pages.fixtures, 'getVisit', { as, id })).starts_at).toBe(chosen)
  expect(pages.failures).toEqual([])
})
